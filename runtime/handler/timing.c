// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap -t: how often each place was hit and how many cycles its handler took,
 * printed at the session's end; and how often globals' locks were waited for.
 *
 * Each CPU has one statistic per place for NMIs, which may interrupt the other
 * one's update at any point, and one for everything else.
 */
#include <linux/irqflags.h>

#include "core/report.h"
#include "data/cycles.h"
#include "print.h"
#include "timing.h"

enum { ST_NORMAL, ST_IN_NMI, ST_AREAS };

static DEFINE_PER_CPU(char *, st_taken[ST_AREAS]);

int st_timing_alloc(void)
{
	unsigned long bytes = st_cycles_bytes();
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
	st_cycles_add(area, number, cycles);
	raw_local_irq_restore(flags);
}

/* Pools a place's statistics of all CPUs. */
static void gather(unsigned int number, struct st_stat *all)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < ST_AREAS; i++)
			st_cycles_pool(all, per_cpu(st_taken[i], cpu), number);
}

void st_timing_report(void)
{
	unsigned int i;

	if (!st_program.ntimed)
		return;
	st_cycles_tell(gather);
	for (i = 0; i < st_program.nglobals; i++)
		if (st_program.locks[i].contended)
			st_tell(ST_FMT_TEXT, "'%s' lock contention occurred %u times\n",
				st_program.globals[i].name, st_program.locks[i].contended);
}
