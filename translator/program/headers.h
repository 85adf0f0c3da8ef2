/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_HEADERS_H
#define STAP_HEADERS_H

#include "base/sbuf.h"

struct session;

/* Emits the text before embedded C and @const: -D's macros, and includes of kernel headers. */
void headers_put_kernel(struct sbuf *out, const struct session *s);

#endif
