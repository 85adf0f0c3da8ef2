// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks the C library for its priority five times, from four calls deep. */
#include <sys/resource.h>
#include <unistd.h>

static volatile int asked;

__attribute__((noinline)) static void innermost(void)
{
	getpriority(PRIO_PROCESS, 0);
	asked++;
}

__attribute__((noinline)) static void middle(void)
{
	innermost();
	asked++;
}

__attribute__((noinline)) static void outermost(void)
{
	middle();
	asked++;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		outermost();
		usleep(100000);
	}
	return 0;
}
