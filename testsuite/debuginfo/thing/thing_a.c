// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/module.h>
#include "thing.h"
static int poke_count = 40;
DEFINE_PER_CPU(struct thing_stat, thing_stat) = { .hits = 7 };
static __always_inline long scale(long by) { long twice = by * 2; poke_count++; return twice; }
noinline long thing_op(struct thing *t, int n)
{
	long sum = scale(n) + t->weight;

	this_cpu_add(thing_stat.hits, n);
	pr_debug("%ld\n", sum);
	return thing_other(t, sum);
}
static int poke(const char *val, const struct kernel_param *kp)
{
	struct thing t = { .weight = 1000, .kind = THING_ROUND, .low = 5, .high = 9, .name = "ball" };
	int n;

	if (kstrtoint(val, 0, &n))
		return -EINVAL;
	return thing_op(&t, n) < 0 ? -ERANGE : 0;
}
static const struct kernel_param_ops ops = { .set = poke };
module_param_cb(poke, &ops, NULL, 0200);
MODULE_LICENSE("GPL");
