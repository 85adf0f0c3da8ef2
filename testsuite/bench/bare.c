// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The least a probe on vfs_read can cost: a kprobe (kind=0) or a kretprobe
 * (kind=1) whose handler adds one to a per-CPU counter.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>

static int kind;
module_param(kind, int, 0);

static DEFINE_PER_CPU(unsigned long, hits);

static int entry(struct kprobe *p, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static int leave(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kprobe on_entry = { .symbol_name = "vfs_read", .pre_handler = entry };
static struct kretprobe on_return = {
	.kp.symbol_name = "vfs_read", .handler = leave, .maxactive = 256,
};

static int __init bare_init(void)
{
	return kind ? register_kretprobe(&on_return) : register_kprobe(&on_entry);
}

static void __exit bare_exit(void)
{
	if (kind)
		unregister_kretprobe(&on_return);
	else
		unregister_kprobe(&on_entry);
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_LICENSE("GPL");
