/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other programs: run to their end, without a shell.
 */
#ifndef STAP_BASE_PROC_H
#define STAP_BASE_PROC_H

#include <stdbool.h>

#include "sbuf.h"

/* A program to run to its end, without a shell. */
struct proc {
	char *const *argv;		/* argv[0] is looked up in envp's PATH */
	char *const *envp;
	const char *cwd;		/* NULL: stay */
	void (*line)(const char *line, void *arg);	/* each line it prints, or NULL */
	void *arg;
};

/*
 * Runs it; what it prints (standard output and error) is appended to output.
 * Returns its exit status, 128 + signal, or 127 when it can't be started.
 */
int proc_run(const struct proc *p, struct sbuf *output);

/*
 * Between the two, an interrupt ends the program that runs and keeps others from
 * starting, instead of ending us: there are files to remove.  The second gives
 * the signal that came, or 0, and hands it to whoever took signals before.
 */
void proc_hold_signals(void);
int proc_release_signals(void);

/* The signal that came since proc_hold_signals(): nobody wants a message then. */
int proc_interrupted(void);

/* The program's path as execvp() would find it in PATH, in the arena; or NULL. */
const char *proc_find(const char *name, const char *path);

/* NAME's value in an environment, or NULL. */
const char *env_value(char *const *envp, const char *name);

#endif
