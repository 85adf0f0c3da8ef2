// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Do these bits of a task keep all function tracers off it?  Where TRACE_FTRACE_MAX is defined, bits
 * of what calls a tracer let it pass.
 */
#include <linux/sched.h>
#include <linux/trace_recursion.h>

#ifdef TRACE_FTRACE_MAX
#error "recursion is allowed"
#endif

void st_feature(struct task_struct *task)
{
	task->trace_recursion |= 1ul << (TRACE_FTRACE_START + TRACE_CTX_TRANSITION) |
				 1ul << (TRACE_LIST_START + TRACE_CTX_TRANSITION);
}
