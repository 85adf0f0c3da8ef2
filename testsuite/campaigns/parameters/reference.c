// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stap's readings of parameters are compared with: a kprobe on each function of
 * a table, and its parameters by the kernel's own calling convention.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>

#define HITS 1000		/* of one function are kept */
#define PARAMETERS 6

static const struct function {
	const char *name;
	unsigned int n;
	int width[PARAMETERS];	/* in bits; negative: signed */
} functions[] = {
#include "functions.h"
};

#define N ARRAY_SIZE(functions)

static struct probed {
	struct kprobe kprobe;
	atomic_t hits;
	u64 values[HITS][PARAMETERS];
} *probed;

static int pid;
module_param(pid, int, 0);

static int hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	struct probed *p = container_of(kprobe, struct probed, kprobe);
	const struct function *f = &functions[p - probed];
	unsigned int i, at;

	if (current->tgid != pid)
		return 0;
	at = atomic_inc_return(&p->hits) - 1;
	for (i = 0; i < f->n && at < HITS; i++) {
		u64 value = regs_get_kernel_argument(regs, i);
		int rest = 64 - abs(f->width[i]);

		value <<= rest;
		p->values[at][i] = f->width[i] < 0 ? (u64)((s64)value >> rest) : value >> rest;
	}
	return 0;
}

static int show(struct seq_file *s, void *unused)
{
	unsigned int f, at, i;

	for (f = 0; f < N; f++)
		for (at = 0; at < HITS && at < atomic_read(&probed[f].hits); at++) {
			seq_printf(s, "%u", f);
			for (i = 0; i < functions[f].n; i++)
				seq_printf(s, " %llx", probed[f].values[at][i]);
			seq_putc(s, '\n');
		}
	return 0;
}

static int __init reference_init(void)
{
	unsigned int f;

	probed = vzalloc(N * sizeof(*probed));
	if (!probed)
		return -ENOMEM;
	for (f = 0; f < N; f++) {
		probed[f].kprobe.symbol_name = functions[f].name;
		probed[f].kprobe.pre_handler = hit;
		if (register_kprobe(&probed[f].kprobe))
			pr_warn("reference: %s can't be probed\n", functions[f].name);
	}
	proc_create_single("reference", 0400, NULL, show);
	return 0;
}

module_init(reference_init);
MODULE_LICENSE("GPL");
