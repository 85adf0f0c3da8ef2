// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions about Go's own notions. */
#include <linux/ptrace.h>

#include "arch/arch.h"
#include "handler/context.h"

/*
 * Returns the goroutine's number. Its struct g is in a register throughout Go's functions; debug
 * information says where in it the number is.
 */
st_long st_fn_go_goid(struct st_ctx *c)
{
	unsigned int program = st_context_of(c)->program;
	unsigned int offset = program ? st_program.files[program - 1].goid : 0;

	if (offset)
		return st_uread(c, st_arch_goroutine((struct pt_regs *)c->regs) + offset, sizeof(st_long));
	st_error(c, "go_goid() is for probes of functions in Go programs with debug information");
	return 0;
}
