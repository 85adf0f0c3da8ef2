// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a task's CPU in its thread_info? */
#include <linux/sched.h>

unsigned int st_feature(const struct task_struct *task)
{
	return task->thread_info.cpu;
}
