// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mark for each form of an operand.  Prints what a script must see: marks' names and
 * the values of their arguments.
 */
#include <stdio.h>

#include "mark.h"

long table[] = { 10, 11, -12, 13 };
int numbers[] = { 1, -2, 3 };
static int inner = -77;
unsigned char byte = 200;
static __thread int below = 5, level = 6;

#define SAYS(...) (printf(__VA_ARGS__), fflush(stdout))

static void registers(void)
{
	long big = 0x123456789abcdef0;

	MARK("app", "wide", "8@%0 -8@%0 4@%k0 -4@%k0 2@%w0 -2@%w0 1@%b0 -1@%b0", "r"(big));
	SAYS("wide %ld %ld %u %d %u %d %u %d\n", big, big, (unsigned)big, (int)big,
	     (unsigned short)big, (short)big, (unsigned char)big, (signed char)big);
	MARK("app", "narrow", "4@%0 -1@%h0 %k0 -2@%0", "a"(big));
	SAYS("narrow %u %d %u %d\n", (unsigned)big, (signed char)(big >> 8), (unsigned)big,
	     (short)big);
}

static void constants(void)
{
	MARK("app", "constant", "4@%0 -4@%1 4@%1 -8@%2", "n"(5), "n"(-3), "n"(1L << 40));
	SAYS("constant 5 -3 %u %ld\n", -3u, 1L << 40);
}

static void memory(long first, int second)
{
	volatile long local = -first;
	volatile int small[3] = { 7, 8, second };

	MARK("app", "memory", "8@%0 -8@%0 -4@%1 4@4+%1", "m"(local), "m"(small[1]));
	SAYS("memory %ld %ld 8 %d\n", local, local, second);
	MARK("app", "indexed", "8@(%0,%1,8) -4@4(%2,%1,4) -4@-4(%2,%1,4)", "r"(table), "r"(first),
	     "r"(numbers));
	SAYS("indexed %ld %d %d\n", table[first], numbers[first + 1], numbers[first - 1]);
}

static void symbols(void)
{
	inner -= 1;
	MARK("app", "symbol", "-8@table+16(%%rip) -4@%0 1@byte(%%rip)", "m"(inner));
	SAYS("symbol %ld %d %u\n", table[2], inner, byte);
}

static void thread_variables(void)
{
	long thread;

	asm("mov %%fs:0,%0" : "=r"(thread));
	level += below;
	MARK("app", "thread", "-4@%0 -4@%%fs:(%1) 4@%%fs:-4(%1)", "m"(level),
	     "r"((long)&level - thread));
	SAYS("thread %d %d %d\n", level, level, *(int *)(thread + ((long)&level - thread) - 4));
}

static void floats(double d, float f)
{
	volatile double kept = d;
	volatile float small = f;

	MARK("app", "floating", "8f@%0 4f@%1 8f@%2", "m"(kept), "m"(small), "x"(d));
	SAYS("floating %ld %d %ld\n", *(long *)&kept, *(int *)&small, *(long *)&kept);
}

static inline __attribute__((always_inline)) void copied(int n)
{
	MARK("app", "copied", "-4@%0", "nor"(n));
	SAYS("copied %d\n", n);
}

int main(int argc, char **argv)
{
	const char *text = "some text";

	MARK("app", "tables", "8@main@GOTPCREL(%%rip)");
	SAYS("tables %ld\n", (long)main);
	thread_variables();
	registers();
	constants();
	memory(argc, argc + 8);
	symbols();
	floats(1.5, 2.5);
	copied(argc);
	copied(2);
	copied(-3);
	MARK("app", "none", "");
	SAYS("none\n");
	MARK("other-app", "text", "8@%0", "r"(text));
	SAYS("text %s\n", text);
	return argv[argc] != NULL;
}
