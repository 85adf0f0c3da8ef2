// SPDX-License-Identifier: GPL-2.0-or-later
/* struct ftrace_regs is opaque, and opened by arch_ftrace_regs(). */
#include <linux/ftrace.h>

struct pt_regs *st_feature(struct ftrace_regs *regs)
{
	return &arch_ftrace_regs(regs)->regs;
}
