/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the command of -c.  target() is the command's pid, and the script must see the command's
 * first instruction: so stapio forks first, starts the session, and only then lets the child
 * execute the command.
 *
 *	command_hold(&c, "ls -l");	forks; the child waits
 *	…				starts the session with target() = c.pid
 *	command_release(&c);		the child executes ls
 */
#ifndef STAP_COMMAND_H
#define STAP_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/* The child process of -c. */
struct command {
	pid_t pid;
	int hold;			/* writing to this pipe lets the child go on */
	int pidfd;			/* readable when the child has ended */
	int status;			/* from waitpid(), once it is reaped */
};

/* Can the command of TEXT be found?  Returns false after a message; stapio and staprun then exit
 * with COMMAND_NOT_FOUND (common/control.h). */
bool command_exists(const char *text);

/* Forks the child, which waits for command_release().  Returns 0, or -1 after a message. */
int command_hold(struct command *c, const char *text);

/* Lets the child execute the command.  Call it once the probes are armed. */
void command_release(struct command *c);

/* Waits for the child, which has ended, and keeps its status. */
void command_reap(struct command *c);

/* Was the reaped command's exit status 0?  Warns if it wasn't. */
bool command_succeeded(const struct command *c);

#endif
