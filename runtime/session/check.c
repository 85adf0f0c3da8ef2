// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks that the script is within the bounds (abi/bounds.h) that the runtime relies on, and that
 * what its tables refer to by number is there.
 * The translator ensures it.  A module that was damaged in these numbers is refused before memory
 * is allocated by them and before a handler runs; its code and pointers are believed.  Numbers
 * that only code carries, such as the order buffer of a loop, are checked where they are used.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "abi/srcline.h"
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
	if (p->maxtrylock > (p->untimed ? ST_TRIES_UNTIMED : ST_TRIES_MOST))
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
	if (g->value > ST_V_STAT || (g->percpu && g->value == ST_V_STRING))
		return beyond("the kind of an array's values", g->value);
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
		return g->kind > ST_G_MAP ? beyond("the kind of a variable", g->kind) : 0;
	}
}

/* ---- places ----------------------------------------------------------------- */

static int check_file(unsigned int file)
{
	return file >= st_program.nfiles ? beyond("the number of a program", file) : 0;
}

static int check_base(unsigned int base)
{
	return base >= st_program.nbases && base != ST_NO_BASE
	       ? beyond("the number of a module's section", base) : 0;
}

static int check_site(const void *item, unsigned int n)
{
	const struct st_site *site = item;

	if (site->attach == ST_NO_CODE || site->attach >= ST_TRACEPOINT)
		return beyond("the way to attach to a function", site->attach);
	if (site->maxactive < 0 || site->maxactive > ST_ACTIVE_MOST)
		return beyond("the number of calls followed to their return", site->maxactive);
	return check_base(site->base) ?: site->caller ? check_base(site->caller_base) : 0;
}

static int check_uprobe(const void *item, unsigned int n)
{
	const struct st_uprobe *site = item;

	if (!st_attach_is_user(site->attach))
		return beyond("the way to attach to a program", site->attach);
	return check_file(site->file);
}

static int check_perf(const void *item, unsigned int n)
{
	const struct st_perf *perf = item;

	return perf->counter > n ? beyond("the number of a counter", perf->counter) : 0;
}

static int check_procfs(const void *item, unsigned int n)
{
	const struct st_procfs *file = item;

	return file->maxsize > ST_PROCFS_MOST ? beyond("the size of a file", file->maxsize) : 0;
}

static int check_process(const void *item, unsigned int n)
{
	const struct st_process *process = item;

	if (process->event >= ST_PROCESS_EVENTS)
		return beyond("the event of a process", process->event);
	return process->file == -1 && !process->watch.linked ? 0 : check_file(process->file);
}

/*
 * The families' places: the size of one, and the function that checks it, if it has numbers to
 * check.
 */
static const struct kind {
	const char *family;
	size_t size;
	int (*check)(const void *item, unsigned int n);
} kinds[] = {
	{ "begin", sizeof(struct st_begin) },
	{ "code", sizeof(struct st_site), check_site },
	{ "uprobe", sizeof(struct st_uprobe), check_uprobe },
	{ "trace", sizeof(struct st_trace) },
	{ "perf", sizeof(struct st_perf), check_perf },
	{ "procfs", sizeof(struct st_procfs), check_procfs },
	{ "netfilter", sizeof(struct st_netfilter) },
	{ "process", sizeof(struct st_process), check_process },
	{ "timer", sizeof(struct st_timer) },
};

static int check_places(const struct kind *k, const struct st_table *t)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < t->n && !err; i++) {
		const struct st_point *point = t->items + i * k->size;

		if (st_program.ntimed && point->number >= st_program.ntimed)
			err = beyond("the number of a place", point->number);
		else if (k->check)
			err = k->check(point, t->n);
	}
	return err;
}

static int check_table(const struct st_table *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].family, t->family))
			return check_places(&kinds[i], t);
	return st_fail(-EINVAL, "the module is damaged: it has places of an unknown kind");
}

/* ---- all -------------------------------------------------------------------- */

int st_program_check(void)
{
	unsigned int i;
	int err = check_limits();

	for (i = 0; i < st_program.nglobals && !err; i++)
		err = check_global(&st_program.globals[i]);
	for (i = 0; i < st_program.ntables && !err; i++)
		err = check_table(&st_program.tables[i]);
	for (i = 0; i < st_program.nlines && !err; i++)
		if (!st_lines_check(st_program.lines[i].lines))
			err = st_fail(-EINVAL, "the module is damaged: its table of source lines "
				      "is unsound");
	for (i = 0; i < st_program.nprobes && !err; i++)
		if (st_program.probes[i]->saved_size > ST_SAVED_MOST)
			err = beyond("the data saved at a function's entry",
				     st_program.probes[i]->saved_size);
	return err;
}
