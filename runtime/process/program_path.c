// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the path of the program that the current process runs. */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/limits.h>
#include <linux/path.h>
#include <linux/sched.h>

#include "handler/compat.h"
#include "program_path.h"

static struct path st_root;

void st_root_keep(void)
{
	if (!st_root.dentry)
		get_fs_root(current->fs, &st_root);
}

void st_root_release(void)
{
	path_put(&st_root);
	st_root = (struct path){ };
}

/*
 * Does the current process have the loader's root directory? In a copy of the mount namespace, the
 * same directory has another mount.
 */
static bool has_same_root(void)
{
	struct path root;
	bool same;

	get_fs_root(current->fs, &root);
	same = root.dentry == st_root.dentry;
	path_put(&root);
	return same;
}

const char *st_program_path(char *room)
{
	struct file *exe;
	const char *path;

	if (!current->mm || !current->fs || !has_same_root())
		return NULL;
	exe = st_exe_file(current->mm);
	if (!exe)
		return NULL;
	path = d_path(&exe->f_path, room, PATH_MAX);
	fput(exe);
	return IS_ERR(path) ? NULL : path;
}
