// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load that the bench measures probes by: on each of CPUS processors, one
 * process that reads one byte of /dev/zero N times (one vfs_read each), or, with
 * "calls", calls functions of its own N times, of which one passes a mark and one is deep.  Writes to
 * FILE the nanoseconds a read or call took: the mean of all, and, of the processes'
 * fastest batches, in which nothing else disturbed, the mean; and when it started and ended, in
 * nanoseconds of CLOCK_MONOTONIC.
 *
 *	load N CPUS FILE [calls]
 *
 * With "crowd" it is N processes more, until its input ends; it prints a line when they are there.
 *
 *	load crowd N
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* A mark of provider "load", with two arguments, as <sys/sdt.h> makes them. */
#define MARK(name, a, b) asm volatile(						\
	"990: nop\n"								\
	".pushsection .note.stapsdt, \"\", \"note\"\n"				\
	".balign 4\n.4byte 992f-991f, 994f-993f, 3\n"				\
	"991: .asciz \"stapsdt\"\n992: .balign 4\n"				\
	"993: .8byte 990b, 0, 0\n.asciz \"load\"\n.asciz \"" name "\"\n"		\
	".asciz \"8@%0 -4@%1\"\n994: .balign 4\n.popsection" : : "r"(a), "r"(b))

static const char text[] = "a string of sixty-four bytes, for the bench to print: 0123456789";

/* What probes are put on.  The kernel needn't step over the nop at its entry. */
__attribute__((noinline, patchable_function_entry(1))) long called(const char *s, int n)
{
	asm volatile("" : : : "memory");
	return n + (s == text);
}

__attribute__((noinline)) void marked(const char *s, int n)
{
	MARK("passed", s, n);
}

/* Ten frames from here to the program's first: what calls it keeps its frame. */
__attribute__((noinline, patchable_function_entry(1))) void deepest(void)
{
	asm volatile("" : : : "memory");
}

__attribute__((noinline)) void nested(int depth)
{
	if (depth)
		nested(depth - 1);
	else
		deepest();
	asm volatile("" : : : "memory");
}

static bool calls;

static double batch(int fd, long n)
{
	char byte;
	double start = now();

	for (long i = 0; i < n && calls; i++) {
		called(text, i);
		marked(text, i);
		nested(4);
	}
	for (long i = 0; i < n && !calls; i++)
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

static struct result run_on(int cpu, long n, int cpus, int *ready)
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
	return reads(n);
}

/* The processes are in a group of ours, which the signal ends. */
static int crowd(int n)
{
	setpgid(0, 0);
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			n = 0;
		if (!pid)
			for (;;)
				pause();
	}
	if (n && puts("ready") >= 0 && !fflush(stdout))
		getchar();
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0)
		;
	return !n;
}

int main(int argc, char **argv)
{
	double start = now();
	long n = argc >= 4 ? atol(argv[1]) : 0;
	int cpus = argc >= 4 ? atoi(argv[2]) : 0, status, failed = 0;
	struct { int ready; struct result of[64]; } *shared;
	struct result mean = { 0 };
	FILE *f;

	if (argc == 3 && !strcmp(argv[1], "crowd"))
		return crowd(atoi(argv[2]));
	calls = argc == 5;
	if (n < BATCHES || cpus < 1 || cpus > 64)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	/* Alone we are the process that was started, which a tracer may be told to look at only. */
	if (cpus == 1)
		shared->of[0] = run_on(0, n, 1, &shared->ready);
	for (int cpu = 0; cpu < cpus && cpus > 1; cpu++)
		if (fork() == 0) {
			shared->of[cpu] = run_on(cpu, n, cpus, &shared->ready);
			_exit(0);
		}
	while (wait(&status) > 0)
		failed |= status;
	for (int cpu = 0; cpu < cpus; cpu++) {
		mean.mean += shared->of[cpu].mean / cpus;
		mean.fastest += shared->of[cpu].fastest / cpus;
	}
	f = fopen(argv[3], "w");
	if (!f || fprintf(f, "%.1f %.1f %.0f %.0f\n", mean.mean, mean.fastest, start, now()) < 0 || fclose(f))
		return 1;
	return failed != 0;
}
