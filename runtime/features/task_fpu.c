// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a task's FPU state lie behind its task_struct? */
#include <linux/sched.h>

struct fpu *st_feature(void)
{
	return x86_task_fpu(current);
}
