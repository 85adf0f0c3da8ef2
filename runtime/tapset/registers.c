// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that read registers by name and arguments by number, for scripts
 * that have no debug information to use.
 */
#include <linux/ptrace.h>

#include "core/context.h"

/* Of a register that is not known, in the message. */
#define LONGEST_REGISTER 100u

struct st_register {
	char name[10];
	unsigned char offset;		/* in struct pt_regs */
	bool half;			/* only its lower 32 bits */
};

#ifdef CONFIG_X86_64
#define IP_OFFSET offsetof(struct pt_regs, ip)
#define REGISTER(name, member) { name, offsetof(struct pt_regs, member), false }
#define HALF(name, member) { name, offsetof(struct pt_regs, member), true }
#define OLD(name) \
	REGISTER(#name, name), REGISTER("r" #name, name), HALF("e" #name, name)
#define NEW(name) \
	REGISTER(#name, name), HALF(#name "d", name)

static const struct st_register st_registers[] = {
	OLD(ax), OLD(bx), OLD(cx), OLD(dx), OLD(si), OLD(di), OLD(bp), OLD(sp), OLD(ip),
	NEW(r8), NEW(r9), NEW(r10), NEW(r11), NEW(r12), NEW(r13), NEW(r14), NEW(r15),
	REGISTER("flags", flags), REGISTER("rflags", flags), HALF("eflags", flags),
	REGISTER("orig_ax", orig_ax), REGISTER("orig_rax", orig_ax), HALF("orig_eax", orig_ax),
	REGISTER("cs", cs), REGISTER("xcs", cs), REGISTER("ss", ss), REGISTER("xss", ss),
};
#else
#define IP_OFFSET sizeof(struct pt_regs)
static const struct st_register st_registers[0];
#endif

static bool registers_missing(struct st_ctx *c)
{
	if (!c->regs)
		st_error(c, "cannot access CPU registers in this context");
	return !c->regs;
}

st_long st_fn_register(struct st_ctx *c, int is_signed, struct st_str name)
{
	const struct st_register *r = st_registers;
	unsigned long value;

	if (registers_missing(c))
		return 0;
	for (; r < st_registers + ARRAY_SIZE(st_registers); r++) {
		if (strlen(r->name) != name.len || memcmp(r->name, name.p, name.len))
			continue;
		value = r->offset == IP_OFFSET ? st_fn_addr(c) :
			*(const unsigned long *)((const char *)c->regs + r->offset);
		if (!r->half)
			return value;
		return is_signed ? (st_long)(int)value : (st_long)(unsigned int)value;
	}
	st_error(c, "unknown register: %.*s", (int)min(name.len, LONGEST_REGISTER), name.p);
	return 0;
}

#define ARGS_IN_REGS 6

/* Arguments 6 and above are words above the return address. */
static unsigned long argument_at(struct st_ctx *c, unsigned int n)
{
	return kernel_stack_pointer((struct pt_regs *)c->regs) +
	       (n - ARGS_IN_REGS + 1) * sizeof(long);
}

static unsigned long argument(struct st_ctx *c, unsigned int n)
{
	if (n < ARGS_IN_REGS)
		return regs_get_kernel_argument((struct pt_regs *)c->regs, n);
	return st_context_of(c)->user_regs ? st_uread(c, argument_at(c, n), sizeof(long))
					   : st_kread(c, argument_at(c, n), sizeof(long));
}

static void set_argument(struct st_ctx *c, unsigned int n, unsigned long value)
{
#ifdef CONFIG_X86_64
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	unsigned long *const in_regs[ARGS_IN_REGS] = {
		&regs->di, &regs->si, &regs->dx, &regs->cx, &regs->r8, &regs->r9,
	};

	if (n < ARGS_IN_REGS)
		*in_regs[n] = value;
	else if (st_context_of(c)->user_regs)
		st_uwrite(c, argument_at(c, n), sizeof(value), value);
	else
		st_kwrite(c, argument_at(c, n), sizeof(value), value);
#else
	st_error(c, "arguments can't be set on this processor");
#endif
}

/* Extends the low bytes of a value to all of it; size as for st_fn_arg(). */
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

/* A system call's function has one argument, the address of the registers with the call's. */
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
