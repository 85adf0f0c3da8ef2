// SPDX-License-Identifier: GPL-2.0-or-later
/* Does one call set up a high resolution timer and its function? */
#include <linux/hrtimer.h>

void st_feature(struct hrtimer *timer, enum hrtimer_restart (*fn)(struct hrtimer *))
{
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
