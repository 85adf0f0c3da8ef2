// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Brings memory (bring.h).  A mapping may become another one at any time: another thread of the
 * process registers a userfaultfd, or maps another file.  So it is looked at under the lock of the
 * mappings, and the fault is taken under the same lock.  A fault that waits gives the lock back and
 * fails: then the mapping is looked at again.
 */
#include <linux/blkdev.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/userfaultfd_k.h>

#include "abi/backing.h"
#include "handler/compat.h"
#include "bring.h"

static bool is_one_of(const char *name, const char *const *names, unsigned int n)
{
	while (n--)
		if (!strcmp(name, names[n]))
			return true;
	return false;
}

static const char *const own_types[] = { ST_OWN_TYPES };
static const char *const cluster_types[] = { ST_CLUSTER_TYPES };
static const char *const served_disks[] = { ST_SERVED_DISKS };

static bool is_served(const char *disk)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(served_disks); i++)
		if (!strncmp(disk, served_disks[i], strlen(served_disks[i])))
			return true;
	return false;
}

static bool is_of_memory(const struct super_block *sb)
{
	return sb->s_magic == TMPFS_MAGIC || sb->s_magic == RAMFS_MAGIC ||
	       sb->s_magic == HUGETLBFS_MAGIC;
}

/*
 * Is the file system on a disk?  FS_HAS_SUBTYPE excludes FUSE, which may have a block device too.
 */
static bool is_on_disk(const struct super_block *sb)
{
	const struct file_system_type *type = sb->s_type;

	return sb->s_bdev && type->fs_flags & FS_REQUIRES_DEV && !(type->fs_flags & FS_HAS_SUBTYPE) &&
	       !is_one_of(type->name, cluster_types, ARRAY_SIZE(cluster_types)) &&
	       !is_served(sb->s_bdev->bd_disk->disk_name);
}

bool st_file_comes(const struct file *file)
{
	const struct inode *inode = file_inode(file);
	const struct super_block *sb = inode->i_sb;

	return S_ISREG(inode->i_mode) &&
	       (is_of_memory(sb) || is_on_disk(sb) ||
		is_one_of(sb->s_type->name, own_types, ARRAY_SIZE(own_types)));
}

/*
 * Can the kernel itself bring the mapping's pages?  Of special mappings without a file it can if
 * they aren't a device's, like the vdso.
 */
static bool memory_comes(struct vm_area_struct *vma, bool write)
{
	if (write ? !(vma->vm_flags & VM_WRITE) : !vma_is_accessible(vma))
		return false;
	if (vma->vm_flags & (VM_IO | VM_PFNMAP) || userfaultfd_armed(vma))
		return false;
	return vma_is_anonymous(vma) || !vma->vm_file || st_file_comes(vma->vm_file);
}

/*
 * Tries the lock, and never waits in its queue: its holder may itself wait for a program, as it is
 * kept while a page of FUSE comes for the second time.
 */
static bool mappings_take(struct mm_struct *mm, unsigned int *patience)
{
	while (!st_mappings_try(mm)) {
		if (fatal_signal_pending(current) || !*patience)
			return false;
		--*patience;
		schedule_timeout_killable(1);
	}
	return true;
}

int st_bring(unsigned long addr, bool write, unsigned int *patience)
{
	unsigned int flags = FAULT_FLAG_ALLOW_RETRY | FAULT_FLAG_KILLABLE |
			     (write ? FAULT_FLAG_WRITE : 0);
	struct mm_struct *mm = current->mm;
	vm_fault_t fault = VM_FAULT_SIGSEGV;
	struct vm_area_struct *vma;

	if (!mappings_take(mm, patience))
		return -EFAULT;
	vma = st_vma_at(mm, addr);
	if (vma && memory_comes(vma, write))
		fault = handle_mm_fault(vma, addr, flags, NULL);
	if (!st_fault_unlocked(fault))
		st_mappings_give(mm);
	return fault & VM_FAULT_ERROR || fatal_signal_pending(current) ? -EFAULT : 0;
}
