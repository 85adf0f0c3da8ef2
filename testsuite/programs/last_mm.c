// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Children that sleep on CPU 0, whose memory goes away on CPU 1 while CPU 0 still deals with their
 * last switch.  CPU 0 has another program to switch to, because a CPU that is idle, or runs a kernel
 * thread, keeps the memory of the process that ran before.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 1000

static void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		exit(1);
}

static pid_t child_on_cpu0(void)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pin(0, 0);
	}
	return pid;
}

static char state(pid_t pid)
{
	char path[64], name[32], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%*d (%31[^)]) %c", name, &state) != 2)
		exit(1);
	fclose(f);
	return name[0] == 's' ? state : 0;
}

int main(void)
{
	pin(0, 1);
	if (!child_on_cpu0())
		for (;;)
			;
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = child_on_cpu0();

		if (!pid) {
			prctl(PR_SET_NAME, "sleeps");
			pause();
		}
		while (state(pid) != 'S')
			;
		pin(pid, 1);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return 0;
}
