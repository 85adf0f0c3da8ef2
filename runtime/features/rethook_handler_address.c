// SPDX-License-Identifier: GPL-2.0-or-later
/* A kretprobe has a rethook, whose handler is told where the call returns to, too. */
#include <linux/kprobes.h>

static void told_address(struct rethook_node *node, void *data, unsigned long return_address,
			 struct pt_regs *regs)
{
}

void st_feature(struct kretprobe *rp)
{
	rp->rh->handler = told_address;
}
