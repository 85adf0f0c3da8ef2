/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a script runs: this machine (local.c), a throw-away guest (vm.c), or a child of stap's, which
 * interprets it (process.c).
 *
 * staprun does the same work on each of them; a machine says how its command line differs:
 *
 *	this machine	staprun -o OUT -P 4711 -c CMD x.ko
 *	a guest		stap-vm -r 6.1.0 -- staprun -c CMD x.ko
 *			begin()             staprun's own, with output() where they are -P
 *
 * run.c calls begin() and output() as it puts the command line together, forks, and calls enter() in
 * the child, which then executes the command line.  stap waits for the child, hands signals on to it
 * and takes its exit status for the script's: what begin() adds must pass both on.
 *
 * A machine is a constant.  A function that is NULL has nothing to do there.
 */
#ifndef STAP_RUN_MACHINE_H
#define STAP_RUN_MACHINE_H

#include <stdbool.h>
#include <sys/types.h>

struct command;
struct session;

/* A machine that scripts can run on. */
struct machine {
	/* Adds the words before staprun's: a program that runs the rest there. */
	void (*begin)(struct command *c, const struct session *s);

	/* Adds options of staprun's that say what ends it, besides the script: -D, -L and -P. */
	void (*output)(struct command *c, const struct session *s);

	/*
	 * Prepares the child of PARENT, stap's process, for the command line; standard output is
	 * connected already.  Returns false if the child must end: after a message, or because
	 * PARENT has ended.
	 */
	bool (*enter)(const struct session *s, pid_t parent);

	bool files;	/* -o and -S name files there; else stap itself writes what comes to standard output */
};

extern const struct machine this_machine, guest_machine, this_process;

#endif
