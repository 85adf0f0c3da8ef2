// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that carries marks as programs do: macros that dtrace made of shop.d, semaphores, and
 * marks of <sys/sdt.h> itself.  As C and as C++.  Its marks are passed once a round; the rounds
 * end when somebody has probed a mark, or after some seconds.
 */
#include <stdio.h>
#include <unistd.h>

typedef unsigned int count_t;	/* the header names its type */

#include "shop.h"

/* A mark that the description lacks needs a semaphore as well. */
unsigned short scales_weighed_semaphore __attribute__((section(".probes")));

#ifdef __cplusplus
template <typename T> static void weigh(T weight)
{
	STAP_PROBE2(scales, weighed, weight, sizeof(weight));
}
#else
#define weigh(weight) STAP_PROBE2(scales, weighed, weight, sizeof(weight))
#endif

static const char where[8] = "cellar";
static char apple[] = "apple", bottle[] = "bottle, returned";
static signed char minus = -100;
static unsigned short plus = 65000;

static int counts(int a, int b)
{
	return a + b;
}

static void round_of_sales(void)
{
	SHOP_OPENED();
	SHOP_SOLD(apple, 25);
	SHOP_SOLD(bottle, -8);
	if (SHOP_STOCK_COUNTED_ENABLED())
		SHOP_STOCK_COUNTED(4000000000u, where, counts);
	weigh(minus);
	SHOP_CLOSED(255, minus, plus, -30000, ~0ul, -(1L << 40), 7, 8, 9, 10, 11, 12);
}

int main(void)
{
	/* what was never read isn't resident, and tracers that can't wait don't see it */
	printf("sells %s, %s; %s\n", apple, bottle, where);
	for (int i = 0; i < 600 && !SHOP_STOCK_COUNTED_ENABLED(); i++) {
		round_of_sales();
		usleep(50000);
	}
	round_of_sales();
	puts("closed");
	return 0;
}
