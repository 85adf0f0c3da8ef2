// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes system calls whose results tests look at, and calls failed() with an errno. */
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noinline)) void failed(int number)
{
	asm volatile("" : : "r"(number) : "memory");
}

static void *thread(void *arg)
{
	errno = EPERM;
	failed(1);
	return arg;
}

int main(void)
{
	pthread_t other;

	umask(0123);
	umask(022);
	close(-1);
	failed(0);
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	failed(2);
	return 0;
}
