// SPDX-License-Identifier: GPL-2.0-or-later
/* Can one call set a filter to many addresses? */
#include <linux/ftrace.h>

int st_feature(struct ftrace_ops *ops, unsigned long *ips)
{
	return ftrace_set_filter_ips(ops, ips, 1, 0, 0);
}
