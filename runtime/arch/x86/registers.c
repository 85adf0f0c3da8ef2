// SPDX-License-Identifier: GPL-2.0-or-later
/* The registers of x86-64 by the names that scripts give them. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/arch.h"

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

const struct st_register *st_arch_register(const char *name, unsigned int len)
{
	const struct st_register *r;

	for (r = st_registers; r < st_registers + ARRAY_SIZE(st_registers); r++)
		if (strlen(r->name) == len && !memcmp(r->name, name, len))
			return r;
	return NULL;
}
