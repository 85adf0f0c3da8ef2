// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts the session's watchers. */
#include <linux/atomic.h>
#include <linux/workqueue.h>

#include "watchers.h"

static atomic_t st_watchers;
static struct work_struct *st_ender;

void st_watcher_comes(void)
{
	atomic_inc(&st_watchers);
}

bool st_watcher_goes(void)
{
	return atomic_dec_and_test(&st_watchers) && !st_detached();
}

void st_set_detached(struct work_struct *ender)
{
	WRITE_ONCE(st_ender, ender);
}

bool st_detached(void)
{
	return READ_ONCE(st_ender);
}

void st_end_detached(void)
{
	struct work_struct *ender = READ_ONCE(st_ender);

	if (ender)
		queue_work(system_unbound_wq, ender);
}

int st_nwatchers(void)
{
	return atomic_read(&st_watchers);
}

bool st_watched(void)
{
	return st_nwatchers() || st_detached();
}
