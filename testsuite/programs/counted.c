// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks with semaphores, in a program (-DPROGRAM) and in a library that it loads when
 * the program's own mark is probed and the file "running" exists: semaphores rise while a
 * script starts, and what its probes hit before it runs is not handled.  The program ends when
 * nobody probes its mark any more, and says what the semaphores were.
 */
#include <stdio.h>
#include <unistd.h>

#include "mark.h"

#ifdef PROGRAM
#include <dlfcn.h>

SEMAPHORE(own_semaphore);

/* Waits until the semaphore is on, and the script runs, or it is off; five minutes at most. */
static int wait_for(int on)
{
	for (int i = 0; i < 30000; i++) {
		if (!own_semaphore != on && (!on || !access("running", F_OK)))
			return 1;
		usleep(10000);
	}
	printf("the semaphore stays %d\n", own_semaphore);
	return 0;
}

int main(int argc, char **argv)
{
	void *library;
	int (*work)(int);

	printf("before: %d\n", own_semaphore);
	if (!wait_for(1) || argc < 2)
		return 1;
	library = dlopen(argv[1], RTLD_NOW);
	work = library ? (int (*)(int))dlsym(library, "work") : NULL;
	if (!work)
		return 1;
	printf("probed: %d %d\n", own_semaphore, work(7));
	MARK_COUNTED("app", "own", own_semaphore, "-4@%0", "nor"(argc));
	if (!wait_for(0))
		return 1;
	printf("after: %d %d\n", own_semaphore, work(8));
	return 0;
}
#else
SEMAPHORE(library_semaphore) __attribute__((visibility("hidden")));

/* Returns what the semaphore is. */
int work(int n)
{
	if (library_semaphore)
		MARK_COUNTED("lib", "work", library_semaphore, "-4@%0", "nor"(n));
	return library_semaphore;
}
#endif
