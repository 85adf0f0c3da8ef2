// SPDX-License-Identifier: GPL-2.0-or-later
/* The ftrace callback is handed struct ftrace_regs, and asks it for the registers. */
#include <linux/ftrace.h>

struct pt_regs *st_feature(struct ftrace_regs *regs)
{
	return ftrace_get_regs(regs);
}
