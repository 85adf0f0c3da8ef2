// SPDX-License-Identifier: GPL-2.0-or-later
/* A kretprobe has a rethook, whose handler is told the registers. */
#include <linux/kprobes.h>

static void told_registers(struct rethook_node *node, void *data, struct pt_regs *regs)
{
}

void st_feature(struct kretprobe *rp)
{
	rp->rh->handler = told_registers;
}
