/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of messages on standard error: color.c. */
#ifndef STAP_COLOR_H
#define STAP_COLOR_H

#include <stdbool.h>

enum color { COLOR_ERROR, COLOR_WARNING, COLOR_SOURCE, COLOR_CARET, COLOR_TOKEN };

/* --color: "never", "always", or "auto" (the default): on a terminal.  False: none
 * of these. */
bool color_mode(const char *when);

/* What begins and ends a colour; "" when there are to be none. */
const char *color_on(enum color c);
const char *color_off(void);

#endif
