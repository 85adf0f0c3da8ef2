// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a program's vector registers, which carry its floating-point numbers. */
#include <linux/sched.h>

#include "arch/arch.h"
#include "handler/context.h"

unsigned long st_vector(struct st_ctx *c, unsigned int reg, unsigned int word)
{
	u64 value = 0;

	if (!st_context_of(c)->user_regs || current->flags & PF_KTHREAD ||
	    !st_arch_vector(reg, word, &value))
		st_error(c, "no vector registers here");
	return value;
}
