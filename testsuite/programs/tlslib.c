/* A library with thread-local variables, and a program that loads it while it runs. */
#ifdef LIBRARY
static __thread int calls = 10;
__thread int visible = 77;

__attribute__((noinline)) int count(int n)
{
	calls += n;
	visible++;
	return calls;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	int (*count)(int) = library ? (int (*)(int))dlsym(library, "count") : NULL;

	if (!count)
		return 1;
	return count(1) + count(2) == 0 || argc < 2;
}
#endif
