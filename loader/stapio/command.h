/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -c CMD: a child that exists, and so has a pid, before it becomes the command. */
#ifndef STAP_COMMAND_H
#define STAP_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct command {
	pid_t pid;
	int hold;			/* pipe the child waits on */
	int pidfd;			/* readable when it ended */
};

/* 0, or -1 after a message. */
int command_hold(struct command *c, const char *text);

/* Lets it become the command: the probes are armed. */
void command_release(struct command *c);

/* It ended: warns if not well.  Did it end well? */
bool command_ended(struct command *c);

#endif
