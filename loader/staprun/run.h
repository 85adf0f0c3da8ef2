/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of staprun: what its arguments say, and the session that it holds.
 *
 *	take_arguments(&r, argc, argv);			options.c
 *	module_read(&r.file, "reads.ko");
 *	status = run_new(&r);				arm.c: inserts the module, then calls
 *		open_module(&r);			attach.c
 *		tell_module(&r);			tell.c
 *		start_stapio(&r);			attach.c
 *		status = wait_for_stapio(&r);		attach.c
 *
 * Each file says which privilege it needs.  A function that returns -1, or 1 as an exit status, has
 * printed a message.
 */
#ifndef STAP_RUN_H
#define STAP_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/module.h"
#include "relayed.h"

/* Reads a module that is for the running kernel into *M: 0, or -1 after a message. */
typedef int choose_module(struct module_file *m);

/* A run: what its arguments say, and the session that it holds. */
struct run {
	choose_module *choose;		/* in a bundle; NULL: the arguments name the module's file */

	/* what the arguments say; texts are the caller's */
	const char *module;		/* as given; NULL with -k, and maybe with --list and CHOOSE */
	char **set;			/* "name=value"s for the script's globals; malloc'ed */
	int nset;
	long buffer_mb;			/* 0: the module's default */
	long parent;			/* -P: end when this process has ended */
	bool program;			/* 'module' is an intermediate program's file */
	bool remove;			/* -d */
	bool sweep;			/* -k */
	bool list;			/* --list */
	bool leave;			/* -L: start the module, and detach */
	bool daemon;			/* -D */
	bool rename;			/* -R */
	long namespaces;		/* -N */
	const char *cgroup, *container;	/* --cgroup, --container; at most one */
	bool follow;			/* --follow */
	long gather_ms;			/* -T, in ms */
	struct relayed relayed;		/* those that stapio gets too */

	const char *root;		/* where the module's programs are, "/proc/PID/root" of
					   --container; NULL until they are told, and for our own */
	bool by_auth;			/* we have no rights; staprun-auth has (auth.h) */

	/* what stapio gets back: our caller's environment and umask */
	char **environment;
	mode_t umask;

	/* the session; descriptors are -1 while they are not open */
	struct module_file file;
	int signals;			/* signals_open() */
	int control, trace, formats, programs;	/* the module's files */
	int daemon_fd;			/* -D: our caller waits at the pipe's other end */
	int parent_fd;			/* -P: a pidfd */
	pid_t stapio;
	int stapio_fd, self_fd;		/* pidfds; stapio inherits self_fd, to notice our end */
	int killed_by;			/* the signal that ended stapio, or 0 */
};

/*
 * The program staprun.  With CHOOSE it is part of a bundle, and its arguments name no module to
 * load.
 */
int staprun(int argc, char **argv, choose_module *choose);

/* Reads the arguments, and moves *ARGV's words.  Exits after a message if they make no sense. */
void take_arguments(struct run *r, int argc, char **argv);

/* Sends the module one command.  0, or -1. */
int tell(struct run *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sends the module all that it has to be told before its start.  0, or -1. */
int tell_module(struct run *r);

/* Opens the module's files.  0, or -1. */
int open_module(struct run *r);

/* Closes the trace, and drops its lock on the module, if it is still open. */
void close_trace(struct run *r);

/* Runs an intermediate program: becomes stapio, with the rights of the user.  Returns 1 after a message. */
int run_file(const struct run *r);

/* Starts stapio, which takes over the module's files but for .control.  0, or -1. */
int start_stapio(struct run *r);

/* Waits for stapio, and ends the session at a signal or at our caller's end.  Returns stapio's status. */
int wait_for_stapio(struct run *r);

/* Prints a message if stapio was killed. */
void say_how_stapio_ended(const struct run *r);

/* Did stapio, whose exit status is STATUS, begin to read?  If not, all that the module has kept is still
 * there. */
bool stapio_read_nothing(const struct run *r, int status);

/* Run the session of a module that is to be inserted, and of one that was left running (-A).  Return the
 * exit status. */
int run_new(struct run *r);
int run_attached(struct run *r);

#endif
