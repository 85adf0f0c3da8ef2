// SPDX-License-Identifier: GPL-2.0-or-later
/* Does an ftrace callback get a struct ftrace_regs instead of struct pt_regs? */
#include <linux/ftrace.h>

struct pt_regs *st_feature(struct ftrace_regs *regs)
{
	return ftrace_get_regs(regs);
}
