// SPDX-License-Identifier: GPL-2.0-or-later
/* Is PDE_DATA() called pde_data()? */
#include <linux/proc_fs.h>

void *st_feature(struct inode *inode)
{
	return pde_data(inode);
}
