// SPDX-License-Identifier: GPL-2.0-or-later
/* Has a kretprobe a rethook whose handler also gets the return address? */
#include <linux/kprobes.h>

static void told_address(struct rethook_node *node, void *data, unsigned long return_address,
			 struct pt_regs *regs)
{
}

void st_feature(struct kretprobe *rp)
{
	rp->rh->handler = told_address;
}
