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
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "passes.h"
#include "session.h"
#include "vm.h"

static volatile pid_t child;

/* A signal from the terminal (si_code SI_KERNEL) has reached the child already. */
static void hand_on(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (child > 0 && info->si_code != SI_KERNEL)
		kill(child, sig);
}

/*
 * Finds a program of stap's: GIVEN by the user, beside this one in a build tree,
 * or in the installed directory.
 */
static const char *companion(const char *name, const char *given)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (given && *given)
		return given;
	if (n > 0) {
		self[n] = 0;
		*strrchr(self, '/') = 0;

		const char *path = arena_printf("%s/%s", self, name);

		if (!access(path, X_OK))
			return path;
	}
	return arena_printf("%s/%s", STAP_BINDIR, name);
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
static bool flame_start(struct flame *f, const char *picture)
{
	const char *program = companion("stap-flame", NULL);
	int ends[2];

	f->pid = 0;
	if (!picture)
		return true;
	if (pipe2(ends, O_CLOEXEC) || (f->pid = fork()) < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", program, strerror(errno));
		return false;
	}
	if (!f->pid) {
		dup2(ends[0], STDIN_FILENO);
		execl(program, program, "-o", picture, NULL);
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

int run_module(struct session *s)
{
	static const int handed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	words w = command_line(s);
	struct sigaction sa = { .sa_sigaction = hand_on, .sa_flags = SA_SIGINFO };
	struct flame flame;
	int status, drawn;

	fflush(NULL);
	if (!flame_start(&flame, s->options.flamegraph))
		return 1;
	child = fork();
	if (child < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", w.v[0], strerror(errno));
		return 1;
	}
	if (!child) {
		if (flame.pid)
			dup2(flame.fd, STDOUT_FILENO);
		if (s->options.vm) {
			vm_exec(s, w.v);
			_exit(127);
		}
		execv(w.v[0], w.v);
		fprintf(stderr, "ERROR: can't start %s: %s\n", w.v[0], strerror(errno));
		_exit(127);
	}
	for (size_t i = 0; i < sizeof(handed_on) / sizeof(handed_on[0]); i++)
		sigaction(handed_on[i], &sa, NULL);

	status = wait_for(child);
	child = 0;
	drawn = flame_end(&flame);
	return status ? status : drawn;
}
