// SPDX-License-Identifier: GPL-2.0-or-later
/* The ftrace callback is handed struct ftrace_regs. */
#include <linux/ftrace.h>

static void callback(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		     struct ftrace_regs *regs)
{
}

ftrace_func_t st_feature = callback;
