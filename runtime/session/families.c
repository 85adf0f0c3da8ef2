// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The families, armed in this order and disarmed in reverse.  Only the families that the script
 * has a table for are called.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "abi/stap_script.h"
#include "core/report.h"
#include "handler/handler.h"
#include "probes/family.h"
#include "probes/mutex.h"
#include "process/followed.h"
#include "families.h"

/* Covers what is armed, because a refresh runs in a work item, beside the session. */
static DEFINE_MUTEX(st_arming_mutex);

#define ADDRESS_OF(name) &st_##name##_family,

static const struct st_family *const st_families[] = {
	ST_FAMILIES(ADDRESS_OF, ST_NO_FAMILY)
};

/* How many of the first families are prepared, and armed. */
static unsigned int st_nprepared, st_narmed;

static const struct st_table *family_table(const struct st_family *family)
{
	unsigned int i;

	for (i = 0; i < st_program.ntables; i++)
		if (!strcmp(st_program.tables[i].family, family->name))
			return &st_program.tables[i];
	return NULL;
}

unsigned int st_families_places(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < st_program.ntables; i++)
		n += st_program.tables[i].n;
	return n;
}

int st_families_prepare(void)
{
	for (; st_nprepared < ARRAY_SIZE(st_families); st_nprepared++) {
		const struct st_family *family = st_families[st_nprepared];
		const struct st_table *table = family_table(family);
		int err = table ? family->prepare(table->items, table->n) : 0;

		if (err) {
			family->release();
			return err;
		}
	}
	return 0;
}

void st_families_release(void)
{
	while (st_nprepared)
		st_families[--st_nprepared]->release();
}

/* Arms one family after the other, under the arming mutex. */
static int arm_each(void)
{
	for (; st_narmed < ARRAY_SIZE(st_families); st_narmed++) {
		const struct st_family *family = st_families[st_narmed];
		int err = family_table(family) ? family->arm() : 0;

		if (err) {
			family->disarm();
			return err;
		}
	}
	return 0;
}

/* Starts the families: handlers run from here on, unless the session was ended meanwhile. */
static void start_each(void)
{
	unsigned int i;

	if (cmpxchg(&st_state, ST_STARTING, ST_RUNNING) != ST_STARTING)
		return;
	for (i = 0; i < st_narmed; i++)
		if (st_families[i]->started && family_table(st_families[i]))
			st_families[i]->started();
}

int st_families_arm(void)
{
	int err;

	st_mutex_lock_idle(&st_arming_mutex);
	err = st_followed_watch() ?: arm_each();
	if (!err)
		start_each();
	mutex_unlock(&st_arming_mutex);
	return err;
}

bool st_families_lock(void)
{
	while (!mutex_trylock(&st_arming_mutex)) {
		if (READ_ONCE(st_state) != ST_RUNNING)
			return false;
		schedule_timeout_idle(1);
	}
	return true;
}

void st_families_unlock(void)
{
	mutex_unlock(&st_arming_mutex);
}

void st_families_disarm(void)
{
	st_mutex_lock_idle(&st_arming_mutex);
	while (st_narmed)
		if (family_table(st_families[--st_narmed]))
			st_families[st_narmed]->disarm();
	st_followed_unwatch();
	mutex_unlock(&st_arming_mutex);
}

void st_families_refresh(void)
{
	unsigned int i;

	if (!st_families_lock())
		return;
	for (i = 0; i < st_narmed && READ_ONCE(st_state) == ST_RUNNING; i++)
		if (st_families[i]->refresh && family_table(st_families[i]))
			st_families[i]->refresh();
	st_families_unlock();
}

unsigned int st_families_armed(void)
{
	return st_narmed;
}

/* Shows a place without its family's help, by the point that each descriptor begins with. */
static bool show_row(struct seq_file *m, const struct st_table *table, unsigned int n)
{
	const struct st_point *point = table->items + (size_t)n * table->size;

	if (n >= table->n)
		return false;
	st_show_place(m, point, table->family, st_wanted(point->probe) ? "armed" : "off", "-");
	return true;
}

bool st_families_show(struct seq_file *m, unsigned int family, unsigned int n)
{
	const struct st_family *f = st_families[family];
	const struct st_table *table = family_table(f);

	if (!table)
		return false;
	return f->show ? f->show(m, n) : show_row(m, table, n);
}

void st_families_count_missed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_families); i++)
		if (st_families[i]->missed && family_table(st_families[i]))
			atomic_long_add(st_families[i]->missed(), &st_counts.missed);
}
