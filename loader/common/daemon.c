// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

int daemon_begin(const char *name)
{
	int ends[2], status;
	char started;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0) {
		say_error("can't start a process in the background: %s", strerror(errno));
		exit(1);
	}
	if (!pid) {
		close(ends[0]);
		setsid();
		return ends[1];
	}
	close(ends[1]);
	if (read(ends[0], &started, 1) != 1)
		exit(waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	if (name)
		say_if(0, "Session '%s' runs in the background: --attach=%s shows its output, --stop=%s ends it.",
		       name, name, name);
	else
		printf("%d\n", pid);
	exit(0);
}
