// SPDX-License-Identifier: GPL-2.0-or-later
/* The script's program files: their inodes, and where processes have mapped them. */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "port/port.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/context.h"
#include "program.h"

/* The most mappings of a process that are looked at. */
#define ST_MAPPINGS_MOST 4096

static void file_close(struct st_file *f)
{
	iput(f->inode);
	f->inode = NULL;
	if (f->open)
		fput(f->open);
	f->open = NULL;
}

int st_file_set(unsigned int file, int fd)
{
	struct st_file *f;
	struct file *open;

	if (file >= st_program.nfiles)
		return st_fail(-EINVAL, "the module has no file %u", file);
	open = fget(fd);
	if (!open)
		return st_fail(-EBADF, "the loader has no descriptor %d", fd);
	if (!(open->f_mode & FMODE_READ) || !S_ISREG(file_inode(open)->i_mode)) {
		fput(open);
		return st_fail(-EINVAL, "descriptor %d is not a file that can be read", fd);
	}
	f = &st_program.files[file];
	file_close(f);
	f->open = open;
	f->inode = igrab(d_real_inode(open->f_path.dentry));
	return 0;
}

void st_files_close(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nfiles; i++)
		file_close(&st_program.files[i]);
}

bool st_file_has(unsigned int file, const struct st_instruction *at)
{
	unsigned char code[ST_CODE_BYTES];
	loff_t offset = at->offset;

	if (!at->size || at->size > sizeof(code))
		return false;
	return kernel_read(st_program.files[file].open, code, at->size, &offset) == at->size &&
	       !memcmp(code, at->code, at->size);
}

/*
 * Returns the inode of MM's program. d_real_inode() doesn't sleep, because the layers below were
 * looked up when the file was opened.
 */
const struct inode *st_program_of_mm(struct mm_struct *mm)
{
	struct file *exe = st_exe_file(mm);
	const struct inode *inode;

	if (!exe)
		return NULL;
	inode = d_real_inode(exe->f_path.dentry);
	fput(exe);
	return inode;
}

/* Finds how far above its offsets in the file the process has mapped the file's code. */
static bool mapped_at(struct mm_struct *mm, const struct inode *inode, unsigned long *shift)
{
	struct vm_area_struct *vma = find_vma(mm, 0);
	unsigned int i;

	for (i = 0; vma && i < ST_MAPPINGS_MOST; i++) {
		if (vma->vm_file && (vma->vm_flags & VM_EXEC) && file_inode(vma->vm_file) == inode) {
			*shift = vma->vm_start - (vma->vm_pgoff << PAGE_SHIFT);
			return true;
		}
		vma = find_vma(mm, vma->vm_end);
	}
	return false;
}

/*
 * Finds the file's mapping. The lock of the mappings is only tried, and not in interrupts or with
 * interrupts off, because releasing it may take locks that the probed code holds.
 */
static bool find_mapping(struct st_ctx *c, const struct inode *inode, unsigned long *shift)
{
	struct mm_struct *mm = current->mm;
	bool found;

	if (!mm || !inode || !in_task() || irqs_disabled() ||
	    st_walk(c, min_t(unsigned int, READ_ONCE(mm->map_count), ST_MAPPINGS_MOST)) ||
	    !st_mappings_try(mm))
		return false;
	found = mapped_at(mm, inode, shift);
	st_mappings_give(mm);
	return found;
}

bool st_program_shift(unsigned int file, unsigned long *shift)
{
	const struct st_file *f = &st_program.files[file];
	struct mm_struct *mm = current->mm;
	bool found;

	if (!mm || !f->inode)
		return false;
	mmap_read_lock(mm);
	found = mapped_at(mm, f->inode, shift);
	mmap_read_unlock(mm);
	*shift -= f->distance;
	return found;
}

unsigned long st_program_address(struct st_ctx *c, unsigned int file, unsigned long link_addr)
{
	const struct st_context *x = st_context_of(c);
	const struct st_file *f = &st_program.files[file];
	unsigned long shift;

	if (c->error)
		return 0;
	if (x->program == file + 1)
		return link_addr + x->shift;
	if (file >= st_program.nfiles) {
		st_error(c, "the script names no program %u", file);
		return 0;
	}
	if (!find_mapping(c, f->inode, &shift)) {
		st_error(c, "'%s' is not mapped by this process, or its mappings are changing",
			 f->path);
		return 0;
	}
	return link_addr + shift - f->distance;
}
