// SPDX-License-Identifier: GPL-2.0-or-later
/* The guardian's process, and staprun's messages to it. */
#define _GNU_SOURCE
#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/control.h"
#include "common/module.h"
#include "common/syscalls.h"

#define DRAIN_MS 400			/* for stapio, after the end probes ran */
#define REMOVE_MS 10000

void guardian_relay(struct guardian *g, pid_t stapio)
{
	/* This fails only if the guardian was killed; staprun cleans up anyway. */
	while (write(g->pipe, &stapio, sizeof(stapio)) < 0 && errno == EINTR)
		;
}

void guardian_leave(const struct guardian *g)
{
	close(g->pipe);
}

/* SIGKILL ends it even if it was stopped. */
void guardian_dismiss(struct guardian *g)
{
	kill(g->pid, SIGKILL);
	close(g->pipe);
	waitpid(g->pid, NULL, 0);
}

/* Did this staprun load the module?  Another session may use its name by now. */
static bool was_loaded_by(int control, pid_t staprun)
{
	struct control_state st;
	bool its = !control_state(control, &st) &&
		   control_counter(&st, "loader") == (uint64_t)staprun;

	control_state_free(&st);
	return its;
}

/* Gives stapio a moment to relay the rest of the output. */
static void end_stapio(int stapio)
{
	struct pollfd pf = { .fd = stapio, .events = POLLIN };

	if (stapio < 0 || poll(&pf, 1, DRAIN_MS))
		return;
	syscall(SYS_pidfd_send_signal, stapio, SIGKILL, NULL, 0);
	poll(&pf, 1, REMOVE_MS);
}

/* After staprun was killed: stops and removes its module, if it is loaded. */
static void clean_up(const char *module, pid_t staprun, int stapio)
{
	int control = control_open(module, ST_FILE_CONTROL, O_RDWR);
	char why[256];

	if (control < 0 || !was_loaded_by(control, staprun))
		return;
	control_send(control, why, sizeof(why), "stop");
	end_stapio(stapio);
	module_remove(module, control, REMOVE_MS);
}

static void stand_guard(int from, const char *module, pid_t staprun)
{
	int stapio = -1;
	pid_t pid;
	ssize_t n;

	for (;;) {
		n = read(from, &pid, sizeof(pid));
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(pid))
			break;
		stapio = syscall(SYS_pidfd_open, pid, 0);
	}
	clean_up(module, staprun, stapio);
}

/* Detaches from the parent's terminal, signals and limits, so that only SIGKILL ends us; and
 * closes its descriptors, so that nobody waits for an end of file because of us. */
static void become_guardian(int from)
{
	struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	setrlimit(RLIMIT_CPU, &none);
	setpriority(PRIO_PROCESS, 0, -20);
	prctl(PR_SET_NAME, "stap-guardian");
	dup2(from, 3);
	syscall(SYS_close_range, 4, ~0u, 0);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	open("/dev/null", O_RDWR);
	dup2(0, 1);
	dup2(0, 2);
	if (chdir("/"))
		return;
}

int guardian_start(struct guardian *g, const char *module)
{
	pid_t staprun = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	g->pid = fork();
	if (g->pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (!g->pid) {
		close(ends[1]);
		become_guardian(ends[0]);
		stand_guard(3, module, staprun);
		_exit(0);
	}
	close(ends[0]);
	g->pipe = ends[1];
	return 0;
}
