// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The least a probe on a program's function can cost: a uprobe at an offset in a file whose
 * handler, at the entry or (returns=1) at the return, adds one to a per-CPU counter.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/uprobes.h>

static char *path;
static unsigned long offset;
static int returns;
module_param(path, charp, 0);
module_param(offset, ulong, 0);
module_param(returns, int, 0);

static DEFINE_PER_CPU(unsigned long, hits);

/* WITH_HANDLES: a registered uprobe is known by a handle, and handlers get a word of data. */
#ifdef WITH_HANDLES
#define DATA , __u64 *data
static struct uprobe *uprobe;
#else
#define DATA
#endif

static int entry(struct uprobe_consumer *consumer, struct pt_regs *regs DATA)
{
	this_cpu_inc(hits);
	return 0;
}

static int leave(struct uprobe_consumer *consumer, unsigned long func, struct pt_regs *regs DATA)
{
	this_cpu_inc(hits);
	return 0;
}

static struct uprobe_consumer consumer;
static struct inode *inode;

static int __init bare_init(void)
{
	struct path found;
	int err = kern_path(path, LOOKUP_FOLLOW, &found);

	if (err)
		return err;
	inode = igrab(d_real_inode(found.dentry));
	path_put(&found);
	if (returns)
		consumer.ret_handler = leave;
	else
		consumer.handler = entry;
#ifdef WITH_HANDLES
	uprobe = uprobe_register(inode, offset, 0, &consumer);
	return PTR_ERR_OR_ZERO(uprobe);
#else
	return uprobe_register(inode, offset, &consumer);
#endif
}

static void __exit bare_exit(void)
{
#ifdef WITH_HANDLES
	uprobe_unregister_nosync(uprobe, &consumer);
	uprobe_unregister_sync();
#else
	uprobe_unregister(inode, offset, &consumer);
#endif
	iput(inode);
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_LICENSE("GPL");
