/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of messages on standard error. */
#ifndef STAP_COLOR_H
#define STAP_COLOR_H

#include <stdbool.h>

/* What a piece of a message is; $SYSTEMTAP_COLORS gives each its colour. */
enum color { COLOR_ERROR, COLOR_WARNING, COLOR_SOURCE, COLOR_CARET, COLOR_TOKEN };

/*
 * Takes --color's argument: "never", "always", or "auto" (the default), which
 * means on a terminal.  Returns false for any other text.
 */
bool color_mode(const char *when);

/* Return the escape sequences that begin and end a colour, or "" when colours are off. */
const char *color_on(enum color c);
const char *color_off(void);

#endif
