// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that read registers by name and arguments by number, for scripts
 * that have no debug information to use.
 */
#include <linux/ptrace.h>

#include "arch/arch.h"
#include "handler/context.h"

/* How many bytes of an unknown register's name the message shows. */
#define LONGEST_REGISTER 100u

static bool registers_missing(struct st_ctx *c)
{
	if (!c->regs)
		st_error(c, "cannot access CPU registers in this context");
	return !c->regs;
}

st_long st_fn_register(struct st_ctx *c, int is_signed, struct st_str name)
{
	const struct st_register *r;
	unsigned long value;

	if (registers_missing(c))
		return 0;
	r = st_arch_register(name.p, name.len);
	if (!r) {
		st_error(c, "unknown register: %.*s", (int)min(name.len, LONGEST_REGISTER), name.p);
		return 0;
	}
	value = r->offset == ST_ARCH_IP ? st_fn_addr(c) :
		*(const unsigned long *)((const char *)c->regs + r->offset);
	if (!r->half)
		return value;
	return is_signed ? (st_long)(int)value : (st_long)(unsigned int)value;
}

/* Returns argument N. Those that are not in registers are words above the return address. */
static unsigned long argument_at(struct st_ctx *c, unsigned int n)
{
	return kernel_stack_pointer((struct pt_regs *)c->regs) +
	       (n - ST_ARCH_ARGUMENTS + 1) * sizeof(long);
}

static unsigned long argument(struct st_ctx *c, unsigned int n)
{
	if (n < ST_ARCH_ARGUMENTS)
		return regs_get_kernel_argument((struct pt_regs *)c->regs, n);
	return st_context_of(c)->user_regs ? st_uread(c, argument_at(c, n), sizeof(long))
					   : st_kread(c, argument_at(c, n), sizeof(long));
}

static void set_argument(struct st_ctx *c, unsigned int n, unsigned long value)
{
	if (n < ST_ARCH_ARGUMENTS)
		*st_arch_argument((struct pt_regs *)c->regs, n) = value;
	else if (st_context_of(c)->user_regs)
		st_uwrite(c, argument_at(c, n), sizeof(value), value);
	else
		st_kwrite(c, argument_at(c, n), sizeof(value), value);
}

/* Extends the low bytes of a value; SIZE is as for st_fn_arg(). */
static st_long extended(st_long value, int size)
{
	switch (size) {
	case -4:
		return (int)value;
	case 4:
		return (unsigned int)value;
	default:
		return value;
	}
}

static bool no_argument(struct st_ctx *c, st_long n)
{
	if (registers_missing(c))
		return true;
	if (n < 1 || n > (c->point->probe->system_call ? 6 : 32))
		st_error(c, "cannot access arg(%lld)", n);
	return c->error;
}

/*
 * Returns argument N. A system call's function has one argument, the address of the registers that
 * hold the call's arguments.
 */
st_long st_fn_arg(struct st_ctx *c, int size, st_long n)
{
	if (no_argument(c, n))
		return 0;
	return extended(c->point->probe->system_call ? st_fn_syscall_argument(c, n)
						     : argument(c, n - 1), size);
}

void st_fn_set_arg(struct st_ctx *c, int size, st_long n, st_long value)
{
	if (no_argument(c, n))
		return;
	if (c->point->probe->system_call)
		st_fn_set_syscall_argument(c, n, extended(value, size));
	else
		set_argument(c, n - 1, extended(value, size));
}

void st_fn_set_return_value(struct st_ctx *c, st_long value)
{
	if (registers_missing(c))
		return;
	if (!st_fn_is_return(c))
		st_error(c, "set_returnval(): the probe is not at a function's return");
	else
		regs_set_return_value((struct pt_regs *)c->regs, value);
}
