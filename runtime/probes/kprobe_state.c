// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds where the kernel keeps which kprobe is under way. */
#include <linux/uaccess.h>

#include "abi/stap_script.h"
#include "bases.h"
#include "kprobe_state.h"

struct kprobe * __percpu *st_current_kprobe;
struct kprobe_ctlblk __percpu *st_kprobe_ctlblk;

/* Can the variable be read, and does it say that no kprobe is under way now? */
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
	struct kprobe * __percpu *current_kprobe = (void __percpu *)st_variable_address(&st_program.current_kprobe);
	struct kprobe_ctlblk __percpu *ctlblk = (void __percpu *)st_variable_address(&st_program.kprobe_ctlblk);

	if (current_kprobe && ctlblk && is_credible(current_kprobe, ctlblk)) {
		st_kprobe_ctlblk = ctlblk;
		st_current_kprobe = current_kprobe;
	}
}
