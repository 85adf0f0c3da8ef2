// SPDX-License-Identifier: GPL-2.0-or-later
/* Is struct ftrace_regs opaque, with arch_ftrace_regs() to access it? */
#include <linux/ftrace.h>

struct pt_regs *st_feature(struct ftrace_regs *regs)
{
	return &arch_ftrace_regs(regs)->regs;
}
