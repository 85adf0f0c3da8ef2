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

st_long st_fn_register(struct st_ctx *c, struct st_str name, int is_signed)
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

/* Arguments 6 and above are words above the return address. */
static unsigned long argument(struct st_ctx *c, unsigned int n)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	const unsigned int in_regs = 6;
	unsigned long at;

	if (n < in_regs)
		return regs_get_kernel_argument(regs, n);
	at = kernel_stack_pointer(regs) + (n - in_regs + 1) * sizeof(at);
	return st_context_of(c)->user_regs ? st_uread(c, at, sizeof(at))
					   : st_kread(c, at, sizeof(at));
}

st_long st_fn_arg(struct st_ctx *c, st_long n, int size)
{
	unsigned long value;

	if (registers_missing(c))
		return 0;
	if (n < 1 || n > 32) {
		st_error(c, "cannot access arg(%lld)", n);
		return 0;
	}
	value = argument(c, n - 1);
	switch (size) {
	case -4:
		return (int)value;
	case 4:
		return (unsigned int)value;
	default:
		return value;
	}
}
