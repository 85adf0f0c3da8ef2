/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of system(): each is run by sh -c, in the background, as the user who runs
 * stapio, when the record of the call is read.
 *
 *	jobs_start(&j, fd, "date", 4);	what it prints goes to fd
 *	…
 *	jobs_wait(&j, signals);		at the end
 *
 * The text is one argument of sh: nothing outside this file makes it longer.  Its standard input
 * is empty, and it inherits none of our files but standard error.
 */
#ifndef STAP_JOBS_H
#define STAP_JOBS_H

#include <stddef.h>
#include <sys/types.h>

/* So many run at a time: a script that runs one at each hit must not fill the process table. */
#define JOBS_MOST 64

/* Begins zeroed. */
struct jobs {
	pid_t pids[JOBS_MOST];
	unsigned int n;
};

/* Starts a command; a message if it can't be. */
void jobs_start(struct jobs *j, int out, const char *command, size_t length);

/* Waits until all have ended, or a signal comes on the signalfd SIGNALS: then they go on alone. */
void jobs_wait(struct jobs *j, int signals);

#endif
