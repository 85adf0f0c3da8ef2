// SPDX-License-Identifier: GPL-2.0-or-later
/* load N CPUS: N reads of /dev/zero on each of that many CPUs; ns a read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PARTS 100

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* The least of many parts is what it costs undisturbed. */
static void work(long n, int cpu)
{
	int fd = open("/dev/zero", O_RDONLY);
	double begin, least = 1e18, all;
	cpu_set_t set;
	char byte;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	all = now();
	for (long part = 0; part < PARTS; part++) {
		begin = now();
		for (long i = 0; i < n / PARTS; i++)
			if (read(fd, &byte, 1) != 1)
				_exit(1);
		begin = now() - begin;
		least = begin < least ? begin : least;
	}
	fprintf(stderr, "cpu %d: %.0f ns, at best %.0f\n", cpu, (now() - all) / n,
		least / (n / PARTS));
	_exit(0);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000000;
	int cpus = argc > 2 ? atoi(argv[2]) : 1;

	for (int i = 0; i < cpus; i++)
		if (!fork())
			work(n, i);
	while (wait(NULL) > 0)
		;
	return 0;
}
