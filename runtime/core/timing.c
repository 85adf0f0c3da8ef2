// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap -t: how often each place was hit and how many cycles its handler took,
 * printed at the session's end; and how often globals' locks were waited for.
 *
 * Each CPU has one statistic per place for NMIs, which may interrupt the other
 * one's update at any point, and one for everything else.
 */
#include <linux/irqflags.h>

#include "data/stat.h"
#include "print.h"
#include "report.h"
#include "timing.h"

enum { ST_NORMAL, ST_IN_NMI, ST_AREAS };

static const struct st_stat_decl st_cycles_decl = {
	.ops = 1 << ST_COUNT | 1 << ST_SUM | 1 << ST_MIN | 1 << ST_MAX | 1 << ST_AVG |
	       1 << ST_VARIANCE,
};

static DEFINE_PER_CPU(char *, st_taken[ST_AREAS]);

static struct st_stat *taken_at(char *area, unsigned int number)
{
	return (struct st_stat *)(area + number * st_stat_size(&st_cycles_decl));
}

int st_timing_alloc(void)
{
	u64 bytes = st_program.ntimed * st_stat_size(&st_cycles_decl);
	unsigned int i;
	int cpu;

	if (!bytes)
		return 0;
	for_each_possible_cpu(cpu)
		for (i = 0; i < ST_AREAS; i++) {
			char *area = st_data_alloc(bytes, cpu_to_node(cpu));

			if (!area) {
				st_timing_free();
				return st_fail(-ENOMEM, "no memory to time %u places (-t)",
					       st_program.ntimed);
			}
			per_cpu(st_taken[i], cpu) = area;
		}
	return 0;
}

void st_timing_free(void)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < ST_AREAS; i++) {
			kvfree(per_cpu(st_taken[i], cpu));
			per_cpu(st_taken[i], cpu) = NULL;
		}
}

void st_timing_add(unsigned int number, bool in_nmi, unsigned long long cycles)
{
	char *area = __this_cpu_read(st_taken[in_nmi ? ST_IN_NMI : ST_NORMAL]);
	unsigned long flags;

	raw_local_irq_save(flags);
	st_stat_add(taken_at(area, number), &st_cycles_decl, cycles);
	raw_local_irq_restore(flags);
}

/* Pools a place's statistics of all CPUs. */
static void gather(unsigned int number, struct st_stat *all)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < ST_AREAS; i++)
			st_stat_pool(all, taken_at(per_cpu(st_taken[i], cpu), number),
				     &st_cycles_decl);
}

static void report_place(unsigned int number)
{
	const struct st_timed *t = &st_program.timed[number];
	struct st_stat all = { 0 };

	gather(number, &all);
	if (!all.count)
		return;
	/* In several messages: names may be long. */
	st_tell(ST_FMT_TEXT, "%s", t->pp);
	st_tell(ST_FMT_TEXT, ", (%s), hits: %lld, cycles: %lldmin/%lldavg/%lldmax, variance: %lld,",
		t->where, all.count, all.min, st_stat_value(&all, ST_AVG), all.max,
		st_stat_value(&all, ST_VARIANCE));
	st_tell(ST_FMT_TEXT, "%s", t->from);
	st_tell(ST_FMT_TEXT, ", index: %u\n", number);
}

void st_timing_report(void)
{
	unsigned int i;

	if (!st_program.ntimed)
		return;
	st_tell(ST_FMT_TEXT, "----- probe hit report: \n");
	for (i = 0; i < st_program.ntimed; i++)
		report_place(i);
	for (i = 0; i < st_program.nglobals; i++)
		if (st_program.locks[i].contended)
			st_tell(ST_FMT_TEXT, "'%s' lock contention occurred %u times\n",
				st_program.globals[i].name, st_program.locks[i].contended);
}
