// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls getpriority(PRIO_PROCESS, WHICH) at the end of chains of calls that are known, one for
 * each case; stacks.test looks at the stacks there.  Built without frame pointers.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CHAINED __attribute__((noinline, noclone))

void library_call(void (*callback)(int), int which);

static volatile int after;

/* What follows the call keeps it from becoming a jump. */
CHAINED void leaf(int which)
{
	syscall(SYS_getpriority, 0, which);
	after++;
}

CHAINED void middle(int which)
{
	char room[200];

	memset(room, which, sizeof(room));
	leaf(room[100]);
	after++;
}

CHAINED void chain(void)
{
	middle(1);
	after++;
}

CHAINED int compare(const void *a, const void *b)
{
	leaf(2);
	return *(const int *)a - *(const int *)b;
}

CHAINED void sorted(void)
{
	int numbers[] = { 2, 1 };

	qsort(numbers, 2, sizeof(*numbers), compare);
	after += numbers[0];
}

CHAINED void on_signal(int sig)
{
	leaf(sig == SIGUSR1 ? 3 : 4);
	after++;
}

CHAINED void signals(void)
{
	static char stack[65536];
	struct sigaction sa = { .sa_handler = on_signal };
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	sigaltstack(&other, NULL);
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &sa, NULL);
	raise(SIGUSR2);
	after++;
}

CHAINED void through_library(void)
{
	library_call(leaf, 5);
	after++;
}

CHAINED void recurse(int depth)
{
	if (depth)
		recurse(depth - 1);
	else
		leaf(6);
	after++;
}

/* Code that nobody describes, with a frame pointer: calls rdi with the argument esi. */
CHAINED void generated(void)
{
	static const unsigned char code[] = {
		0x55,			/* push %rbp */
		0x48, 0x89, 0xe5,	/* mov %rsp, %rbp */
		0x48, 0x89, 0xf8,	/* mov %rdi, %rax */
		0x89, 0xf7,		/* mov %esi, %edi */
		0xff, 0xd0,		/* call *%rax */
		0x5d,			/* pop %rbp */
		0xc3,			/* ret */
	};
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(p, code, sizeof(code));
	((void (*)(void (*)(int), int))p)(leaf, 7);
	after++;
}

/* Runs for a while, mostly in the vdso and behind PLT entries. */
CHAINED void busy(void)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		after += abs(rand());
	} while (now.tv_sec - begin.tv_sec < 3);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "busy")) {
		busy();
		return 0;
	}
	chain();
	sorted();
	signals();
	through_library();
	recurse(300);
	generated();
	return after == 0;
}
