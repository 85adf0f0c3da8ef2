// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells what the kernel reads on its way to the handler of a watchpoint.  The kernel itself refuses
 * watchpoints on most of that (within_cpu_entry()), but not on what mitigations read there.
 */
#include <linux/module.h>
#include <linux/percpu.h>

#include "arch/arch.h"
#include "kit_features.h"

/* Does the watched range overlap WORD?  A WORD of 0 overlaps nothing. */
static bool overlaps(unsigned long address, unsigned int length, unsigned long word)
{
	return word && address < word + sizeof(u64) && word < address + length;
}

/*
 * Returns the address of the call depth that a mitigation counts on the CPU; 0 if there is none, or
 * it can't be known.
 */
static unsigned long call_depth(int cpu)
{
#ifdef ST_HAVE_PCPU_HOT_CALL_DEPTH
	return (unsigned long)&per_cpu(pcpu_hot, cpu).call_depth;
#else
	return 0;
#endif
}

bool st_arch_read_on_entry(unsigned long address, unsigned int length)
{
	/* The per-CPU offset; some kernels don't have the variable. */
	unsigned long spec_ctrl = (unsigned long)__symbol_get("x86_spec_ctrl_current");
	bool found = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		found |= spec_ctrl && overlaps(address, length, spec_ctrl + per_cpu_offset(cpu));
		found |= overlaps(address, length, call_depth(cpu));
	}
	if (spec_ctrl)
		__symbol_put("x86_spec_ctrl_current");
	return found;
}
