/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the commands of system().  When stapio reads the record of such a call, it starts "sh -c
 * COMMAND" in the background, as the user who runs stapio.
 *
 *	jobs_start(&j, fd, "date", 4);	date prints to fd
 *	…
 *	jobs_wait(&j, signals);		at the end of the session
 *
 * A command's standard input is empty; of our descriptors it inherits only standard error.
 */
#ifndef STAP_JOBS_H
#define STAP_JOBS_H

#include <stddef.h>
#include <sys/types.h>

/* The commands that may run at once.  Without a limit, system() at each hit fills the process table. */
#define JOBS_MOST 64

/* The running commands.  Zero it before use. */
struct jobs {
	pid_t pids[JOBS_MOST];
	unsigned int n;
};

/* Starts COMMAND, of LENGTH bytes, with the standard output OUT.  Warns if it can't be started. */
void jobs_start(struct jobs *j, int out, const char *command, size_t length);

/* Waits until all commands have ended.  A signal on the signalfd SIGNALS ends the wait, but not the
 * commands. */
void jobs_wait(struct jobs *j, int signals);

#endif
