// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Maps, against a naive model: an array of elements in order of insertion.
 * Every shape of key and value, whole and in parts, full, wrapping, sliced,
 * sorted; and adders on several CPUs at once.
 */
#include <pthread.h>

#include "data/map.h"
#include "unit.h"

static struct st_map *map;

static struct st_map *new_map(const struct st_global *g)
{
	char message[256] = "";

	unit_reset();
	st_this_cpu_id = 0;
	unit_global = *g;
	unit_global.kind = ST_G_MAP;
	unit_global.name = "m";
	unit_global.slot = &map;
	CHECK_LONG(st_maps_alloc(message, sizeof(message)), 0);
	CHECK_STRING(message, "");
	return map;
}

static void free_map(void)
{
	st_maps_free();
	CHECK(!map);
	CHECK_LONG(unit_allocations, 0);
}

/* ---- the model ---------------------------------------------------------- */

#define MODEL_MAX 512
#define TEXT_MAX 160

struct element {
	st_long number[ST_MAX_KEYS];
	char text[ST_MAX_KEYS][TEXT_MAX];
	st_long value;			/* LONG; STAT: the sum */
	st_long count;			/* STAT */
	char string[TEXT_MAX];
};

static struct element model[MODEL_MAX];
static unsigned int nmodel;

static void cut(char *to, struct st_str s)
{
	unsigned int n = min(s.len, st_program.maxstringlen - 1);

	memcpy(to, s.p, n);
	to[n] = '\0';
}

static bool same(const struct st_global *g, const struct element *e, const union st_arg *k,
		 unsigned int any)
{
	unsigned int i;

	for (i = 0; i < g->nkeys; i++) {
		char text[TEXT_MAX];

		if (any & 1u << i)
			continue;
		if (!(g->string_keys & 1u << i)) {
			if (e->number[i] != k[i].i)
				return false;
			continue;
		}
		cut(text, k[i].s);
		if (strcmp(text, e->text[i]))
			return false;
	}
	return true;
}

static struct element *model_find(const struct st_global *g, const union st_arg *k)
{
	unsigned int i;

	for (i = 0; i < nmodel; i++)
		if (same(g, &model[i], k, 0))
			return &model[i];
	return NULL;
}

static void model_drop(unsigned int i)
{
	memmove(&model[i], &model[i + 1], (nmodel - i - 1) * sizeof(*model));
	nmodel--;
}

static struct element *model_add(const struct st_global *g, const union st_arg *k)
{
	struct element *e = model_find(g, k);
	unsigned int i;

	if (e)
		return e;
	if (nmodel == g->maxentries) {
		if (!g->wrap)
			return NULL;
		model_drop(0);
	}
	e = &model[nmodel++];
	memset(e, 0, sizeof(*e));
	for (i = 0; i < g->nkeys; i++) {
		if (g->string_keys & 1u << i)
			cut(e->text[i], k[i].s);
		else
			e->number[i] = k[i].i;
	}
	return e;
}

/* ---- random keys -------------------------------------------------------- */

static char key_text[ST_MAX_KEYS][TEXT_MAX];

/* Few different ones, of all lengths, some only different behind the cut. */
static void random_keys(const struct st_global *g, union st_arg *k, unsigned int variety)
{
	unsigned int i;

	for (i = 0; i < g->nkeys; i++) {
		unsigned int r = unit_random(variety), n = r * 7 % (TEXT_MAX - 10);

		if (!(g->string_keys & 1u << i)) {
			k[i].i = r % 3 ? (st_long)r : (st_long)((u64)r << 57) - 5;
			continue;
		}
		memset(key_text[i], 'a' + r % 3, n);
		sprintf(key_text[i] + n, "%u", r % 5);
		/* not aligned, not terminated */
		k[i].s = (struct st_str){ key_text[i], strlen(key_text[i]) };
		memcpy(key_text[i] + k[i].s.len, "zz", 3);
	}
}

/* ---- comparing ---------------------------------------------------------- */

static void check_element(const struct st_global *g, struct st_map *m, const union st_arg *k)
{
	struct element *e = model_find(g, k);
	const struct st_stat *st;
	char text[TEXT_MAX];

	CHECK_LONG(st_map_has(&unit_ctx, m, k, 0), e != NULL);
	switch (g->value) {
	case ST_V_STRING:
		cut(text, st_map_get_str(&unit_ctx, m, k));
		CHECK_STRING(text, e ? e->string : "");
		break;
	case ST_V_STAT:
		st = st_map_get_stat(&unit_ctx, m, k);
		CHECK_LONG(st != NULL, e != NULL);
		CHECK_LONG(st_stat_value(st, ST_SUM), e ? e->value : 0);
		CHECK_LONG(st_stat_value(st, ST_COUNT), e ? e->count : 0);
		break;
	default:
		CHECK_LONG(st_map_get(&unit_ctx, m, k), e ? e->value : 0);
	}
}

static void check_current(const struct st_global *g, const struct st_iter *it,
			  const struct element *e)
{
	unsigned int i;

	for (i = 0; i < g->nkeys; i++) {
		if (g->string_keys & 1u << i)
			CHECK_STRING(st_iter_key_str(it, i).p, e->text[i]);
		else
			CHECK_LONG(st_iter_key(it, i), e->number[i]);
	}
	if (g->value == ST_V_STRING)
		CHECK_STRING(st_iter_value_str(it).p, e->string);
	else if (g->value == ST_V_STAT)
		CHECK_LONG(st_stat_value(st_iter_value_stat(it), ST_SUM), e->value);
	else
		CHECK_LONG(st_iter_value(it), e->value);
}

static const struct st_global *sort_global;
static struct st_order sort_order;

static int compare_elements(const void *a, const void *b)
{
	const struct element *x = a, *y = b;
	int by = sort_order.by - 1, order;

	if (by < 0 && sort_global->value == ST_V_STRING)
		order = strcmp(x->string, y->string);
	else if (by < 0 && sort_global->value == ST_V_STAT && sort_order.stat == ST_COUNT)
		order = (x->count > y->count) - (x->count < y->count);
	else if (by < 0)
		order = (x->value > y->value) - (x->value < y->value);
	else if (sort_global->string_keys & 1u << by)
		order = strcmp(x->text[by], y->text[by]);
	else
		order = (x->number[by] > y->number[by]) - (x->number[by] < y->number[by]);
	return sort_order.descending ? -order : order;
}

/* Stable, unlike qsort(). */
static void sort_elements(struct element *e, unsigned int n)
{
	unsigned int i, j;

	for (i = 1; i < n; i++) {
		struct element x = e[i];

		for (j = i; j && compare_elements(&e[j - 1], &x) > 0; j--)
			e[j] = e[j - 1];
		e[j] = x;
	}
}

static void check_iteration(const struct st_global *g, struct st_map *m,
			    const struct st_order *how, const union st_arg *k, unsigned int any)
{
	static struct element want[MODEL_MAX];
	struct st_iter it;
	unsigned int i, n = 0, seen = 0;

	for (i = 0; i < nmodel; i++)
		if (any == ~0u || same(g, &model[i], k, any))
			want[n++] = model[i];
	sort_global = g;
	sort_order = *how;
	if (how->by)
		sort_elements(want, n);
	if (how->limit >= 0 && how->limit < n)
		n = how->limit;
	st_iter_begin(&unit_ctx, &it, m, how, k, any);
	CHECK(!unit_ctx.error);
	for (; st_iter_next(&unit_ctx, &it); seen++)
		if (seen < n)
			check_current(g, &it, &want[seen]);
	st_iter_end(&it);
	CHECK_LONG(seen, n);
}

static void check_iterations(const struct st_global *g, struct st_map *m)
{
	union st_arg k[ST_MAX_KEYS];
	struct st_order how = { .limit = -1 };

	CHECK_LONG(st_map_count(&unit_ctx, m), nmodel);
	check_iteration(g, m, &how, NULL, ~0u);
	random_keys(g, k, 20);
	check_iteration(g, m, &how, k, unit_random(1u << g->nkeys));
	how.sorter = unit_random(2);
	how.by = (int)unit_random(g->nkeys + 1);
	how.by = how.by ? how.by : -1;
	how.descending = unit_random(2);
	how.stat = unit_random(2) ? ST_SUM : ST_COUNT;
	if (unit_random(2))
		how.limit = unit_random(60);
	check_iteration(g, m, &how, NULL, ~0u);
	check_iteration(g, m, &how, k, unit_random(1u << g->nkeys));
}

/* ---- random operations -------------------------------------------------- */

static void change(const struct st_global *g, struct st_map *m, const union st_arg *k)
{
	struct element *e = model_add(g, k);
	st_long v = unit_random(50), *ref;
	char text[32];
	bool set = unit_random(2);

	if (g->percpu && !e)		/* a part has room of its own: test_parts_overflow() */
		return;
	switch (g->value) {
	case ST_V_STRING:
		snprintf(text, sizeof(text), "value %lld", v);
		st_map_set_str(&unit_ctx, m, k, unit_str(text));
		if (e)
			strcpy(e->string, text);
		break;
	case ST_V_STAT:
		st_map_add_stat(&unit_ctx, m, k, v);
		if (e) {
			e->value += v;
			e->count++;
		}
		break;
	default:
		if (set && !g->percpu) {
			st_map_set(&unit_ctx, m, k, v);
		} else if (unit_random(2) || g->percpu) {
			st_map_add(&unit_ctx, m, k, v);
		} else {
			ref = st_map_ref(&unit_ctx, m, k);
			CHECK_LONG(ref != NULL, e != NULL);
			if (ref)
				*ref += v;
		}
		if (e)
			e->value = set && !g->percpu ? v : e->value + v;
	}
	if (g->percpu)
		st_map_count(&unit_ctx, m);	/* drains: elements come into the whole in this order */
	CHECK_LONG(unit_ctx.error != NULL, e == NULL);
	if (!e)
		CHECK_STRING(unit_error(), "Array overflow, check MAXMAPENTRIES");
	unit_reset();
}

static void drop(const struct st_global *g, struct st_map *m, const union st_arg *k,
		 unsigned int any)
{
	unsigned int i;
	bool had = false;

	for (i = nmodel; i--;) {
		if (same(g, &model[i], k, any)) {
			model_drop(i);
			had = true;
		}
	}
	CHECK_LONG(st_map_has(&unit_ctx, m, k, any), had);
	st_map_delete(&unit_ctx, m, k, any);
	CHECK_LONG(st_map_has(&unit_ctx, m, k, any), 0);
}

static void random_operations(const struct st_global *g, unsigned int variety)
{
	struct st_map *m = new_map(g);
	union st_arg k[ST_MAX_KEYS];
	int i;

	nmodel = 0;
	for (i = 0; i < 3000; i++) {
		unsigned int what = unit_random(100);

		random_keys(g, k, variety);
		if (what < 60)
			change(g, m, k);
		else if (what < 75)
			drop(g, m, k, 0);
		else if (what < 77)
			drop(g, m, k, unit_random(1u << g->nkeys));
		else if (what < 95)
			check_element(g, m, k);
		else if (what < 99 || i % 16)
			check_iterations(g, m);
		else {
			st_map_clear(&unit_ctx, m);
			nmodel = 0;
		}
	}
	check_iterations(g, m);
	free_map();
}

static void test_random(void)
{
	static const struct { unsigned int n, strings; } keys[] = {
		{ 1, 0 }, { 1, 1 }, { 2, 0 }, { 2, 1 }, { 3, 5 }, { 9, 0x155 },
	};
	unsigned int i, value, wrap, percpu;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		for (value = ST_V_LONG; value <= ST_V_STAT; value++)
			for (wrap = 0; wrap < 2; wrap++)
				for (percpu = 0; percpu < 2; percpu++) {
					struct st_global g = {
						.nkeys = keys[i].n, .string_keys = keys[i].strings,
						.value = value, .maxentries = 1 + unit_random(100),
						.wrap = wrap, .percpu = percpu, .nsorters = 2,
						.stat.ops = 1 << ST_SUM,
					};

					if (percpu && value == ST_V_STRING)
						continue;
					random_operations(&g, keys[i].n > 2 ? 4 : 150);
				}
}

/* ---- parts -------------------------------------------------------------- */

/* The same elements added on all CPUs are one when read. */
static void test_parts(void)
{
	struct st_global g = {
		.nkeys = 1, .string_keys = 1, .maxentries = 64, .percpu = 1, .nsorters = 1,
	};
	struct st_order how = { .by = -1, .descending = 1, .limit = 2 };
	struct st_map *m = new_map(&g);
	union st_arg k = { .s = ST_LIT("apple") }, k2 = { .s = ST_LIT("pear") };
	struct st_iter it;

	for (st_this_cpu_id = 0; st_this_cpu_id < UNIT_CPUS; st_this_cpu_id++) {
		st_map_add(&unit_ctx, m, &k, 1);
		if (st_this_cpu_id % 2)
			st_map_add(&unit_ctx, m, &k2, 10);
	}
	st_this_cpu_id = 0;
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), UNIT_CPUS);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k2), UNIT_CPUS / 2 * 10);
	CHECK_LONG(st_map_count(&unit_ctx, m), 2);
	st_iter_begin(&unit_ctx, &it, m, &how, NULL, ~0u);
	CHECK(st_iter_next(&unit_ctx, &it));
	CHECK_STRING(st_iter_key_str(&it, 0).p, "pear");
	CHECK_LONG(st_iter_value(&it), UNIT_CPUS / 2 * 10);
	CHECK_LONG(st_map_count(&unit_ctx, m), 2);
	CHECK(st_iter_next(&unit_ctx, &it));
	CHECK_LONG(st_iter_value(&it), UNIT_CPUS);
	CHECK(!st_iter_next(&unit_ctx, &it));
	CHECK(!st_iter_next(&unit_ctx, &it));
	st_iter_end(&it);
	st_map_delete(&unit_ctx, m, &k, 0);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), 0);
	CHECK_LONG(st_map_count(&unit_ctx, m), 1);
	free_map();
}

static void check_overflow(void)
{
	CHECK_STRING(unit_error(), "Array overflow, check MAXMAPENTRIES");
	unit_reset();
}

/* Each CPU's part holds its share, the whole not all of them: whatever reads says so. */
static void test_parts_overflow(void)
{
	struct st_global g = { .nkeys = 1, .maxentries = 10, .percpu = 1 };
	struct st_map *m = new_map(&g);
	struct st_iter it;
	union st_arg k;

	for (k.i = 0; k.i < 20; k.i++) {
		st_this_cpu_id = k.i / 10;
		st_map_add(&unit_ctx, m, &k, 1);
	}
	CHECK(!unit_ctx.error);
	st_map_count(&unit_ctx, m);
	check_overflow();
	k.i = 1;
	st_map_get(&unit_ctx, m, &k);
	check_overflow();
	st_map_has(&unit_ctx, m, &k, 1);
	check_overflow();
	st_map_delete(&unit_ctx, m, &k, 0);
	check_overflow();
	st_iter_begin(&unit_ctx, &it, m, NULL, NULL, ~0u);
	CHECK(!st_iter_next(&unit_ctx, &it));
	st_iter_end(&it);
	check_overflow();
	st_map_clear(&unit_ctx, m);
	CHECK_LONG(st_map_count(&unit_ctx, m), 0);
	CHECK(!unit_ctx.error);
	free_map();
}

/* A handler that holds the map sees what was added before and by itself; what
 * others add meanwhile survives its delete. */
static void test_held(void)
{
	struct st_global g = { .nkeys = 1, .maxentries = 10, .percpu = 1 };
	struct st_map *m = new_map(&g);
	union st_arg k = { .i = 7 };

	st_map_add(&unit_ctx, m, &k, 1);
	st_this_cpu_id = 1;
	st_map_add(&unit_ctx, m, &k, 2);
	st_this_cpu_id = 0;
	st_map_hold(&unit_ctx, m);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), 3);
	st_map_add(&unit_ctx, m, &k, 10);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), 13);
	st_this_cpu_id = 1;
	st_map_add(&unit_ctx, m, &k, 100);
	st_this_cpu_id = 0;
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), 13);
	st_map_clear(&unit_ctx, m);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), 0);
	st_map_release(m);
	st_map_hold(&unit_ctx, m);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), 100);
	st_map_release(m);
	free_map();
}

/* A loop within a loop over the same map sees what the outer one does. */
static void test_nested(void)
{
	struct st_global g = { .nkeys = 1, .maxentries = 10, .percpu = 1, .nsorters = 1 };
	struct st_order sorted = { .by = 1, .limit = -1 };
	struct st_map *m = new_map(&g);
	struct st_iter outer, inner, again;
	union st_arg k;
	int pairs = 0;

	for (k.i = 0; k.i < 5; k.i++)
		st_map_add(&unit_ctx, m, &k, 1);
	st_iter_begin(&unit_ctx, &outer, m, &sorted, NULL, ~0u);
	while (st_iter_next(&unit_ctx, &outer)) {
		st_iter_begin(&unit_ctx, &inner, m, NULL, NULL, ~0u);
		while (st_iter_next(&unit_ctx, &inner))
			pairs++;
		st_iter_end(&inner);
	}
	CHECK_LONG(pairs, 25);
	st_iter_begin(&unit_ctx, &again, m, &sorted, NULL, ~0u);
	CHECK(unit_ctx.error);
	CHECK(!st_iter_next(&unit_ctx, &again));
	st_iter_end(&again);
	st_iter_end(&outer);
	unit_reset();
	st_map_add(&unit_ctx, m, &k, 1);
	st_iter_begin(&unit_ctx, &again, m, &sorted, NULL, ~0u);
	for (pairs = 0; st_iter_next(&unit_ctx, &again); pairs++)
		;
	CHECK_LONG(pairs, 6);
	st_iter_end(&again);
	free_map();
}

/* ---- time ----------------------------------------------------------------- */

#define LARGE 20000
#define LARGE_SLICES (LARGE / ST_WALK_SLICE)

/* Returns the error, and forgets it. */
static const char *late(void)
{
	static char text[256];

	snprintf(text, sizeof(text), "%s", unit_error());
	unit_reset();
	return text;
}

#define CHECK_LATE() CHECK_STRING(late(), "the handler takes too long")

static void fill(struct st_map *m)
{
	union st_arg k[2];

	for (k[0].i = 0; k[0].i < LARGE; k[0].i++) {
		k[1].i = k[0].i * 7 % 1000;
		st_map_add(&unit_ctx, m, k, 1);
	}
	CHECK(!unit_ctx.error);
}

/* The rest of what was not drained stays in the part, and nothing is counted twice. */
static void test_late_drain(void)
{
	struct st_global g = { .nkeys = 2, .maxentries = LARGE, .percpu = 1 };
	struct st_map *m = new_map(&g);
	union st_arg k[2] = { { .i = LARGE - 1 }, { .i = (LARGE - 1) * 7 % 1000 } };

	fill(m);
	unit_slices = 3;
	CHECK_LONG(st_map_get(&unit_ctx, m, k), 0);
	CHECK_LATE();
	CHECK_LONG(m->whole->count, 3 * ST_WALK_SLICE - 1);
	CHECK_LONG(m->cpu[0]->count, LARGE - m->whole->count);
	unit_slices = 1;
	st_map_hold(&unit_ctx, m);
	st_map_release(m);
	CHECK_LATE();
	CHECK_LONG(st_map_count(&unit_ctx, m), LARGE);
	CHECK_LONG(st_map_get(&unit_ctx, m, k), 1);
	free_map();
}

/* Slices are walked over in statements that each take little of the time. */
static void test_late_slices(void)
{
	struct st_global g = { .nkeys = 2, .maxentries = LARGE };
	struct st_map *m = new_map(&g);
	union st_arg absent[2] = { { .i = 0 }, { .i = -1 } }, near[2] = { { .i = 0 }, { .i = 500 } };
	struct st_iter it;
	int i;

	fill(m);
	unit_slices = LARGE_SLICES;
	CHECK(!st_map_has(&unit_ctx, m, absent, 1));
	CHECK_LATE();
	unit_slices = 10;
	for (i = 0; !unit_ctx.error && i < LARGE; i++)
		st_map_has(&unit_ctx, m, near, 1);
	CHECK(i < 10 * ST_WALK_SLICE / 400);
	CHECK_LATE();
	unit_slices = 5;
	st_iter_begin(&unit_ctx, &it, m, NULL, absent, 1);
	CHECK(!st_iter_next(&unit_ctx, &it));
	st_iter_end(&it);
	CHECK_LATE();
	absent[1].i = 3;
	unit_slices = 10;
	st_map_delete(&unit_ctx, m, absent, 1);
	CHECK_LATE();
	i = st_map_count(&unit_ctx, m);
	CHECK(i > LARGE - LARGE / 1000 && i < LARGE);
	st_map_delete(&unit_ctx, m, absent, 1);
	CHECK_LONG(st_map_count(&unit_ctx, m), LARGE - LARGE / 1000);
	free_map();
}

/* Keys whose hashes are the same: one chain holds all. */
static st_long colliding(unsigned int i)
{
	return i * 0xf1de83e19937733dull;
}

/* Looking up, adding and removing are counted by the nodes of the chain. */
static void test_late_chain(void)
{
	struct st_global g = { .nkeys = 1, .maxentries = 5000, .wrap = 1 };
	struct st_map *m = new_map(&g);
	union st_arg k;
	unsigned int i, lookups;

	for (i = 0; i < g.maxentries; i++) {
		k.i = colliding(i);
		st_map_set(&unit_ctx, m, &k, i);
	}
	k.i = colliding(0);
	unit_slices = 10;
	for (lookups = 0; !unit_ctx.error && lookups < 100; lookups++)
		st_map_get(&unit_ctx, m, &k);
	CHECK(lookups >= 9 && lookups < 25);
	CHECK_LATE();
	unit_slices = 10;
	for (; !unit_ctx.error && i < 2 * g.maxentries; i++) {
		k.i = colliding(i);
		st_map_set(&unit_ctx, m, &k, i);
	}
	CHECK(i < g.maxentries + 15);
	CHECK_LATE();
	CHECK_LONG(st_map_count(&unit_ctx, m), g.maxentries);
	k.i = colliding(i - 2);
	CHECK_LONG(st_map_get(&unit_ctx, m, &k), i - 2);
	free_map();
}

/* Draining takes each part's oldest elements first, which are the last of their chain. */
static void test_late_chain_drain(void)
{
	struct st_global g = { .nkeys = 1, .maxentries = 3000, .percpu = 1 };
	struct st_map *m = new_map(&g);
	union st_arg k;
	unsigned int i;

	for (i = 0; i < g.maxentries; i++) {
		k.i = colliding(i);
		st_map_add(&unit_ctx, m, &k, 1);
	}
	CHECK(!unit_ctx.error);
	unit_slices = 10;
	CHECK_LONG(st_map_count(&unit_ctx, m), 0);
	CHECK_LATE();
	CHECK(m->whole->count < 40);
	CHECK_LONG(m->whole->count + m->cpu[0]->count, g.maxentries);
	CHECK_LONG(st_map_count(&unit_ctx, m), g.maxentries);
	free_map();
}

/* Wherever a sort ends early, the loop doesn't run, and the next one does. */
static void test_late_sort(void)
{
	static const st_long limits[] = { -1, 10 };
	struct st_global g = { .nkeys = 2, .maxentries = LARGE, .nsorters = 1 };
	struct st_map *m = new_map(&g);
	struct st_order how = { .by = 2 };
	struct st_iter it;
	unsigned int i, n;
	long slices;

	fill(m);
	for (i = 0; i < 2; i++) {
		how.limit = limits[i];
		for (slices = 1; slices < (i ? 2 : 8) * LARGE_SLICES; slices += 3) {
			unit_slices = slices;
			st_iter_begin(&unit_ctx, &it, m, &how, NULL, ~0u);
			CHECK(!st_iter_next(&unit_ctx, &it));
			st_iter_end(&it);
			CHECK_LATE();
		}
		st_iter_begin(&unit_ctx, &it, m, &how, NULL, ~0u);
		for (n = 0; st_iter_next(&unit_ctx, &it); n++)
			CHECK(n % (LARGE / 1000) || st_iter_key(&it, 1) == n / (LARGE / 1000));
		st_iter_end(&it);
		CHECK_LONG(n, i ? 10 : LARGE);
	}
	free_map();
}

/* Clearing is counted by the table's size, and is done or not. */
static void test_late_clear(void)
{
	struct st_global g = { .nkeys = 2, .maxentries = 300000 };
	struct st_map *m = new_map(&g);
	int i;

	for (i = 0; i < 10; i++) {
		fill(m);
		st_map_clear(&unit_ctx, m);
		CHECK_LONG(st_map_count(&unit_ctx, m), 0);
	}
	fill(m);
	unit_slices = 1;
	st_map_clear(&unit_ctx, m);
	CHECK_LATE();
	CHECK_LONG(st_map_count(&unit_ctx, m), LARGE);
	free_map();
}

/* ---- slices of the map's own ---------------------------------------------- */

/* Wrapping reuses the node the new element's key or value points into. */
static void test_own_strings(void)
{
	struct st_global g = {
		.nkeys = 1, .string_keys = 1, .value = ST_V_STRING, .maxentries = 2, .wrap = 1,
	};
	struct st_map *m = new_map(&g);
	union st_arg a = { .s = ST_LIT("a") }, b = { .s = ST_LIT("b") }, c = { .s = ST_LIT("c") };

	st_map_set_str(&unit_ctx, m, &a, unit_str("value of a"));
	st_map_set_str(&unit_ctx, m, &b, unit_str("value of b"));
	st_map_set_str(&unit_ctx, m, &c, st_map_get_str(&unit_ctx, m, &a));
	CHECK(!st_map_has(&unit_ctx, m, &a, 0));
	CHECK_STRING(st_map_get_str(&unit_ctx, m, &c).p, "value of a");
	b.s = st_map_get_str(&unit_ctx, m, &b);
	st_map_set_str(&unit_ctx, m, &b, unit_str("found"));
	b.s = unit_str("value of b");
	CHECK_STRING(st_map_get_str(&unit_ctx, m, &b).p, "found");
	free_map();
}

/* ---- memory ------------------------------------------------------------- */

static void test_no_memory(void)
{
	struct st_global g = {
		.name = "big", .kind = ST_G_MAP, .slot = &map, .nkeys = 1, .string_keys = 1,
		.maxentries = 2048, .percpu = 1, .nsorters = 2, .value = ST_V_STAT,
	};
	char message[256];
	long n;

	unit_global = g;
	for (n = 0; n < 12; n++) {
		unit_fail_after = n;
		CHECK_LONG(st_maps_alloc(message, sizeof(message)), -ENOMEM);
		CHECK(!map);
		CHECK_LONG(unit_allocations, 0);
	}
	unit_fail_after = -1;
	unit_global.maxentries = 2000000000;
	CHECK_LONG(st_maps_alloc(message, sizeof(message)), -ENOMEM);
	CHECK(strstr(message, "'big'") && strstr(message, "lower MAXMAPENTRIES"));
	unit_global.maxentries = 100000;
	unit_pages = 1000;
	CHECK_LONG(st_maps_alloc(message, sizeof(message)), -ENOMEM);
	CHECK(strstr(message, "not enough memory for the script's globals ("));
	CHECK(strstr(message, "of 'big' (") && strstr(message, "lower the declared size"));
	CHECK_LONG(unit_allocations, 0);
	/* order buffers count, */
	unit_global = (struct st_global){
		.name = "m", .kind = ST_G_MAP, .slot = &map, .nkeys = 1, .maxentries = 20000,
	};
	CHECK_LONG(st_maps_alloc(message, sizeof(message)), 0);
	st_maps_free();
	unit_global.nsorters = 100;
	CHECK_LONG(st_maps_alloc(message, sizeof(message)), -ENOMEM);
	/* and statistics */
	unit_global = (struct st_global){
		.name = "s", .kind = ST_G_STAT, .slot = &map,
		.stat = { .hist = ST_HIST_LINEAR, .hi = 1000000, .step = 1 },
	};
	CHECK_LONG(st_maps_alloc(message, sizeof(message)), -ENOMEM);
	CHECK(strstr(message, "of 's' (") && strstr(message, "buckets"));
	unit_pages = 1 << 20;
}

/* ---- several CPUs at once ------------------------------------------------- */

#define ADDS 100000
#define KEYS 50

static void *adder(void *cpu)
{
	struct st_ctx c = { .error = NULL };
	union st_arg k;
	char text[32];
	int i;

	st_this_cpu_id = (long)cpu;
	for (i = 0; i < ADDS; i++) {
		snprintf(text, sizeof(text), "key number %d", i % KEYS);
		k.s = unit_str(text);
		st_map_add(&c, map, &k, 1);
	}
	CHECK(!c.error);
	return NULL;
}

/* CPU 4 has no part of its own and shares another's. */
static void test_threads(void)
{
	struct st_global g = {
		.nkeys = 1, .string_keys = 1, .maxentries = KEYS, .percpu = 1, .nsorters = 1,
	};
	struct st_order how = { .by = -1, .limit = -1 };
	struct st_map *m = new_map(&g);
	pthread_t threads[UNIT_CPUS];
	long cpu;
	st_long sum = 0;
	struct st_iter it;
	int i;

	st_program.maxtrylock = ~0u;	/* nobody gives up, however slow the machine */
	for (cpu = 0; cpu < UNIT_CPUS; cpu++)
		pthread_create(&threads[cpu], NULL, adder, (void *)cpu);
	st_this_cpu_id = UNIT_CPUS;		/* none of theirs: the reader's */
	for (i = 0; i < 100; i++) {
		st_iter_begin(&unit_ctx, &it, m, &how, NULL, ~0u);
		while (st_iter_next(&unit_ctx, &it))
			;
		st_iter_end(&it);
		st_map_count(&unit_ctx, m);
	}
	for (cpu = 0; cpu < UNIT_CPUS; cpu++)
		pthread_join(threads[cpu], NULL);
	st_this_cpu_id = 0;
	st_iter_begin(&unit_ctx, &it, m, &how, NULL, ~0u);
	while (st_iter_next(&unit_ctx, &it))
		sum += st_iter_value(&it);
	st_iter_end(&it);
	CHECK_LONG(sum, UNIT_CPUS * ADDS);
	CHECK_LONG(st_map_count(&unit_ctx, m), KEYS);
	free_map();
}

/* A key has room for the longest that is stored; a longer one is not found, and does no harm. */
static void test_key_room(void)
{
	static const struct st_global g = {
		.nkeys = 2, .string_keys = 3, .key_room = { 4 }, .maxentries = 8,
	};
	union st_arg k[] = { { .s = ST_LIT("abc") }, { .s = ST_LIT("any length") } };
	union st_arg longer[] = { { .s = ST_LIT("abcdefghijklmnopqrstuvwxyz") }, k[1] };
	struct st_map *m = new_map(&g);
	struct st_global any = g;

	any.key_room[0] = 0;
	CHECK(st_map_bytes(&g, 512) < st_map_bytes(&any, 512));
	st_map_set(&unit_ctx, m, k, 7);
	CHECK_LONG(st_map_get(&unit_ctx, m, k), 7);
	CHECK_LONG(st_map_get(&unit_ctx, m, longer), 0);
	st_map_set(&unit_ctx, m, longer, 8);
	CHECK_LONG(st_map_get(&unit_ctx, m, k), 7);
	free_map();
}

int main(void)
{
	test_random();
	test_key_room();
	test_parts();
	test_parts_overflow();
	test_held();
	test_nested();
	test_late_drain();
	test_late_slices();
	test_late_chain();
	test_late_chain_drain();
	test_late_sort();
	test_late_clear();
	test_own_strings();
	test_no_memory();
	test_threads();
	return unit_failures != 0;
}
