/*
 * Calls touch() for N strings, each in a page of a mapped file that this process hasn't touched;
 * again after the pages were given back; and for N pages of anonymous memory never written.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096ul

__attribute__((noinline)) void touch(const char *s)
{
	asm volatile("" : : "r"(s) : "memory");
}

static void touch_all(const char *p, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		touch(p + i * PAGE);
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? atoi(argv[1]) : 100;
	FILE *f = tmpfile();
	char *file, *memory;

	for (unsigned long i = 0; i < n; i++) {
		fseek(f, i * PAGE, SEEK_SET);
		fprintf(f, "string %lu", i);
	}
	fseek(f, n * PAGE - 1, SEEK_SET);
	fputc(0, f);
	fflush(f);
	file = mmap(NULL, n * PAGE, PROT_READ, MAP_PRIVATE, fileno(f), 0);
	memory = mmap(NULL, n * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (file == MAP_FAILED || memory == MAP_FAILED)
		return 1;
	touch_all(file, n);
	if (madvise(file, n * PAGE, MADV_DONTNEED))
		return 1;
	touch_all(file, n);
	touch_all(memory, n);
	return 0;
}
