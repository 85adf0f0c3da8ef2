/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guardian: a process that removes the module when staprun can't any more.
 *
 * It is in a session of its own, holds nothing of its parent's but one pipe, and
 * sleeps until the pipe's other end is gone: a SIGKILL of staprun.  Then it has
 * the module run its end probes, lets stapio relay what they print for a moment,
 * and removes the module, within a second.
 */
#ifndef STAP_GUARDIAN_H
#define STAP_GUARDIAN_H

#include <sys/types.h>

struct guardian {
	int pipe;			/* to it; closed on exec */
	pid_t pid;
};

/* Started when it is clear that no module has this name, just before ours is
 * inserted.  0, or -1 with errno. */
int guardian_start(struct guardian *g, const char *module);

/* The process that relays the output. */
void guardian_relay(struct guardian *g, pid_t stapio);

/* staprun has cleaned up: the guardian leaves. */
void guardian_dismiss(struct guardian *g);

#endif
