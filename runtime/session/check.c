// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks that the script is within the bounds (abi/bounds.h) that the runtime relies on.
 * The translator ensures it.  A module that was damaged in these numbers is refused before memory
 * is allocated by them and before a handler runs; its code and pointers are believed.
 */
#include <linux/errno.h>

#include "abi/stap_script.h"
#include "core/report.h"
#include "session.h"

static int beyond(const char *what, unsigned long long value)
{
	return st_fail(-EINVAL, "the module is damaged: %s (%llu) is out of bounds", what, value);
}

static int check_limits(void)
{
	const struct st_program *p = &st_program;

	if (p->maxstringlen < ST_STRING_LEAST || p->maxstringlen > ST_STRING_MOST)
		return beyond("the length of strings", p->maxstringlen);
	if (p->maxnesting > ST_NESTING_MOST)
		return beyond("the nesting of calls", p->maxnesting);
	if (p->scratch > ST_SCRATCH_MOST)
		return beyond("the memory for a handler's strings", p->scratch);
	if (p->maxtrylock > ST_TRIES_MOST)
		return beyond("the tries for a lock", p->maxtrylock);
	if (p->hist_width > ST_HIST_WIDTH_MOST || p->hist_width < 1)
		return beyond("the width of a histogram", p->hist_width);
	if (p->groups > ST_GROUPS_MOST + 1)
		return beyond("the groups of a regular expression", p->groups);
	if (p->nformats > ST_FORMATS_MOST)
		return beyond("the number of formats", p->nformats);
	if (p->kretactive < 0 || p->kretactive > ST_ACTIVE_MOST)
		return beyond("the number of calls followed to their return", p->kretactive);
	return 0;
}

static int check_statistic(const struct st_stat_decl *d)
{
	if (d->shift < 0 || d->shift > ST_SHIFT_MOST)
		return beyond("the fraction of a variance", d->shift);
	if (d->hist > ST_HIST_LINEAR)
		return beyond("the kind of a histogram", d->hist);
	if (d->hist != ST_HIST_LINEAR)
		return 0;
	if (d->step < 1)
		return beyond("the step of a histogram", d->step);
	if (d->hi <= d->lo)
		return beyond("the end of a histogram", d->hi);
	if (((u64)d->hi - (u64)d->lo) / d->step >= ST_BUCKETS_MOST)
		return beyond("the range of a histogram", (u64)d->hi - (u64)d->lo);
	return 0;
}

static int check_map(const struct st_global *g)
{
	if (g->nkeys < 1 || g->nkeys > ST_MAX_KEYS || g->string_keys >> g->nkeys)
		return beyond("the number of keys of an array", g->nkeys);
	if (g->maxentries < 1 || g->maxentries > ST_ENTRIES_MOST)
		return beyond("the size of an array", g->maxentries);
	return g->value == ST_V_STAT ? check_statistic(&g->stat) : 0;
}

static int check_global(const struct st_global *g)
{
	switch (g->kind) {
	case ST_G_MAP:
		return check_map(g);
	case ST_G_STAT:
		return check_statistic(&g->stat);
	default:
		return 0;
	}
}

int st_program_check(void)
{
	unsigned int i;
	int err = check_limits();

	for (i = 0; i < st_program.nglobals && !err; i++)
		err = check_global(&st_program.globals[i]);
	for (i = 0; i < st_program.nprobes && !err; i++)
		if (st_program.probes[i]->saved_size > ST_SAVED_MOST)
			err = beyond("the data saved at a function's entry",
				     st_program.probes[i]->saved_size);
	return err;
}
