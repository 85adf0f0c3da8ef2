/*
 * Runs into probes, for the campaign of errors: with memory that isn't resident and call frame
 * information that lies, in threads and processes that come and go.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mark.h"

#define PAGE 4096

/* In each frame's information something is wrong: the size of the frame, a register that there is
 * none of, an expression that loops, one that reads wild memory, a stack that goes nowhere. */
#define LIAR(name, lie)							\
	long name(const char *p, long n);				\
	asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"	\
	    ".cfi_startproc\n\tpush %rbx\n\t.cfi_escape " lie "\n"	\
	    "\tcall work\n\tpop %rbx\n\tret\n.cfi_endproc\n.size " #name ", .-" #name)

LIAR(far, "0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f");
LIAR(no_register, "0x0c, 0xff, 0x01, 0x10");
LIAR(loops, "0x0f, 0x03, 0x2f, 0xfd, 0xff");
LIAR(reads_wild, "0x0f, 0x0a, 0x0e, 0, 0, 0, 0, 0, 0x80, 0, 0, 0x06");
LIAR(nowhere, "0x0e, 0");
LIAR(undefined, "0x07, 0x10");

/* Watched, each by one part of a script: QEMU reports one watchpoint a write. */
long p1_calls, p2_calls, p3_calls, p4_calls;

__attribute__((noinline)) long work(const char *p, long n)
{
	p1_calls++, p2_calls++, p3_calls++, p4_calls++;
	MARK("victim", "work", "8@%0 -8@%1", "r"(p), "r"(n));
	asm volatile("" : "+r"(n) : "r"(p) : "memory");
	return n;
}

static void *thread(void *arg)
{
	work(arg, getppid());
	return NULL;
}

int main(int argc, char **argv)
{
	static long (*const liars[])(const char *, long) = {
		work, far, no_register, loops, reads_wild, nowhere, undefined,
	};
	int n = sizeof(liars) / sizeof(*liars);
	useconds_t pause = argc > 1 ? atof(argv[1]) * 1e6 : 10000;
	int fd = open("/proc/self/exe", O_RDONLY);
	char *memory = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	for (long i = 0;; i++) {
		pthread_t t;
		pid_t child;

		liars[i % n](i & 8 ? memory : (char *)(i << 44), i);
		madvise(memory, PAGE, MADV_DONTNEED);
		if (!pthread_create(&t, NULL, thread, memory))
			pthread_join(t, NULL);
		child = fork();
		if (!child)
			_exit(work(memory, 0));
		waitpid(child, NULL, 0);
		usleep(pause);
	}
}
