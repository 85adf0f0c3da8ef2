// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls leaf() from code that was inlined twice, and puts() through the linkage table. */
#include <stdio.h>

static volatile int after;

__attribute__((noinline, noclone)) void leaf(int n)
{
	after += n;
}

static inline __attribute__((always_inline)) void square(int n)
{
	leaf(n * n);
	after++;
}

static inline __attribute__((always_inline)) void area(int n)
{
	square(n + after);
	after++;
}

__attribute__((noinline, noclone)) void shape(int n)
{
	area(n);
	after++;
}

int main(void)
{
	shape(3);
	leaf(1);
	puts("shapes");
	return 0;
}
