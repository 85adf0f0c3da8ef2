// SPDX-License-Identifier: GPL-2.0-or-later
/* A task's CPU lies in its thread_info. */
#include <linux/sched.h>

unsigned int st_feature(const struct task_struct *task)
{
	return task->thread_info.cpu;
}
