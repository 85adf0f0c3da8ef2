// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a task's state called __state? */
#include <linux/sched.h>

unsigned int st_feature(const struct task_struct *task)
{
	return task->__state;
}
