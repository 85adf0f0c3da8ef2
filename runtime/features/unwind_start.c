// SPDX-License-Identifier: GPL-2.0-or-later
/* Can modules unwind a stack from given registers? */
#include <asm/unwind.h>
#include <linux/sched.h>

unsigned long st_feature(struct pt_regs *regs)
{
	struct unwind_state state;

	unwind_start(&state, current, regs, NULL);
	unwind_next_frame(&state);
	return unwind_get_return_address(&state);
}
