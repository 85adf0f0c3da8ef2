// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions about the probe that was hit. */
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#ifdef CONFIG_X86_64
#include <asm/fsgsbase.h>
#endif

#include "core/context.h"
#include "probes/code_address.h"

static struct st_str point_text(const char *s)
{
	return (struct st_str){ s, strlen(s) };
}

struct st_str st_fn_pp(struct st_ctx *c)
{
	return point_text(c->point->pp);
}

struct st_str st_fn_pn(struct st_ctx *c)
{
	return point_text(c->point->pn);
}

struct st_str st_fn_ppfunc(struct st_ctx *c)
{
	return point_text(c->point->func);
}

struct st_str st_fn_probefunc(struct st_ctx *c)
{
	if (*c->point->func || !st_fn_addr(c))
		return point_text(c->point->func);
	return st_fn_symname(c, st_fn_addr(c));
}

struct st_str st_fn_probemod(struct st_ctx *c)
{
	if (*c->point->module)
		return point_text(c->point->module);
	return st_fn_modname(c, st_fn_addr(c));
}

st_long st_fn_is_return(struct st_ctx *c)
{
	return st_context_of(c)->return_address != 0;
}

st_long st_fn_user_mode(struct st_ctx *c)
{
	return st_context_of(c)->user_regs;
}

/* Kernel threads and the idle task have no registers of user space. */
unsigned long st_ureg(struct st_ctx *c, unsigned int i)
{
	if (c->regs && st_context_of(c)->user_regs)
		return c->regs[i];
	if (likely(!(current->flags & PF_KTHREAD) && current->mm))
		return ((unsigned long *)task_pt_regs(current))[i];
	st_error(c, "no registers of user space here");
	return 0;
}

/* On x86-64 it is the base of segment fs, which the kernel itself does not use. */
unsigned long st_thread_pointer(struct st_ctx *c)
{
#ifdef CONFIG_X86_64
	return x86_fsbase_read_cpu();
#else
	st_error(c, "thread-local variables can't be found on this processor");
	return 0;
#endif
}

st_long st_fn_registers_valid(struct st_ctx *c)
{
	return c->regs != NULL;
}

/* In a return probe, the address to which the function returns. */
st_long st_fn_addr(struct st_ctx *c)
{
	unsigned long address = st_context_of(c)->return_address;

	if (!c->regs)
		return 0;
	if (!address)
		address = st_code_address(c->point);
	return address ? address : instruction_pointer((struct pt_regs *)c->regs);
}

struct st_str st_fn_module_name(void)
{
	return point_text(THIS_MODULE->name);
}
