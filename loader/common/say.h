/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's messages to the user, on standard error.  Where SystemTap has the same message, its wording
 * is kept, because scripts look for it.
 */
#ifndef STAP_SAY_H
#define STAP_SAY_H

#include <stdbool.h>

extern int say_verbose;		/* -v: how often it was given */
extern bool say_no_warnings;	/* -w */

/* How many milliseconds a message waits for room in standard error, a pipe that is full; -1: for ever. */
extern int say_wait_ms;

/* Print "ERROR: …"; "WARNING: …", but not with -w; and a plain line, if -v was given LEVEL times.  Each
 * adds a newline, and is one write() if standard error takes it at once. */
void say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_if(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Shows a line without a newline while a step takes long, if standard error is a terminal.  Messages erase
 * it.  Other code that writes to the terminal calls say_progress_end() first.
 */
void say_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_progress_end(void);

#endif
