// SPDX-License-Identifier: GPL-2.0-or-later
/* Is del_timer_sync() called timer_delete_sync()? */
#include <linux/timer.h>

int st_feature(struct timer_list *timer)
{
	return timer_delete_sync(timer);
}
