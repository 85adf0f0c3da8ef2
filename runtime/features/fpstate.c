// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a task point to its saved FPU registers? */
#include <linux/sched.h>

int st_feature(struct fpu *fpu)
{
	return fpu->fpstate->regs.fxsave.cwd;
}
