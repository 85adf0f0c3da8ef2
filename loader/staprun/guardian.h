/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guardian: a process that removes the module when staprun was killed.
 *
 * It is in a session of its own, holds only one pipe of its parent's, and sleeps until
 * the pipe's other end is closed, because staprun got a SIGKILL.  Then it makes the module run
 * its end probes, gives stapio a moment to relay their output, and removes the module, all
 * within a second.
 */
#ifndef STAP_GUARDIAN_H
#define STAP_GUARDIAN_H

#include <sys/types.h>

struct guardian {
	int pipe;			/* to the guardian; closed on exec */
	pid_t pid;
};

/* Starts the guardian: 0, or -1 with errno.  Called when no module has this name, just before ours
 * is inserted. */
int guardian_start(struct guardian *g, const char *module);

/* Tells the guardian which process relays the output. */
void guardian_relay(struct guardian *g, pid_t stapio);

/* Lets go of the pipe in a child: one that is stopped would keep the guardian from noticing
 * staprun's end. */
void guardian_leave(const struct guardian *g);

/* Kills the guardian, when staprun has cleaned up. */
void guardian_dismiss(struct guardian *g);

#endif
