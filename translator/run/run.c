// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 5: staprun runs the module, here or in a throw-away guest.
 *
 * stap itself only waits.  The terminal sends its signals to the children as
 * well; a signal sent to stap alone is passed on to them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/self.h"
#include "run/run.h"
#include "session.h"
#include "run/vm.h"

static const int handed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
#define HANDED_ON (sizeof(handed_on) / sizeof(*handed_on))

static volatile pid_t child;

/* A signal from the terminal (si_code SI_KERNEL) has reached the child already. */
static void hand_on(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (child > 0 && info->si_code != SI_KERNEL)
		kill(child, sig);
}

/* Lets signals end a child before it executes its program, those too that have come meanwhile. */
static void become_child(const sigset_t *before)
{
	struct sigaction old;

	session_end_guarded();
	for (size_t i = 0; i < HANDED_ON; i++)
		if (!sigaction(handed_on[i], NULL, &old) && old.sa_handler != SIG_IGN)
			signal(handed_on[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/*
 * Finds a program of stap's: GIVEN by the user, beside this one in a build tree,
 * or in the installed directory.
 */
static const char *companion(const char *name, const char *given)
{
	char path[PATH_MAX];

	if (given && *given)
		return given;
	return self_beside(name, path) ? arena_strdup(path)
				       : arena_printf("%s/%s", STAP_BINDIR, name);
}

typedef vec(char *) words;

static void add(words *w, const char *word)
{
	vec_push(w, arena_strdup(word));
}

static void add_option(words *w, const char *option, const char *value)
{
	if (!value)
		return;
	add(w, option);
	add(w, value);
}

static words command_line(const struct session *s)
{
	words w = { 0 };

	add(&w, companion("staprun", getenv("SYSTEMTAP_STAPRUN")));
	if (s->verbose > 1)
		add(&w, "-v");
	if (diag_no_warnings)
		add(&w, "-w");
	if (!s->options.vm) {		/* the host writes --vm's files and ends its guest */
		add_option(&w, "-o", s->options.output_file);
		add_option(&w, "-S", s->options.output_size);
		if (s->options.flight)
			add(&w, s->options.output_file ? "-D" : "-L");
		else
			add_option(&w, "-P", arena_printf("%d", getpid()));
	}
	add_option(&w, "-c", s->options.command);
	if (s->options.target_pid)
		add_option(&w, "-x", arena_printf("%ld", s->options.target_pid));
	add_option(&w, "--end-after", s->options.timeout);
	if (s->options.namespaces_pid)
		add_option(&w, "-N", arena_printf("%ld", s->options.namespaces_pid));
	add_option(&w, "-s", s->options.buffer_mb);
	add(&w, s->ko_file);
	vec_push(&w, NULL);
	return w;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

/* --flamegraph: stap-flame, and the pipe that it reads. */
struct flame {
	pid_t pid;			/* 0: it isn't wanted */
	int fd;
};

/* Starts it, if it is wanted; false after a message. */
static bool flame_start(struct flame *f, const struct options *o, const sigset_t *before)
{
	const char *program = companion("stap-flame", NULL);
	int ends[2];

	f->pid = 0;
	if (!o->flamegraph)
		return true;
	if (pipe2(ends, O_CLOEXEC) || (f->pid = fork()) < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", program, strerror(errno));
		return false;
	}
	if (!f->pid) {
		become_child(before);
		dup2(ends[0], STDIN_FILENO);
		execl(program, program, "-t", o->flame_title, "-u", o->flame_unit, "-o", o->flamegraph,
		      NULL);
		fprintf(stderr, "ERROR: can't start %s: %s\n", program, strerror(errno));
		_exit(127);
	}
	close(ends[0]);
	f->fd = ends[1];
	return true;
}

/* Waits until the picture is drawn; returns 0, or an exit status. */
static int flame_end(struct flame *f)
{
	if (!f->pid)
		return 0;
	close(f->fd);
	return wait_for(f->pid);
}

/* Starts staprun, here or in a guest, and what reads its output; false after a message.  BEFORE are
 * the signals blocked before. */
static bool start(struct session *s, struct flame *flame, const sigset_t *before)
{
	words w = command_line(s);
	pid_t parent = getpid();

	if (!flame_start(flame, &s->options, before))
		return false;
	child = fork();
	if (child < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", w.v[0], strerror(errno));
		return false;
	}
	if (child)
		return true;
	become_child(before);
	if (flame->pid)
		dup2(flame->fd, STDOUT_FILENO);
	if (s->options.vm) {
		vm_exec(s, parent, w.v);
		_exit(127);
	}
	execv(w.v[0], w.v);
	fprintf(stderr, "ERROR: can't start %s: %s\n", w.v[0], strerror(errno));
	_exit(127);
}

/* Starts all, and hands signals on from then on.  Returns 0, or an exit status. */
static int start_unless_interrupted(struct session *s, struct flame *flame)
{
	struct sigaction sa = { .sa_sigaction = hand_on, .sa_flags = SA_SIGINFO };
	sigset_t set, before;
	int status = 0;

	sigemptyset(&set);
	for (size_t i = 0; i < HANDED_ON; i++)
		sigaddset(&set, handed_on[i]);
	/* A signal that comes after the look at those noted waits until there is somebody to
	 * hand it on to. */
	sigprocmask(SIG_BLOCK, &set, &before);
	if (session_interrupted())
		status = 128 + session_interrupted();
	else if (!start(s, flame, &before))
		status = 1;
	for (size_t i = 0; !status && i < HANDED_ON; i++)
		sigaction(handed_on[i], &sa, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

int run_module(struct session *s)
{
	struct flame flame;
	int status, drawn;

	fflush(NULL);
	status = start_unless_interrupted(s, &flame);
	if (status)
		return status;
	status = wait_for(child);
	child = 0;
	drawn = flame_end(&flame);
	return status ? status : drawn;
}
