// SPDX-License-Identifier: GPL-2.0-or-later
/* Has a kretprobe a rethook whose handler gets node, data and registers? */
#include <linux/kprobes.h>

static void gets_registers(struct rethook_node *node, void *data, struct pt_regs *regs)
{
}

void st_feature(struct kretprobe *rp)
{
	rp->rh->handler = gets_registers;
}
