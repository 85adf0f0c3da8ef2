/* Prints results that tests change, and thread-local variables. */
#include <stdio.h>
#include <string.h>
#include <pthread.h>

struct box {
	int number;
	char text[16];
};

static volatile int total = 1;
__thread int level = 3;
static __thread struct box own = { 4, "mine" };
static const char fixed[] = "constant";

__attribute__((noinline)) int sum(int a, int b)
{
	asm volatile("" : "+r"(a), "+r"(b));
	return a + b + total;
}

__attribute__((noinline)) int show(struct box *box)
{
	return printf("%d %s\n", box->number, box->text);
}

__attribute__((noinline)) const char *text(const char *s)
{
	asm volatile("" : "+r"(s));
	return s;
}

static void *thread(void *arg)
{
	level = 30;
	own.number = 40;
	asm volatile("" : : "r"(&own) : "memory");
	printf("%d\n", sum(1, 1));
	return arg;
}

int main(void)
{
	struct box box = { 1, "first" };
	pthread_t other;

	printf("%d\n", sum(1, 2));
	show(&box);
	printf("%s\n", text(fixed));
	fflush(stdout);
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	return 0;
}
