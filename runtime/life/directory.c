// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/systemtap/MODULE.
 *
 * All script modules share the directory /proc/systemtap, which stays once it exists.  Creating it
 * twice would make the kernel warn, so a module looks for it first, under a lock that all of them
 * can find: the lock of the kernel's built-in parameters, which is exported and the same in every
 * namespace.
 */
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/namei.h>
#include <linux/proc_fs.h>

#include "abi/transport.h"
#include "directory.h"

static struct proc_dir_entry *st_dir;

/* Is /proc the kernel's whole procfs?  One mounted with subset=pid, or another file system
 * there, doesn't show whether the directory exists. */
static int check_proc(void)
{
	struct path known;
	int err = kern_path("/proc/modules", 0, &known);

	if (err)
		return err;
	if (known.dentry->d_sb->s_magic != PROC_SUPER_MAGIC ||
	    known.dentry->d_parent != known.dentry->d_sb->s_root)
		err = -ENODEV;
	path_put(&known);
	return err;
}

/* Finds the shared directory or makes it, under the shared lock. */
static int find_or_make_dir(void)
{
	struct path dir;
	int err = kern_path("/proc/" ST_PROC_DIR, 0, &dir);

	if (!err)
		path_put(&dir);
	else if (err == -ENOENT)
		err = proc_mkdir_mode(ST_PROC_DIR, 0555, NULL) ? 0 : -ENOMEM;
	return err;
}

static int shared_dir(void)
{
	int err = check_proc();

	if (err)
		return err;
	kernel_param_lock(NULL);
	err = find_or_make_dir();
	kernel_param_unlock(NULL);
	return err;
}

int st_directory_create(void)
{
	char path[sizeof(ST_PROC_DIR) + 1 + MODULE_NAME_LEN];
	int err = shared_dir();

	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/%s", ST_PROC_DIR, THIS_MODULE->name);
	st_dir = proc_mkdir_mode(path, 0555, NULL);
	return st_dir ? 0 : -ENOMEM;
}

struct proc_dir_entry *st_directory(void)
{
	return st_dir;
}

void st_directory_remove(void)
{
	proc_remove(st_dir);
}
