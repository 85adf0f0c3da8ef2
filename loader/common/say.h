/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loader tells its user, on standard error, worded as SystemTap does. */
#ifndef STAP_SAY_H
#define STAP_SAY_H

#include <stdbool.h>

extern int say_verbose;		/* -v: how often it was given */
extern bool say_no_warnings;	/* -w */

/* How long a message may wait for whoever doesn't read it; -1: for ever. */
extern int say_wait_ms;

/* "ERROR: …", "WARNING: …" (not with -w), and with -v given LEVEL times a plain
 * line.  One write each, newline added. */
void say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_if(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
