// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds instructions that a kprobe can't step.  It steps a copy, and what it knows of the step is
 * per-CPU data until the step is over.
 *
 * The kernel's exception table has the instructions that may fault, each with the place where the
 * kernel goes on then.  When a copy faults, x86 looks the copy's address up, which is not in the table,
 * and dies.  Only page faults are different: the kernel first puts the instruction's own address back.
 *
 *	native_read_msr_safe: rdmsr → #GP: an entry → returns -EIO
 *	native_read_msr_safe: rdmsr → kprobe → copy of rdmsr → #GP: no entry → die()
 *
 * So no kprobe is set on an instruction in the kernel's table.  Modules have tables of their own,
 * which we can't find, so there the opcode decides.
 *
 * A CPU that goes offline halts, and comes back at another place: the step is never over.  Each
 * page fault on that CPU would look at the kprobe, which may be gone.
 */
#include <linux/extable.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "bases.h"
#include "code.h"

static unsigned long entry_address(const struct exception_table_entry *e)
{
	return (unsigned long)&e->insn + e->insn;
}

/* Is the address in the kernel's exception table, which is sorted by address? */
static bool in_kernel_table(unsigned long address)
{
	const struct exception_table_entry *low, *high, *mid;
	unsigned long base;

	if (!st_program.ex_table || !st_base_address(0, &base))
		return false;
	low = (void *)(base + st_program.ex_table);
	high = (void *)(base + st_program.ex_table_end);
	while (low < high) {
		mid = low + (high - low) / 2;
		if (entry_address(mid) == address)
			return true;
		if (entry_address(mid) < address)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool st_cant_step(unsigned long address)
{
	unsigned char code[ST_OPCODE_BYTES];

	if (in_kernel_table(address))
		return true;
	return !copy_from_kernel_nofault(code, (void *)address, sizeof(code)) && st_opcode_cant_step(code);
}
