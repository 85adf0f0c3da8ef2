// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 5: staprun runs the module, here or in a throw-away guest.
 *
 * stap itself only waits.  The terminal sends its signals to the children as
 * well; a signal sent to stap alone is passed on to them.
 */
#include <errno.h>
#include <signal.h>
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
 * Finds a program of stap's: beside this one in a build tree, else in the
 * installed directory.
 */
static const char *companion(const char *name)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

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

	add(&w, companion("staprun"));
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
	add_option(&w, "-T", s->options.timeout);
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

int run_module(struct session *s)
{
	static const int handed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	words w = command_line(s);
	struct sigaction sa = { .sa_sigaction = hand_on, .sa_flags = SA_SIGINFO };

	fflush(NULL);
	child = fork();
	if (child < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", w.v[0], strerror(errno));
		return 1;
	}
	if (!child) {
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

	int status = wait_for(child);

	child = 0;
	return status;
}
