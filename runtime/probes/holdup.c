// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at all threads (holdup.h). One that sleeps in a handler shows the place as its next
 * instruction.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>

#include "handler/compat.h"
#include "holdup.h"

enum holdup { NOBODY, LOCKED, AT_PLACE };

static bool is_mapped_at(struct mm_struct *mm, unsigned long addr, const struct inode *inode,
			 loff_t offset)
{
	const struct vm_area_struct *vma = st_vma_at(mm, addr);

	return vma && vma->vm_file && file_inode(vma->vm_file) == inode &&
	       addr - vma->vm_start + ((loff_t)vma->vm_pgoff << PAGE_SHIFT) == offset;
}

/* Looks at a task whose lock is held, so that its memory and stack stay. */
static enum holdup look_at(struct task_struct *task, const struct inode *inode, loff_t offset)
{
	struct mm_struct *mm = task->mm;
	bool there;

	if (!mm || task->flags & ST_KERNEL_THREAD)
		return NOBODY;
	if (!st_mappings_try(mm))
		return LOCKED;
	there = is_mapped_at(mm, instruction_pointer(task_pt_regs(task)), inode, offset);
	st_mappings_give(mm);
	return there && READ_ONCE(task->ST_TASK_STATE) != TASK_RUNNING ? AT_PLACE : NOBODY;
}

const char *st_holdup_find(const struct inode *inode, loff_t offset, struct st_process_text *who)
{
	struct task_struct *process, *task;
	enum holdup found = NOBODY, is;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		task_lock(task);
		is = look_at(task, inode, offset);
		task_unlock(task);
		if (is <= found)
			continue;
		found = is;
		st_process_text(who, task);
	}
	rcu_read_unlock();
	return found == AT_PLACE ? "sleeps at this place" :
	       found == LOCKED ? "keeps its mappings locked" : NULL;
}
