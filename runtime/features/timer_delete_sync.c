// SPDX-License-Identifier: GPL-2.0-or-later
/* del_timer_sync() by its newer name. */
#include <linux/timer.h>

int st_feature(struct timer_list *timer)
{
	return timer_delete_sync(timer);
}
