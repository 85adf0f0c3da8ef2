// SPDX-License-Identifier: GPL-2.0-or-later
/* Are uprobes' filters told why they are asked? */
#include <linux/uprobes.h>

bool st_feature(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	return consumer->filter(consumer, UPROBE_FILTER_MMAP, mm);
}
