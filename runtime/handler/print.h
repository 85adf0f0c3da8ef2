/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output: what precedes a handler's, and (core/supply.h) the session's own messages. */
#ifndef STAP_PRINT_H
#define STAP_PRINT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "abi/transport.h"
#include "core/supply.h"

/* Does each piece of output begin with an item ST_FMT_ORIGIN?  Changes before the start only. */
extern bool st_origins;

/* The room for that item before a context's output. */
#define ST_ORIGIN_ROOM ALIGN(6 + sizeof(struct st_origin) + ST_ORIGIN_POINT, 8)

#endif
