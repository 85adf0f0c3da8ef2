// SPDX-License-Identifier: GPL-2.0-or-later
/* The guardian's process and what staprun tells it. */
#define _GNU_SOURCE
#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "module.h"
#include "syscalls.h"

#define DRAIN_MS 400			/* for stapio, after the end probes ran */
#define REMOVE_MS 10000

struct message {
	enum { RELAY, DISMISS } what;
	pid_t pid;
};

static void tell(struct guardian *g, struct message m)
{
	/* It fails only when the guardian was killed; staprun cleans up by itself. */
	while (write(g->pipe, &m, sizeof(m)) < 0 && errno == EINTR)
		;
}

void guardian_relay(struct guardian *g, pid_t stapio)
{
	tell(g, (struct message){ .what = RELAY, .pid = stapio });
}

void guardian_dismiss(struct guardian *g)
{
	tell(g, (struct message){ .what = DISMISS });
	close(g->pipe);
	waitpid(g->pid, NULL, 0);
}

/* staprun is gone and the module is there. */
static void clean_up(const char *module, int stapio)
{
	char why[256];
	int control = control_open(module, ST_FILE_CONTROL, O_RDWR);

	if (control >= 0) {
		control_send(control, why, sizeof(why), "stop");
		close(control);
	}
	if (stapio >= 0) {
		struct pollfd pf = { .fd = stapio, .events = POLLIN };

		if (poll(&pf, 1, DRAIN_MS) == 0)
			syscall(SYS_pidfd_send_signal, stapio, SIGKILL, NULL, 0);
	}
	module_remove(module, REMOVE_MS);
}

static void stand_guard(int from, const char *module)
{
	int stapio = -1;
	struct message m;
	ssize_t n;

	for (;;) {
		n = read(from, &m, sizeof(m));
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(m))
			break;
		if (m.what == DISMISS)
			return;
		stapio = syscall(SYS_pidfd_open, m.pid, 0);
	}
	clean_up(module, stapio);
}

/* Nothing the parent, its terminal or its limits can do reaches us but SIGKILL;
 * and nobody waits for an end of file of a descriptor we hold. */
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
		stand_guard(3, module);
		_exit(0);
	}
	close(ends[0]);
	g->pipe = ends[1];
	return 0;
}
