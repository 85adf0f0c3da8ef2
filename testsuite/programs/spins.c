/* Spends its time in spin(), called by work(). */
#include <time.h>

volatile unsigned long turns;

__attribute__((noinline)) void spin(void)
{
	for (int i = 0; i < 100000; i++)
		turns++;
}

__attribute__((noinline)) void work(int seconds)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		spin();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec < seconds);
	turns++;
}

int main(void)
{
	work(2);
	return 0;
}
