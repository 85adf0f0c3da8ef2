// SPDX-License-Identifier: GPL-2.0-or-later
/* A high resolution timer and its function are set up in one call. */
#include <linux/hrtimer.h>

void st_feature(struct hrtimer *timer, enum hrtimer_restart (*fn)(struct hrtimer *))
{
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
