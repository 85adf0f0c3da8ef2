// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds inodes by path. */
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/namei.h>

#include "inode.h"

int st_inode_find(const char *path, struct inode **inode)
{
	struct path found;
	int err = kern_path(path, LOOKUP_FOLLOW, &found);

	if (err)
		return err;
	*inode = igrab(d_real_inode(found.dentry));
	path_put(&found);
	return *inode ? 0 : -ENOENT;
}
