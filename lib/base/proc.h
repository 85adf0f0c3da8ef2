/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs other programs without a shell, and waits for them. */
#ifndef STAP_BASE_PROC_H
#define STAP_BASE_PROC_H

#include <stdbool.h>

#include "sbuf.h"
#include "vec.h"

/* A program to run. */
struct proc {
	char *const *argv;		/* argv[0] is searched in envp's PATH */
	char *const *envp;
	const char *cwd;		/* NULL: the current directory */
	void (*line)(const char *line, void *arg);	/* called for each line of output; may be
							   NULL */
	void *arg;
	size_t most;			/* bytes of output that are kept; 0: all */
};

/*
 * Runs a program to its end with standard input from /dev/null, and appends its
 * standard output and error to OUTPUT.  Returns its exit status, 128 + N if
 * signal N killed it, or 127 if it could not be started (OUTPUT then says why).
 */
int proc_run(const struct proc *p, struct sbuf *output);

/*
 * Runs WORK(ARG), which returns 0 or -1, in a child process while the caller goes on.
 * proc_join() waits for its end and returns what WORK returned; -1 if it was killed.  If no
 * process can be made, proc_join() runs WORK itself.  One child at a time.
 */
void proc_beside(int (*work)(void *), void *arg);
int proc_join(void);

/*
 * Between these calls SIGINT, SIGTERM and SIGHUP don't end this process: they
 * are sent to the programs that run, and proc_run() starts no other.  So the
 * caller can remove its files. proc_release_signals() restores the previous
 * handlers, raises the signal that came, and returns it (0: none).
 */
void proc_hold_signals(void);
int proc_release_signals(void);

/*
 * Returns the signal that came since proc_hold_signals(), or 0.  A caller that
 * was interrupted prints no error.
 */
int proc_interrupted(void);

/*
 * Returns the absolute path of NAME in PATH's directories, as execvp() would
 * find it, or NULL.  Relative elements of PATH are skipped; a NAME with a '/'
 * is returned as it is.  In the arena.
 */
const char *proc_find(const char *name, const char *path);

/*
 * Appends the words of LINE, split and expanded as a shell does, but no commands
 * are run.  Returns false, with nothing appended, if a shell would reject it.
 */
bool proc_shell_words(const char *line, text_list *words);

/* Returns the value of NAME in an environment, or NULL. */
const char *proc_env_value(char *const *envp, const char *name);

#endif
