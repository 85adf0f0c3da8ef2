// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 5: staprun runs the module, on the machine that the user chose (machine.h); or stapio runs the
 * intermediate program.
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
#include "run/command.h"
#include "run/machine.h"
#include "run/run.h"
#include "session.h"

static const int handed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
#define HANDED_ON (sizeof(handed_on) / sizeof(*handed_on))

static volatile pid_t child;

/*
 * Sends a signal to the child.  One from the terminal (si_code SI_KERNEL) has reached it already.
 */
static void hand_on(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (child > 0 && info->si_code != SI_KERNEL)
		kill(child, sig);
}

/*
 * Lets signals end a child before it executes its program, including signals that came meanwhile.
 */
static void become_child(const sigset_t *before)
{
	struct sigaction old;

	session_end_guarded();
	for (size_t i = 0; i < HANDED_ON; i++)
		if (!sigaction(handed_on[i], NULL, &old) && old.sa_handler != SIG_IGN)
			signal(handed_on[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* Executes ARGV in a child, or ends the child after a message. */
static _Noreturn void execute(char *const argv[])
{
	execv(argv[0], argv);
	fprintf(stderr, "ERROR: can't start %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* The options that stapio gets, too: those of stap that are handed on, and those that stand for others. */
static void add_relayed(struct command *c, const struct session *s, enum relayed_for who, bool files)
{
	struct relayed r = s->options.relayed;
	const char *words[RELAYED_WORDS];
	int n;

	r.verbose = s->verbose > 1;
	r.no_warnings = diag_no_warnings;
	r.format = s->options.json || s->options.merge ? "json" : s->options.bulk ? "bulk"
		 : s->options.container_prefix ? "containers" : NULL;
	r.untimed = s->options.suppress_time_limits;
	if (!files)
		r.output = NULL;
	if (!files && !r.detach)
		r.size = NULL;
	n = relayed_words(&r, who, words);
	for (int i = 0; i < n; i++)
		command_add(c, words[i]);
}

void run_module_options(struct command *c, const struct session *s)
{
	if (s->options.namespaces_pid)
		command_option(c, "-N", arena_printf("%ld", s->options.namespaces_pid));
	command_option(c, "--cgroup", s->options.cgroup);
	command_option(c, "--container", s->options.container);
	if (s->options.follow)
		command_add(c, "--follow");
	command_option(c, "-s", s->options.buffer_mb);
}

void run_options(struct command *c, const struct session *s)
{
	add_relayed(c, s, s->engine == ENGINE_MODULE ? FOR_STAPRUN : FOR_STAPIO, false);
}

static void add_staprun(struct command *c, const struct session *s, const struct machine *m)
{
	command_add(c, command_program("staprun", getenv("SYSTEMTAP_STAPRUN")));
	if (m->output)
		m->output(c, s);
	add_relayed(c, s, FOR_STAPRUN, m->files);
	run_module_options(c, s);
	command_add(c, s->ko_file);
}

static void add_stapio(struct command *c, const struct session *s, const struct machine *m)
{
	command_add(c, command_helper("stapio"));
	add_relayed(c, s, FOR_STAPIO, m->files);
	command_add(c, s->program_file);
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

/* Starts stap-flame if it is wanted.  Returns false after a message. */
static bool flame_start(struct flame *f, const struct options *o, const sigset_t *before)
{
	struct command c = { 0 };
	int ends[2];

	f->pid = 0;
	if (!o->flamegraph)
		return true;
	command_add(&c, command_program("stap-flame", NULL));
	command_option(&c, "-t", o->flame_title);
	command_option(&c, "-u", o->flame_unit);
	command_option(&c, "-o", o->flamegraph);
	if (pipe2(ends, O_CLOEXEC) || (f->pid = fork()) < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", c.words.v[0], strerror(errno));
		return false;
	}
	if (!f->pid) {
		become_child(before);
		dup2(ends[0], STDIN_FILENO);
		execute(command_argv(&c));
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

static const struct machine *machine_of(const struct session *s)
{
	if (s->engine != ENGINE_MODULE && !s->options.vm)
		return &this_process;
	return s->options.vm ? &guest_machine : &this_machine;
}

/* Starts staprun, and what reads its output; false after a message.  BEFORE are the signals blocked
 * before. */
static bool start(struct session *s, struct flame *flame, const sigset_t *before)
{
	const struct machine *m = machine_of(s);
	pid_t parent = getpid();
	struct command c = { 0 };

	if (m->begin)
		m->begin(&c, s);
	if (s->engine != ENGINE_MODULE)
		add_stapio(&c, s, m);
	else
		add_staprun(&c, s, m);
	if (!flame_start(flame, &s->options, before))
		return false;
	child = fork();
	if (child < 0) {
		diag(DIAG_ERROR, "can't start %s: %s", c.words.v[0], strerror(errno));
		return false;
	}
	if (child)
		return true;
	become_child(before);
	if (flame->pid)
		dup2(flame->fd, STDOUT_FILENO);
	if (m->enter && !m->enter(s, parent))
		_exit(127);
	execute(command_argv(&c));
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
	/*
	 * A signal that comes after the check of the noted ones waits until there is a child to
	 * send it to.
	 */
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

void run_attach_options(struct command *c, const struct session *s)
{
	const struct options *o = &s->options;

	if (o->sessions) {
		command_add(c, "--sessions");
		return;
	}
	command_option(c, "--attach", o->attach);
	command_option(c, "--stop", o->stop);
}

void run_attach(const struct session *s)
{
	struct command c = { 0 };

	command_add(&c, command_helper("stapio"));
	run_attach_options(&c, s);
	fflush(NULL);
	session_end_guarded();
	execute(command_argv(&c));
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
