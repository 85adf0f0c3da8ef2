/* Calls itself so many times at once, twice. */
#include <stdlib.h>

__attribute__((noinline, noclone)) int deep(int n)
{
	int below = n > 1 ? deep(n - 1) : 0;

	asm volatile("" : "+r"(below));
	return below + 1;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	return deep(n) != n || deep(n) != n;
}
