// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwinding the current process's user stack (stack.h). */
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/uprobes.h>

#include "port/port.h"
#include "arch/arch.h"
#include "handler/context.h"
#include "memory/access.h"
#include "memory/cold.h"
#include "stack.h"

/* The most return probes that a task may be in at once, as in the kernel. */
#define RETURN_PROBES_MOST 64

/* What counts as a step of the handler's time (st_walk()): a frame is so many, and so many of the
 * unwinder's own are one. */
#define FRAME_STEPS 16
#define UNWINDER_STEPS 8

/* ---- what the unwinder asks for ---- */

bool st_unwind_read(struct st_unwind *u, void *to, unsigned long addr, unsigned int n)
{
	return likely(!st_copy_few(to, addr, n)) || st_space_read(to, addr, n);
}

/* Returns a remembered mapping that contains an address; NULL if there is none. */
static struct st_mapping *remembered(struct st_context *x, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < min_t(unsigned int, x->user_mappings, ST_USER_MAPPINGS); i++) {
		struct st_mapping *m = &x->user->mappings[i];

		if (addr - m->start < m->end - m->start)
			return m;
	}
	return NULL;
}

const struct st_mapping *st_user_mapping(struct st_context *x, unsigned long addr)
{
	struct st_mapping *there = remembered(x, addr), found;

	if (likely(there))
		return there;
	if (!st_space_find(addr, &found))
		return NULL;
	there = &x->user->mappings[x->user_mappings++ % ST_USER_MAPPINGS];
	*there = found;
	return there;
}

bool st_unwind_find(struct st_unwind *u, unsigned long addr, struct st_unwind_map *map)
{
	const struct st_mapping *m = st_user_mapping(u->surroundings, addr);

	if (!m)
		return false;
	map->start = m->start;
	map->end = m->end;
	map->offset = m->page << PAGE_SHIFT;
	map->file = m->file;
	map->executable = m->executable;
	return true;
}

bool st_unwind_image(struct st_unwind *u, struct st_unwind_map *map)
{
	map->image = st_space_image(map->start);
	return map->image;
}

#ifdef CONFIG_UPROBES
/*
 * Returns the list of the return probes that the current thread is in.  In some kernels a thread
 * that ends frees its struct before it drops the pointer, so the struct is read fault-safely too.
 */
static struct return_instance *return_probes(void)
{
	struct uprobe_task *utask = READ_ONCE(current->utask);
	struct return_instance *first;

	if (!utask || st_copy_kernel(&first, (unsigned long)&utask->return_instances,
				     sizeof(first)))
		return NULL;
	return first;
}
#endif

/*
 * Returns the real return address.  A return probe puts another one on the stack, and the kernel
 * keeps the real one in a list.  While it runs the handlers of several returns at once (a chain of
 * tail calls), or of none (after longjmp()), the list begins with freed entries: so it is read as
 * memory that may not be there.
 */
unsigned long st_unwind_real_return(unsigned long ip, unsigned long at)
{
#ifdef CONFIG_UPROBES
	struct return_instance r;
	unsigned int i;

	r.next = return_probes();
	for (i = 0; r.next && i < RETURN_PROBES_MOST; i++) {
		if (st_copy_kernel(&r, (unsigned long)r.next, sizeof(r)))
			return ip;
		if (r.stack == at)
			return r.orig_ret_vaddr;
	}
#endif
	return ip;
}

/* ---- the stack ---- */

const struct pt_regs *st_user_regs(const struct st_context *x)
{
	if (x->c.regs && x->user_regs)
		return (struct pt_regs *)x->c.regs;
	if (current->mm && !(current->flags & PF_KTHREAD))
		return task_pt_regs(current);
	return NULL;
}

static void take_registers(struct st_unwind *u, const struct pt_regs *r)
{
	u->word = st_arch_unwind_regs(u->regs, r);
}

void st_user_stack_forget(struct st_context *x)
{
	x->user_frames = 0;
	x->user_mappings = 0;
}

static bool returns_are_replaced(void)
{
#ifdef CONFIG_UPROBES
	return return_probes();
#else
	return false;
#endif
}

static void unwind_user(struct st_context *x)
{
	x->user->unwind.replaced = returns_are_replaced();
	x->user->unwind.surroundings = x;
	x->user_frames = st_unwind(&x->user->unwind, x->user->frames, ST_USER_DEPTH);
	st_walk(&x->c, x->user_frames * FRAME_STEPS + x->user->unwind.steps / UNWINDER_STEPS);
	if (x->user->unwind.end == ST_UNWIND_UNREADABLE)
		st_cold_count();
}

unsigned int st_user_stack(struct st_context *x)
{
	const struct pt_regs *regs = st_user_regs(x);

	if (!x->user_frames && regs) {
		take_registers(&x->user->unwind, regs);
		unwind_user(x);
	}
	return x->user_frames;
}

unsigned int st_user_stack_from(struct st_context *x, unsigned long ip, unsigned long sp,
				unsigned long fp)
{
	unsigned long *to = x->user->unwind.regs;
	const struct pt_regs *regs = st_user_regs(x);

	x->user_frames = 0;
	if (!regs)
		return 0;
	take_registers(&x->user->unwind, regs);
	to[ST_UNWIND_IP] = ip;
	to[ST_UNWIND_SP] = sp;
	to[ST_UNWIND_BP] = fp;
	unwind_user(x);
	return x->user_frames;
}
