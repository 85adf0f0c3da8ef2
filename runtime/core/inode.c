// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds inodes by path. */
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/namei.h>

#include "compat.h"
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

/* The layers below were looked up when the file was opened: d_real_inode() doesn't sleep. */
const struct inode *st_inode_of_mm(struct mm_struct *mm)
{
	struct file *exe = st_exe_file(mm);
	const struct inode *inode;

	if (!exe)
		return NULL;
	inode = d_real_inode(exe->f_path.dentry);
	fput(exe);
	return inode;
}
