/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lives of processes and threads, for testsuite/user/process-*.stp: does what its arguments
 * say, one after the other.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char **exec_words;
static pthread_barrier_t all_run;

static void *seek_once(void *unused)
{
	syscall(SYS_lseek, 77, 11, 22);
	return unused;
}

/* All threads end at once. */
static void *run_with_others(void *unused)
{
	pthread_barrier_wait(&all_run);
	return unused;
}

/* All threads run, and are killed by the process's end. */
static void *run_on(void *unused)
{
	pthread_barrier_wait(&all_run);
	for (;;)
		pause();
	return unused;
}

static void *execute(void *unused)
{
	execv(exec_words[0], exec_words);
	return unused;
}

static void *outlive(void *unused)
{
	usleep(100000);
	syscall(SYS_lseek, 78, 33, 44);
	return unused;
}

static void threads(int n, void *(*fn)(void *))
{
	pthread_t thread[64];

	pthread_barrier_init(&all_run, NULL, n);
	for (int i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, fn, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static void abandon(int n)
{
	pthread_t thread;

	pthread_barrier_init(&all_run, NULL, n + 1);
	for (int i = 0; i < n; i++)
		pthread_create(&thread, NULL, run_on, NULL);
	pthread_barrier_wait(&all_run);
}

static void children(int n)
{
	for (int i = 0; i < n; i++)
		if (!fork())
			_exit(0);
	while (wait(NULL) > 0)
		;
}

/* Leaves N children behind that sleep until they are killed. */
static void sleepers(int n)
{
	for (int i = 0; i < n; i++)
		if (!fork()) {
			setpgid(0, 0);
			for (;;)
				pause();
		}
}

/* Sleeps again and again, for N * 20 ms. */
static void naps(int n)
{
	while (n--)
		usleep(20000);
}

/* The first thread ends before another one does. */
static void outlived(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, outlive, NULL);
	pthread_exit(NULL);
}

static void vforked(char **words)
{
	if (!vfork()) {
		execv(words[0], words);
		_exit(1);
	}
	wait(NULL);
}

static void await(const char *file)
{
	while (access(file, F_OK))
		usleep(10000);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		exec_words = argv + i + 1;
		if (!strcmp(word, "call"))
			syscall(SYS_sendto, 99, 2, 3, 4, 5, 6);
		else if (!strcmp(word, "threads"))
			threads(atoi(argv[++i]), seek_once);
		else if (!strcmp(word, "crowd"))
			threads(atoi(argv[++i]), run_with_others);
		else if (!strcmp(word, "abandon"))
			abandon(atoi(argv[++i]));
		else if (!strcmp(word, "fork"))
			children(atoi(argv[++i]));
		else if (!strcmp(word, "sleepers"))
			sleepers(atoi(argv[++i]));
		else if (!strcmp(word, "naps"))
			naps(atoi(argv[++i]));
		else if (!strcmp(word, "sleep"))
			usleep(atoi(argv[++i]) * 1000);
		else if (!strcmp(word, "await"))
			await(argv[++i]);
		else if (!strcmp(word, "outlived"))
			outlived();
		else if (!strcmp(word, "vfork"))
			vforked(exec_words), i = argc;
		else if (!strcmp(word, "exec"))
			execute(NULL);
		else if (!strcmp(word, "thread-exec"))
			threads(1, execute);
		else if (!strcmp(word, "abort"))
			abort();
	}
	return 0;
}
