/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output: what comes with a handler's, and the session's own messages. */
#ifndef STAP_PRINT_H
#define STAP_PRINT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "abi/transport.h"

/* --json: room before a context's output for the item that says where it comes from. */
#define ST_ORIGIN_ROOM ALIGN(6 + sizeof(struct st_origin) + ST_ORIGIN_POINT, 8)

/*
 * Prints a message of the session itself, in one of the formats ST_FMT_*: text as it is, a
 * warning or an error.  Process context, between the allocation of the rings and
 * st_trace_close(); at most 500 bytes, more is cut.
 */
void st_tell(unsigned short format, const char *fmt, ...) __printf(2, 3);

#endif
