// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the end of a stack that isn't the task's. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "stack.h"

/*
 * Returns the end of an interrupt's or exception's stack.  The kernel does not export where these
 * lie, but the page below each is unmapped, so all memory down to there that can be read belongs to
 * the stack.  Only without CONFIG_VMAP_STACK other memory lies below an interrupt's stack, which
 * then is aligned to its size.
 *
 * Inlined, it would make its callers check their own stack (CONFIG_STACKPROTECTOR), because it has a
 * variable whose address is taken.
 */
noinline unsigned long st_other_stack_end(unsigned long sp)
{
	unsigned long page = sp & PAGE_MASK, enough = sp - ST_STACK_WANTED;
	char byte;

	if (!IS_ENABLED(CONFIG_VMAP_STACK))
		enough = max(enough, sp & ~(THREAD_SIZE - 1));
	while (page > enough && !copy_from_kernel_nofault(&byte, (char *)page - 1, 1))
		page -= PAGE_SIZE;
	return max(page, enough);
}
