// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters and scalar statistics: each CPU adds to its own part.  Counters are summed
 * when read; statistics are drained into one, as maps are (map.h).
 *
 * Adding to a counter is one instruction on the CPU's own word, which can't be
 * interrupted half-way.  A statistic has several words, so adding takes the lock of the
 * CPU's part (cpu_lock.h).
 */
#include "agg.h"
#include "cpu_lock.h"
#include "globals.h"

/* ---- counters ----------------------------------------------------------- */

/* Returns a counter's parts: a struct st_counter * is their per-CPU address. */
static st_long __percpu *counter_parts(const struct st_counter *k)
{
	return (st_long __percpu *)k;
}

struct st_counter *st_counter_new(st_long init)
{
	struct st_counter *k = (struct st_counter *)alloc_percpu(st_long);

	if (k)
		st_counter_set(k, init);
	return k;
}

void st_counter_free(struct st_counter *k)
{
	free_percpu(counter_parts(k));
}

void st_counter_add(struct st_counter *k, st_long delta)
{
	this_cpu_add(*counter_parts(k), delta);
}

st_long st_counter_sum(const struct st_counter *k)
{
	u64 sum = 0;			/* it wraps around */
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(counter_parts(k), cpu));
	return sum;
}

void st_counter_set(struct st_counter *k, st_long v)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		WRITE_ONCE(*per_cpu_ptr(counter_parts(k), cpu), v);
		v = 0;
	}
}

/* ---- statistics --------------------------------------------------------- */

struct part {
	struct st_cpu_lock lock;
	struct st_stat st;
};

struct st_agg {
	const struct st_stat_decl *decl;
	struct part **part;		/* [CPU]; NULL for a CPU that can't exist */
	struct st_stat *whole;
	bool held;			/* between st_agg_hold() and st_agg_release() */
};

u64 st_agg_bytes(const struct st_stat_decl *d)
{
	return min_t(u64, st_stat_size(d), U32_MAX) * (1 + num_possible_cpus());
}

struct st_agg *st_agg_new(const struct st_stat_decl *d)
{
	u64 size = st_stat_size(d);
	struct st_agg *a;
	int cpu;

	if (size > INT_MAX)
		return NULL;
	a = st_data_alloc(sizeof(*a), NUMA_NO_NODE);
	if (!a)
		return NULL;
	a->decl = d;
	a->whole = st_data_alloc(size, NUMA_NO_NODE);
	a->part = st_data_alloc(nr_cpu_ids * sizeof(*a->part), NUMA_NO_NODE);
	if (!a->whole || !a->part)
		goto fail;
	for_each_possible_cpu(cpu) {
		a->part[cpu] = st_data_alloc(ALIGN(offsetof(struct part, st) + size, 64),
					     cpu_to_node(cpu));
		if (!a->part[cpu])
			goto fail;
	}
	return a;
fail:
	st_agg_free(a);
	return NULL;
}

void st_agg_free(struct st_agg *a)
{
	int cpu;

	if (!a)
		return;
	if (a->part)
		for_each_possible_cpu(cpu)
			kvfree(a->part[cpu]);
	kvfree(a->part);
	kvfree(a->whole);
	kvfree(a);
}

void st_agg_add(struct st_ctx *c, struct st_agg *a, st_long v)
{
	struct part *part;
	unsigned long flags;
	int cpu;

	if (unlikely(c->error))
		return;
	raw_local_irq_save(flags);
	cpu = raw_smp_processor_id();
	part = a->part[cpu];
	if (likely(st_cpu_trylock(&part->lock, cpu))) {
		st_stat_add(&part->st, a->decl, v);
		st_cpu_unlock(&part->lock);
	}
	raw_local_irq_restore(flags);
}

static void clear(struct st_agg *a, struct st_stat *st)
{
	memset(st, 0, st_stat_size(a->decl));
}

/* Pools one CPU's part into the whole, with interrupts off. */
static void collect_part(struct st_ctx *c, struct st_agg *a, struct part *part)
{
	if (!READ_ONCE(part->st.count) || st_walk(c, 1 + st_hist_buckets(a->decl) / 64) ||
	    !st_cpu_trylock(&part->lock, raw_smp_processor_id()))
		return;
	st_stat_pool(a->whole, &part->st, a->decl);
	clear(a, &part->st);
	st_cpu_unlock(&part->lock);
}

static void collect_all(struct st_ctx *c, struct st_agg *a)
{
	int cpu;

	for_each_possible_cpu(cpu)
		collect_part(c, a, a->part[cpu]);
}

static void settle(struct st_ctx *c, struct st_agg *a)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (a->held)
		collect_part(c, a, a->part[raw_smp_processor_id()]);
	else
		collect_all(c, a);
	raw_local_irq_restore(flags);
}

void st_agg_hold(struct st_ctx *c, struct st_agg *a)
{
	collect_all(c, a);
	a->held = true;
}

void st_agg_release(struct st_agg *a)
{
	a->held = false;
}

void st_agg_clear(struct st_ctx *c, struct st_agg *a)
{
	settle(c, a);
	clear(a, a->whole);
}

void st_agg_pool(struct st_agg *a, const struct st_stat *from)
{
	st_stat_pool(a->whole, from, a->decl);
}

const struct st_stat *st_agg_merge(struct st_ctx *c, struct st_agg *a)
{
	settle(c, a);
	return a->whole;
}
