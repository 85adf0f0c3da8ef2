// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the commands of system() (jobs.h). */
#define _GNU_SOURCE
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/say.h"
#include "common/signals.h"
#include "common/syscalls.h"

/* Executes the command, in the child.  PRIORITY is stapio's: the child has inherited the reader thread's,
 * which is higher (reader.c). */
static void run(int out, const char *text, int priority)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
	setpriority(PRIO_PROCESS, 0, priority);
	signals_restore();
	execl("/bin/sh", "sh", "-c", text, NULL);
	say_error("system(): can't run /bin/sh: %s", strerror(errno));
	_exit(127);
}

static void forget_ended(struct jobs *j)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < j->n; i++)
		if (!waitpid(j->pids[i], NULL, WNOHANG))
			j->pids[kept++] = j->pids[i];
	j->n = kept;
}

void jobs_start(struct jobs *j, int out, const char *command, size_t length)
{
	int priority = getpriority(PRIO_PROCESS, getpid());

	forget_ended(j);
	if (j->n == JOBS_MOST) {
		say_warning("system(): %d commands run already; this one is left out: %.*s",
			    JOBS_MOST, (int)length, command);
		return;
	}
	char *text = strndup(command, length);
	pid_t pid = text ? fork() : -1;

	if (!pid)
		run(out, text, priority);
	if (pid < 0)
		say_warning("system(): can't start a process: %s", strerror(errno));
	else
		j->pids[j->n++] = pid;
	free(text);
}

void jobs_wait(struct jobs *j, int signals)
{
	for (; j->n; j->n--) {
		pid_t pid = j->pids[j->n - 1];
		struct pollfd pf[] = {
			{ .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN },
			{ .fd = signals, .events = POLLIN },
		};

		while (poll(pf, 2, -1) < 0 && errno == EINTR)
			;
		close(pf[0].fd);
		if (pf[1].revents)
			return;
		waitpid(pid, NULL, 0);
	}
}
