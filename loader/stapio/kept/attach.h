/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what a kept session has printed (kept.h), ends it, or lists those that there are:
 *
 *	stapio --attach NAME [--stamped]	what was not read yet, and then what comes; SIGINT, SIGTERM or SIGHUP
 *						ends that, and the session goes on
 *	stapio --stop NAME [--stamped]		the same, but ends the session first
 *	stapio --sessions [--stamped]
 *
 * When a session has ended and all was read, its directory is removed, and the exit status is the session's.  A NAME
 * with a slash is the path of a directory, another user's for root.  If standard output takes no more, nothing
 * but the reader waits.
 */
#ifndef STAP_KEPT_ATTACH_H
#define STAP_KEPT_ATTACH_H

#include <stdbool.h>

/* Is it the first argument of such a command? */
bool attach_takes(const char *argument);

/* Follows the command; returns the exit status. */
int attach(int argc, char **argv);

#endif
