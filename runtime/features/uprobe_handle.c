// SPDX-License-Identifier: GPL-2.0-or-later
/* Does registering a uprobe return a handle? */
#include <linux/uprobes.h>

struct uprobe *st_feature(struct inode *inode, struct uprobe_consumer *consumer)
{
	return uprobe_register(inode, 0, 0, consumer);
}
