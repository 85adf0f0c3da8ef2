// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory of the script's globals, which is allocated before the first handler
 * runs; and the slow path of the lock of one CPU's data.
 */
#include "core/supply.h"
#include "agg.h"
#include "globals.h"
#include "map.h"

#define ST_NMI_WAIT_NS 100000

/*
 * Waits for the lock. Another CPU holds it, to read the part or because it shares it; or this CPU
 * holds it, and an NMI wants it too, which can't wait for the code it interrupted.
 */
bool st_cpu_lock_slow(struct st_cpu_lock *l, int me)
{
	u64 patience = in_nmi() ? min_t(u64, ST_NMI_WAIT_NS, st_patience()) : st_patience();
	u64 began = ktime_get_mono_fast_ns(), took = 0;
	bool done = false;

	while (!done && took <= patience) {
		int holder = READ_ONCE(l->holder);

		if (holder == me)
			break;
		done = !holder && atomic_try_cmpxchg_acquire((atomic_t *)&l->holder, &holder, me);
		cpu_relax();
		took = ktime_get_mono_fast_ns() - began;
	}
	st_waited(min(took, patience));
	if (!done)
		st_skip();
	return done;
}

static int no_memory(const struct st_global *g, char *message, unsigned int room)
{
	snprintf(message, room, "not enough memory for global '%s'", g->name);
	return -ENOMEM;
}

static int too_big(const struct st_global *g, char *message, unsigned int room)
{
	snprintf(message, room, "map '%s' is too big to address; lower MAXMAPENTRIES, its "
		 "declared size or MAXSTRINGLEN", g->name);
	return -ENOMEM;
}

static unsigned long long megabytes(u64 bytes)
{
	return (bytes >> 20) + 1;
}

/* Writes the message that the globals take too much: LARGEST takes MOST of ALL bytes. */
static int too_much(const struct st_global *largest, u64 most, u64 all, char *message,
		    unsigned int room)
{
	snprintf(message, room, "not enough memory for the script's globals (%llu MB); of '%s' "
		 "(%llu MB) lower %s", megabytes(all), largest->name, megabytes(most),
		 largest->kind == ST_G_MAP ? "the declared size, MAXMAPENTRIES or MAXSTRINGLEN"
					   : "the number of histogram buckets");
	return -ENOMEM;
}

/* Returns the memory of a global that may be large; 0 if it is more than can be addressed. */
static u64 global_bytes(const struct st_global *g)
{
	if (g->kind == ST_G_MAP)
		return st_map_bytes(g, st_program.maxstringlen);
	return g->kind == ST_G_STAT ? st_agg_bytes(&g->stat) : sizeof(st_long);
}

u64 st_maps_bytes(void)
{
	u64 all = 0;
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		all += global_bytes(&st_program.globals[i]);
	return all;
}

/* Is there room for all globals together?  Each alone might leave the machine a quarter of what the
 * ones before it left. */
static int check_globals(char *message, unsigned int room)
{
	const struct st_global *largest = NULL;
	u64 most = 0, all = 0;
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++) {
		const struct st_global *g = &st_program.globals[i];
		u64 bytes = global_bytes(g);

		if (!bytes)
			return too_big(g, message, room);
		all += bytes;
		if (bytes > most) {
			most = bytes;
			largest = g;
		}
	}
	return all <= st_data_room() ? 0 : too_much(largest, most, all, message, room);
}

/* Fills a global's slot. Returns false if there is no memory. */
static bool global_alloc(const struct st_global *g)
{
	void *p;

	switch (g->kind) {
	case ST_G_COUNTER:
		p = st_counter_new(g->init);
		break;
	case ST_G_STAT:
		p = st_agg_new(&g->stat);
		break;
	case ST_G_MAP:
		p = st_map_new(g, st_program.maxstringlen);
		break;
	default:
		return true;		/* generated code defines the variable */
	}
	*(void **)g->slot = p;
	return p;
}

static void global_free(const struct st_global *g)
{
	switch (g->kind) {
	case ST_G_COUNTER:
		st_counter_free(*(struct st_counter **)g->slot);
		break;
	case ST_G_STAT:
		st_agg_free(*(struct st_agg **)g->slot);
		break;
	case ST_G_MAP:
		st_map_free(*(struct st_map **)g->slot);
		break;
	default:
		return;
	}
	*(void **)g->slot = NULL;
}

int st_maps_alloc(char *message, unsigned int room)
{
	unsigned int i;
	int err = check_globals(message, room);

	if (err)
		return err;
	for (i = 0; i < st_program.nglobals; i++) {
		const struct st_global *g = &st_program.globals[i];

		if (!global_alloc(g)) {
			st_maps_free();
			return no_memory(g, message, room);
		}
	}
	return 0;
}

void st_maps_free(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		global_free(&st_program.globals[i]);
}
