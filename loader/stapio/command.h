/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -c CMD.  The child process exists, and so has a pid for target(), before it executes the
 * command:
 *
 *	command_hold(&c, "ls -l");	forks; the child waits
 *	…				start the session with target() = c.pid
 *	command_release(&c);		the child executes ls
 */
#ifndef STAP_COMMAND_H
#define STAP_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct command {
	pid_t pid;
	int hold;			/* the pipe on which the child waits */
	int pidfd;			/* readable when it has ended */
	int status;			/* waitpid()'s */
};

/* False after a message.  stapio and staprun end with the status
 * COMMAND_NOT_FOUND (common/control.h) then. */
bool command_exists(const char *text);

/* 0, or -1 after a message. */
int command_hold(struct command *c, const char *text);

/* Lets the child execute the command, once the probes are armed. */
void command_release(struct command *c);

/* The command has ended: takes its status, so that no process of its number is left. */
void command_reap(struct command *c);

/* Then: was its status 0?  Warns if not. */
bool command_succeeded(const struct command *c);

#endif
