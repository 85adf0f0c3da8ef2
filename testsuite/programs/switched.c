// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls seen() with text that isn't in memory, and with numbers in vector registers: who waits for the
 * text is switched away from, to a process that has other numbers there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

volatile double sink = 1;

__attribute__((noinline, noclone)) void seen(double x, const char *text, long bits, float y)
{
	sink += x + y;
}

static long bits_of(double x)
{
	long bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	char *text = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	pid_t other;

	if (text == MAP_FAILED)
		return 1;
	other = fork();
	while (!other)
		sink = sink * 1.0000001;
	for (int i = 0; i < 50; i++) {
		if (madvise(text, PAGE, MADV_DONTNEED) || posix_fadvise(fd, 0, PAGE, POSIX_FADV_DONTNEED))
			return 1;
		seen(i * 0.1, text, bits_of(i * 0.1), i * 0.25f);
	}
	kill(other, SIGKILL);
	return 0;
}
