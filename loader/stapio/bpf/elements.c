// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies arrays between the kernel's maps and the interpreter's (elements.h). */
#include "elements.h"

#include <stdlib.h>
#include <string.h>

#include "core/state.h"
#include "data/map.h"
#include "internal.h"
#include "system.h"

static const struct st_global *decl(unsigned global)
{
	return &st_program.globals[global];
}

/* How many parts a value has, and their bytes, each a multiple of 8. */
static unsigned parts(const struct handlers *h, unsigned global)
{
	return h->plan->globals[global].share == BPF_ADDED ? h->cpus : 1;
}

static unsigned part_bytes(const struct handlers *h, unsigned global)
{
	return h->plan->globals[global].value;
}

/* ---- statistics ------------------------------------------------------------------ */

/* Words of all, and of those with a variance. */
enum { COUNT, SUM, LEAST, GREATEST, WORDS };
enum { BUSY = WORDS, MEAN, SQUARES, VARIANCE_WORDS };

static unsigned buckets_at(const struct st_stat_decl *d)
{
	return st_keeps(d, ST_VARIANCE) ? VARIANCE_WORDS : WORDS;
}

unsigned encoded_bytes(const struct st_stat_decl *d)
{
	return 8 * (buckets_at(d) + st_hist_buckets(d));
}

struct st_stat *decoded_statistic(const char *encoded, const struct st_stat_decl *d)
{
	static struct st_stat *st;
	static u64 room;
	const uint64_t *word = (const uint64_t *)encoded;
	u64 size = st_stat_size(d);

	if (size > room) {
		st = realloc(st, size);
		if (!st)
			abort();
		room = size;
	}
	memset(st, 0, size);
	st->count = word[COUNT];
	st->sum = word[SUM];
	st->min = ~word[LEAST] ^ 1ull << 63;
	st->max = word[GREATEST] ^ 1ull << 63;
	for (unsigned i = 0; i < st_hist_buckets(d); i++)
		st->bucket[i] = word[buckets_at(d) + i];
	if (st_keeps(d, ST_VARIANCE)) {
		st->mean = word[MEAN];
		st->squares = word[SQUARES];
		st->shift = d->shift;
	}
	return st;
}

/*
 * Of what is pooled the kernel gets the mean of all, and their squared deviations from it (runtime/data/stat.h), so that
 * @variance is the same there.
 */
static void encode_variance(uint64_t *word, const struct st_stat *st)
{
	uint64_t mean = st->mean, squares = st->squares;

	if (st->pooled && st->count > 0) {
		mean = (st_long)((uint64_t)st->sum << st->shift) / st->count;
		squares = (uint64_t)st->n_mean2 - 2 * mean * (uint64_t)st->n_mean + st->count * mean * mean +
			  (uint64_t)st->n_variance;
	}
	word[BUSY] = 0;
	word[MEAN] = mean;
	word[SQUARES] = squares;
}

void settle_statistic(char *encoded, const struct st_stat_decl *d)
{
	struct st_stat_decl without = *d;
	struct st_stat pooled = { 0 };

	without.hist = ST_HIST_NONE;
	st_stat_pool(&pooled, decoded_statistic(encoded, d), &without);
	if (pooled.count && st_keeps(d, ST_VARIANCE))
		encode_variance((uint64_t *)encoded, &pooled);
}

void encode_statistic(char *encoded, const struct st_stat *st, const struct st_stat_decl *d)
{
	uint64_t *word = (uint64_t *)encoded;

	if (!st->count)
		return;
	word[COUNT] = st->count;
	word[SUM] = st->sum;
	word[LEAST] = ~(st->min ^ 1ull << 63);
	word[GREATEST] = st->max ^ 1ull << 63;
	for (unsigned i = 0; i < st_hist_buckets(d); i++)
		word[buckets_at(d) + i] = st_hist_bucket(st, i);
	if (st_keeps(d, ST_VARIANCE))
		encode_variance(word, st);
}

/* ---- reading ------------------------------------------------------------------------ */

static int by_sequence(const void *a, const void *b)
{
	const struct element *x = a, *y = b;

	return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* Returns an element's number in the order: that of the part that was added first.  0: not on that CPU. */
static uint64_t sequence_of(const struct handlers *h, unsigned global, const char *value)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < parts(h, global); i++) {
		uint64_t n = *(const uint64_t *)(value + i * part_bytes(h, global));

		if (n && n < least)
			least = n;
	}
	return least;
}

bool elements_read(struct elements *e, const struct handlers *h, unsigned global, int map, bool remove)
{
	const struct bpf_global *g = &h->plan->globals[global];
	size_t most = decl(global)->maxentries, value = (size_t)part_bytes(h, global) * parts(h, global);
	uint32_t n = most;

	*e = (struct elements){ .of = h, .global = global };
	e->keys = malloc(most * g->key);
	e->values = malloc(most * value);
	e->v = calloc(most, sizeof(*e->v));
	if (!e->keys || !e->values || !e->v)
		return false;
	if (system_elements(map, e->keys, e->values, &n, remove))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		e->v[i] = (struct element){ .sequence = sequence_of(h, global, e->values + i * value),
					    .key = e->keys + i * g->key, .value = e->values + i * value };
		if (decl(global)->value == ST_V_STAT && g->share == BPF_OWNED)
			settle_statistic(e->values + i * value + 8, &decl(global)->stat);
	}
	e->n = n;
	qsort(e->v, n, sizeof(*e->v), by_sequence);
	return true;
}

void elements_free(struct elements *e)
{
	free(e->keys);
	free(e->values);
	free(e->v);
	*e = (struct elements){ 0 };
}

/* ---- into the interpreter's array ------------------------------------------------------ */

static unsigned key_room(const struct st_global *g, unsigned i)
{
	return ((g->key_room[i] ? g->key_room[i] : st_program.maxstringlen) + 7) / 8 * 8;
}

/* Takes a key apart. */
static void decode_key(const struct st_global *g, const char *key, union st_arg *k)
{
	for (unsigned i = 0; i < g->nkeys; i++) {
		if (!(g->string_keys & 1u << i)) {
			memcpy(&k[i].i, key, 8);
			key += 8;
		} else {
			k[i].s = (struct st_str){ key, strnlen(key, key_room(g, i)) };
			key += key_room(g, i);
		}
	}
}

static void add_statistics(struct st_ctx *c, const struct elements *e, const struct element *from, struct st_map *m,
			   const union st_arg *k)
{
	struct st_node *n = st_map_node(c, m, m->whole, k, st_hash_keys(&m->shape, k));

	if (!n && !c->error)
		st_map_overflow(c, m);
	for (unsigned i = 0; n && i < parts(e->of, e->global); i++) {
		const char *part = from->value + i * part_bytes(e->of, e->global) + 8;

		if (*(const uint64_t *)part)
			st_stat_pool(st_value_stat(n), decoded_statistic(part, &decl(e->global)->stat),
				     &decl(e->global)->stat);
	}
}

static void add_numbers(struct st_ctx *c, const struct elements *e, const struct element *from, struct st_map *m,
			const union st_arg *k)
{
	st_long *to = st_map_ref(c, m, k);

	for (unsigned i = 0; to && i < parts(e->of, e->global); i++)
		*to += *(const unsigned long long *)(from->value + i * part_bytes(e->of, e->global) + 8);
}

void elements_add(struct st_ctx *c, const struct elements *e, struct st_map *m)
{
	const struct st_global *g = decl(e->global);
	union st_arg k[ST_MAX_KEYS];

	if (st_map_settle(c, m))
		return;
	for (size_t i = 0; i < e->n && !c->error; i++) {
		const struct element *from = &e->v[i];

		decode_key(g, from->key, k);
		if (g->value == ST_V_STAT)
			add_statistics(c, e, from, m, k);
		else if (g->value == ST_V_STRING)
			st_map_set_str(c, m, k, (struct st_str){ from->value + 16,
								 strnlen(from->value + 16, st_program.maxstringlen - 1) });
		else
			add_numbers(c, e, from, m, k);
	}
}

/* ---- back to the kernel ------------------------------------------------------------------ */

static size_t key_bytes;		/* of the elements that are compared */

static int by_key(const void *a, const void *b)
{
	return memcmp(((const struct element *)a)->key, ((const struct element *)b)->key, key_bytes);
}

/* Puts a key together. */
static void encode_key(const struct st_global *g, const struct st_iter *it, char *key)
{
	for (unsigned i = 0; i < g->nkeys; i++) {
		if (!(g->string_keys & 1u << i)) {
			st_long n = st_iter_key(it, i);

			memcpy(key, &n, 8);
			key += 8;
		} else {
			struct st_str s = st_iter_key_str(it, i);

			memset(key, 0, key_room(g, i));
			memcpy(key, s.p, min(s.len, key_room(g, i)));
			key += key_room(g, i);
		}
	}
}

static void encode_value(const struct st_global *g, const struct st_iter *it, char *value, size_t bytes)
{
	memset(value, 0, bytes);
	if (g->value == ST_V_STAT) {
		encode_statistic(value + 8, st_iter_value_stat(it), &g->stat);
	} else if (g->value == ST_V_STRING) {
		struct st_str s = st_iter_value_str(it);
		uint64_t len = s.len;

		memcpy(value + 8, &len, 8);
		memcpy(value + 16, s.p, s.len);
	} else {
		st_long n = st_iter_value(it);

		memcpy(value + 8, &n, 8);
	}
}

/* The elements that are written back. */
struct writing {
	struct elements *before;	/* as the kernel had them, by their keys */
	const struct handlers *h;
	struct st_ctx *c;		/* of the handler that had the array */
	int map;
	char *key, *value;
	size_t bytes;			/* of a value */
};

static struct element *known(const struct writing *w)
{
	const struct element wanted = { .key = w->key };

	return w->before->n ? bsearch(&wanted, w->before->v, w->before->n, sizeof(wanted), by_key) : NULL;
}

static void keep_element(const struct writing *w, const struct st_global *g, const struct st_iter *it)
{
	struct element *e;

	encode_key(g, it, w->key);
	e = known(w);
	if (e)
		e->seen = true;
}

/* Writes an element unless the kernel had it so. */
static void write_element(const struct writing *w, const struct st_global *g, const struct st_iter *it)
{
	const struct element *e;
	uint64_t n;

	encode_key(g, it, w->key);
	encode_value(g, it, w->value, w->bytes);
	e = known(w);
	n = e ? e->sequence : __atomic_fetch_add(&control(w->h)->sequence, 1, __ATOMIC_RELAXED);
	memcpy(w->value, &n, 8);
	if ((!e || memcmp(e->value, w->value, w->bytes)) && system_update(w->map, w->key, w->value))
		st_map_overflow(w->c, *(struct st_map **)g->slot);
}

static void for_elements(const struct writing *w, const struct st_global *g,
			 void (*visit)(const struct writing *w, const struct st_global *g, const struct st_iter *it))
{
	struct st_iter it;

	st_iter_begin(w->c, &it, *(struct st_map **)g->slot, NULL, NULL, ~0u);
	while (st_iter_next(w->c, &it))
		visit(w, g, &it);
	st_iter_end(&it);
}

/* What was deleted goes first, because the kernel's table may be full. */
void elements_write(struct st_ctx *c, struct elements *before, const struct handlers *h, unsigned global, int map)
{
	const struct st_global *g = decl(global);
	struct writing w = { .before = before, .h = h, .c = c, .map = map, .bytes = part_bytes(h, global) };

	w.key = malloc(h->plan->globals[global].key);
	w.value = malloc(w.bytes);
	key_bytes = h->plan->globals[global].key;
	if (before->n)
		qsort(before->v, before->n, sizeof(*before->v), by_key);
	if (w.key && w.value) {
		for_elements(&w, g, keep_element);
		for (size_t i = 0; i < before->n && !c->error; i++)
			if (!before->v[i].seen)
				system_delete(map, before->v[i].key);
		for_elements(&w, g, write_element);
	}
	free(w.key);
	free(w.value);
}
