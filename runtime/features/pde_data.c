// SPDX-License-Identifier: GPL-2.0-or-later
/* PDE_DATA() by its newer name. */
#include <linux/proc_fs.h>

void *st_feature(struct inode *inode)
{
	return pde_data(inode);
}
