/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader's messages to its user, on standard error, in SystemTap's wording. */
#ifndef STAP_SAY_H
#define STAP_SAY_H

#include <stdbool.h>

extern int say_verbose;		/* -v: how often it was given */
extern bool say_no_warnings;	/* -w */

/* How many milliseconds a message waits if standard error is a pipe that nobody empties; -1:
 * for ever. */
extern int say_wait_ms;

/* Print "ERROR: …", "WARNING: …" (not with -w), and, if -v was given LEVEL times, a plain line.
 * Each adds a newline, and is one write where standard error takes one. */
void say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_if(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Shows a line without a newline while something takes long, if standard error is a terminal.  Messages
 * erase it, and whoever else writes to the terminal calls say_progress_end() before that.
 */
void say_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_progress_end(void);

#endif
