/* A program with calls, structures and globals, whose lines tests name. */
#include <stdio.h>
#include <string.h>

struct item {
	int id;
	unsigned flag : 3;
	const char *name;
	struct item *next;
	short sizes[4];
};

static int counter = 7;
int exported = 40;
static const char *labels[] = { "zero", "one", "two" };

__attribute__((noinline)) int add(int a, int b)
{
	int sum = a + b;

	counter++;
	return sum;
}

__attribute__((noinline)) long walk(struct item *item, const char *label)
{
	long total = 0;

	asm volatile("" : : "r"(item) : "memory");	/* all of it is used */
	for (; item; item = item->next)
		total += item->id;
	return total + strlen(label);
}

static inline __attribute__((always_inline)) int twice(int n)
{
	asm volatile("" : "+r"(n));
	return n + n + exported;
}

__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, long h)
{
	if (g > 100)
		goto large;
	return a + b + c + d + e + f + g + h;
large:	asm volatile("");	/* so that it is no conditional move */
	return -1;
}

__attribute__((noinline)) int recurse(int n)
{
	return n ? recurse(n - 1) + n : 0;
}

int main(int argc, char **argv)
{
	struct item second = { 2, 5, "second", NULL, { 1, 2, 3, 4 } };
	struct item first = { 1, 3, "first", &second, { 5, -6, 7, 8 } };
	int total = add(argc, 41);

	total += walk(&first, labels[argc]);
	total += twice(argc);
	total += many(1, 2, 3, 4, 5, 6, 7, 8);
	total += many(1, 2, 3, 4, 5, 6, 700, 8);
	total += recurse(3);
	return total == 0 || argv == NULL;
}
