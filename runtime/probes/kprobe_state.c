// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the kernel keeps which kprobe is under way. */
#include <linux/uaccess.h>

#include "abi/stap_script.h"
#include "core/bases.h"
#include "kprobe_state.h"

struct kprobe * __percpu *st_current_kprobe;
struct kprobe_ctlblk __percpu *st_kprobe_ctlblk;

/*
 * Returns the variable's per-CPU address, or 0.  Until 6.15 x86 links per-CPU data at 0, and the
 * kernel's base does not move them.
 */
static unsigned long variable_address(const struct st_kernel_variable *variable)
{
	unsigned long base;

	if (variable->base == 0 && (long)variable->address >= 0)
		return variable->address;
	return st_base_address(variable->base, &base) ? base + variable->address : 0;
}

/* Can it be read, and is no kprobe under way now? */
static bool is_credible(struct kprobe * __percpu *current_kprobe, struct kprobe_ctlblk __percpu *ctlblk)
{
	struct kprobe *kprobe;
	struct kprobe_ctlblk control;
	bool yes;

	preempt_disable();
	yes = !copy_from_kernel_nofault(&kprobe, raw_cpu_ptr(current_kprobe), sizeof(kprobe)) && !kprobe &&
	      !copy_from_kernel_nofault(&control, raw_cpu_ptr(ctlblk), sizeof(control));
	preempt_enable();
	return yes;
}

void st_kprobe_state_find(void)
{
	struct kprobe * __percpu *current_kprobe = (void __percpu *)variable_address(&st_program.current_kprobe);
	struct kprobe_ctlblk __percpu *ctlblk = (void __percpu *)variable_address(&st_program.kprobe_ctlblk);

	if (current_kprobe && ctlblk && is_credible(current_kprobe, ctlblk)) {
		st_kprobe_ctlblk = ctlblk;
		st_current_kprobe = current_kprobe;
	}
}
