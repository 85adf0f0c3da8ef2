// SPDX-License-Identifier: GPL-2.0-or-later
/* Ends stap with a message where it would crash, or not end (guard.h). */
#define _GNU_SOURCE
#include "guard.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limits.h"

#define LEAST_MEMORY (UINT64_C(1) << 30)

static const char *volatile file, *volatile directory;
static struct rlimit memory;
static char stack[64 << 10];	/* the handler's: the usual one may have overflown */

void guard_reading(const char *path)
{
	file = path;
}

void guard_directory(const char *path)
{
	directory = path;
}

/* ---- the end: async-signal-safe functions only --------------------------- */

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static void remove_directory(void)
{
	pid_t pid = directory ? vfork() : -1;

	if (!pid) {
		execl("/bin/rm", "rm", "-rf", "--", directory, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void give_up(int sig)
{
	if (!file && sig == SIGPROF)
		return;
	if (!file) {
		signal(sig, SIG_DFL);
		raise(sig);	/* once the handler returns */
		return;
	}
	say("ERROR: can't read '");
	say(file);
	say(sig == SIGPROF ? "': it takes too long\n" :
	    sig == SIGBUS ? "': it became shorter while it was read\n" :
	    "': it is damaged, or made to crash programs that read it\n");
	remove_directory();
	_exit(1);
}

/* ---- the beginning ------------------------------------------------------- */

/* Returns how many bytes of memory programs may take without others losing theirs. */
static uint64_t free_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long kb = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %lu", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return (uint64_t)kb << 10;
}

/* RLIMIT_DATA counts what is allocated, not the files that are mapped. */
static void limit_memory(void)
{
	uint64_t most = free_memory() / 4 * 3;
	struct rlimit limit;

	if (!most || getrlimit(RLIMIT_DATA, &memory))
		return;
	limit = memory;
	if (most < LEAST_MEMORY)
		most = LEAST_MEMORY;
	if (limit.rlim_cur > most)
		limit.rlim_cur = most;
	setrlimit(RLIMIT_DATA, &limit);
}

/* A child process doesn't inherit it. */
static void limit_time(void)
{
	const struct itimerval time = { .it_value.tv_sec = LIMIT_SECONDS };

	setitimer(ITIMER_PROF, &time, NULL);
}

void guard_begin(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF };
	const stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	const struct sigaction act = { .sa_handler = give_up, .sa_flags = SA_ONSTACK };

	limit_memory();
	sigaltstack(&own, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &act, NULL);
	limit_time();
}

void guard_child(void)
{
	guard_directory(NULL);
	guard_reading(NULL);
	limit_time();
}

void guard_end(void)
{
	if (memory.rlim_max)
		setrlimit(RLIMIT_DATA, &memory);
}
