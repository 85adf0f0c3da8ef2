// SPDX-License-Identifier: GPL-2.0-or-later
/* Marks of a 32-bit program that needs no library: -m32 -nostdlib. */
#include "mark.h"

static volatile int counter = -5;
static int table[] = { 1, 2, -3 };

__attribute__((force_align_arg_pointer)) void _start(void)
{
	volatile int local = -9;
	int two = 2;

	MARK("app", "small", "-4@%0 -4@%1 4@%1 -4@counter -4@table(,%0,4) -4@-4(%2,%0,4) 1@%b0",
	     "r"(two), "m"(local), "r"(table));
	asm volatile("int $0x80" :: "a"(1), "b"(0));
}
