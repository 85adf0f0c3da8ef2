/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_HEADERS_H
#define STAP_HEADERS_H

#include "base/sbuf.h"

struct session;

/* What a script's own C, @const among it, finds included, and -D's macros defined. */
void put_kernel_headers(struct sbuf *out, const struct session *s);

#endif
