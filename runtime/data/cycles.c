// SPDX-License-Identifier: GPL-2.0-or-later
/* stap -t: the cycles that handlers took (cycles.h). */
#include "core/supply.h"
#include "cycles.h"
#include "stat.h"

static const struct st_stat_decl st_cycles_decl = {
	.ops = 1 << ST_COUNT | 1 << ST_SUM | 1 << ST_MIN | 1 << ST_MAX | 1 << ST_AVG |
	       1 << ST_VARIANCE,
};

static struct st_stat *taken_at(char *area, unsigned int number)
{
	return (struct st_stat *)(area + number * st_stat_size(&st_cycles_decl));
}

unsigned long st_cycles_bytes(void)
{
	return st_program.ntimed * st_stat_size(&st_cycles_decl);
}

void st_cycles_add(char *area, unsigned int number, u64 cycles)
{
	st_stat_add(taken_at(area, number), &st_cycles_decl, cycles);
}

void st_cycles_pool(struct st_stat *all, char *area, unsigned int number)
{
	st_stat_pool(all, taken_at(area, number), &st_cycles_decl);
}

static void tell_place(unsigned int number, const struct st_stat *all)
{
	const struct st_timed *t = &st_program.timed[number];

	if (!all->count)
		return;
	/* In several messages, because names may be long. */
	st_tell(ST_FMT_TEXT, "%s", t->pp);
	st_tell(ST_FMT_TEXT, ", (%s), hits: %lld, cycles: %lldmin/%lldavg/%lldmax, variance: %lld,",
		t->where, all->count, all->min, st_stat_value(all, ST_AVG), all->max,
		st_stat_value(all, ST_VARIANCE));
	st_tell(ST_FMT_TEXT, "%s", t->from);
	st_tell(ST_FMT_TEXT, ", index: %u\n", number);
}

void st_cycles_tell(void (*gather)(unsigned int number, struct st_stat *all))
{
	unsigned int i;

	if (st_program.ntimed)
		st_tell(ST_FMT_TEXT, "----- probe hit report: \n");
	for (i = 0; i < st_program.ntimed; i++) {
		struct st_stat all = { 0 };

		gather(i, &all);
		tell_place(i, &all);
	}
}
