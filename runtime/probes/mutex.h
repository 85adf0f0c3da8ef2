/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a mutex that may be held for minutes: by a task that arms thousands of places, or ends
 * a session whose handlers wait for memory.  The kernel reports a task that waits that long in
 * mutex_lock() as hung, and may be set to panic then.  It doesn't report one that waits idle.
 */
#ifndef STAP_MUTEX_H
#define STAP_MUTEX_H

#include <linux/mutex.h>
#include <linux/sched.h>

static inline void st_mutex_lock_idle(struct mutex *mutex)
{
	while (!mutex_trylock(mutex))
		schedule_timeout_idle(1);
}

#endif
