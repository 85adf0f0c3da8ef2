/* Allocates memory, some of which it never frees. */
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void *keep(size_t n)
{
	void *p = malloc(n);

	asm volatile("" : "+r"(p));
	return p;
}

__attribute__((noinline)) void drop(size_t n)
{
	free(keep(n));
	asm volatile("");
}

int main(void)
{
	char *kept;

	for (int i = 0; i < 10; i++) {
		drop(1000);
		kept = keep(777);
		strcpy(kept, "kept");
	}
	return 0;
}
