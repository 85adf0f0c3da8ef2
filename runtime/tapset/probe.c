// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions about the probe that was hit. */
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>

#include "arch/arch.h"
#include "handler/compat.h"
#include "handler/context.h"
#include "probes/code_address.h"
#include "point.h"

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

/* Returns a register of user space; kernel threads and the idle task have none. */
unsigned long st_ureg(struct st_ctx *c, unsigned int i)
{
	if (c->regs && st_context_of(c)->user_regs)
		return c->regs[i];
	if (likely(!(current->flags & PF_KTHREAD) && current->mm))
		return ((unsigned long *)task_pt_regs(current))[i];
	st_error(c, "no registers of user space here");
	return 0;
}

unsigned long st_thread_pointer(struct st_ctx *c)
{
	return st_arch_thread_pointer();
}

st_long st_fn_registers_valid(struct st_ctx *c)
{
	return c->regs != NULL;
}

/*
 * Returns the address of the place; in a return probe, the address to which the function returns.
 */
st_long st_fn_addr(struct st_ctx *c)
{
	unsigned long address = st_context_of(c)->return_address;

	if (!c->regs)
		return 0;
	if (!address)
		address = st_code_address(c->point);
	return address ? address : instruction_pointer((struct pt_regs *)c->regs);
}

struct st_str st_fn_module_name(struct st_ctx *c)
{
	return point_text(THIS_MODULE->name);
}

struct st_str st_fn_module_size(struct st_ctx *c)
{
	size_t rodata;
	union st_arg args[3];

	st_module_rodata(THIS_MODULE, &rodata);
	args[0].i = st_module_text_size(THIS_MODULE);
	args[1].i = rodata;
	args[2].i = st_module_data_size(THIS_MODULE);
	return st_format(c, "text %d rodata %d data %d", args, 3);
}

/* Returns the table that contains the place: the last of those that begin before it. */
static const struct st_table *table_of(const struct st_point *point)
{
	const struct st_table *t, *found = NULL;

	for (t = st_program.tables; t < st_program.tables + st_program.ntables; t++)
		if (t->n && t->items <= (const void *)point && (!found || t->items > found->items))
			found = t;
	return found;
}

static const char *attach_name(enum st_attach attach)
{
	static const char *const names[ST_ATTACHES] = {
		[ST_FTRACE] = "ftrace", [ST_FTRACE_RETURN] = "kretprobe",
		[ST_KPROBE] = "kprobe", [ST_KRETPROBE] = "kretprobe",
		[ST_UPROBE] = "uprobe", [ST_URETPROBE] = "uretprobe",
		[ST_URETURNS] = "uprobe", [ST_GO_RETURN] = "uprobe",
	};

	return names[attach] ?: "";
}

static struct st_str timer_name(const struct st_timer *timer)
{
	return timer->jiffies ? ST_LIT("timer") : ST_LIT("hrtimer");
}

static struct st_str process_event_name(const struct st_process *process)
{
	return process->event == ST_SYSCALL || process->event == ST_SYSCALL_RETURN ?
		ST_LIT("utrace_syscall") : ST_LIT("utrace");
}

struct st_str st_fn_probe_type(struct st_ctx *c)
{
	const struct st_table *table = table_of(c->point);

	if (!table)
		return ST_LIT("");
	if (!strcmp(table->family, "begin"))
		return ST_LIT("begin_end");
	if (!strcmp(table->family, "code"))
		return point_text(attach_name(((const struct st_site *)c->point)->attach));
	if (!strcmp(table->family, "uprobe"))
		return point_text(attach_name(((const struct st_uprobe *)c->point)->attach));
	if (!strcmp(table->family, "trace"))
		return ST_LIT("kernel_tracepoint");
	if (!strcmp(table->family, "perf"))
		return ST_LIT("perf_event");
	if (!strcmp(table->family, "timer"))
		return timer_name((const struct st_timer *)c->point);
	if (!strcmp(table->family, "process"))
		return process_event_name((const struct st_process *)c->point);
	return point_text(table->family);
}
