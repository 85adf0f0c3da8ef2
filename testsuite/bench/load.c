// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load that the bench measures probes by: on each of CPUS processors, one
 * process that reads one byte of /dev/zero N times (one vfs_read each).  Writes to
 * FILE the nanoseconds a read took: the mean of all, and, of the processes' fastest
 * batches, in which nothing else disturbed, the mean.
 *
 *	load N CPUS FILE
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BATCHES 50
#define WARM_UP 1000		/* reads before: known to the bench, which counts lines */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

struct result {
	double mean, fastest;
};

static double batch(int fd, long n)
{
	char byte;
	double start = now();

	for (long i = 0; i < n; i++)
		if (read(fd, &byte, 1) != 1)
			exit(1);
	return now() - start;
}

static struct result reads(long n)
{
	int fd = open("/dev/zero", O_RDONLY);
	struct result r = { 0 };
	long size = n / BATCHES;

	for (int i = 0; i < BATCHES; i++) {
		double took = batch(fd, size);

		r.mean += took / (size * BATCHES);
		if (!i || took / size < r.fastest)
			r.fastest = took / size;
	}
	close(fd);
	return r;
}

static void run_on(int cpu, long n, int cpus, int *ready, struct result *result)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		_exit(1);
	reads(WARM_UP);
	__atomic_add_fetch(ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(ready, __ATOMIC_SEQ_CST) < cpus)
		sched_yield();
	*result = reads(n);
	_exit(0);
}

int main(int argc, char **argv)
{
	long n = argc == 4 ? atol(argv[1]) : 0;
	int cpus = argc == 4 ? atoi(argv[2]) : 0, status, failed = 0;
	struct { int ready; struct result of[64]; } *shared;
	struct result mean = { 0 };
	FILE *f;

	if (n < BATCHES || cpus < 1 || cpus > 64)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	for (int cpu = 0; cpu < cpus; cpu++)
		if (fork() == 0)
			run_on(cpu, n, cpus, &shared->ready, &shared->of[cpu]);
	while (wait(&status) > 0)
		failed |= status;
	for (int cpu = 0; cpu < cpus; cpu++) {
		mean.mean += shared->of[cpu].mean / cpus;
		mean.fastest += shared->of[cpu].fastest / cpus;
	}
	f = fopen(argv[3], "w");
	if (!f || fprintf(f, "%.1f %.1f\n", mean.mean, mean.fastest) < 0 || fclose(f))
		return 1;
	return failed != 0;
}
