/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun --list: the sessions on this machine, as their modules report them. */
#ifndef STAP_LIST_H
#define STAP_LIST_H

#include <stdbool.h>

/*
 * Prints the session of the module NAME, or all sessions if it is NULL; with PLACES, each place
 * that it probes.  Returns 0, or 1 after a message.
 */
int list_sessions(const char *name, bool places);

#endif
