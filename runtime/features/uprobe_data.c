// SPDX-License-Identifier: GPL-2.0-or-later
/* Do uprobes' handlers get a word of data? */
#include <linux/uprobes.h>

int st_feature(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	__u64 data;

	return consumer->handler(consumer, regs, &data);
}
