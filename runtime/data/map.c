// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Access to maps by key: get, set, add, delete.
 *
 * Callers hold the variable's lock, which covers the whole; a part is locked here, for one
 * operation at a time.
 */
#include "core/walk.h"
#include "globals.h"
#include "hash_find.h"
#include "map.h"

struct st_node *st_map_node(struct st_ctx *c, struct st_map *m, struct st_hash *h,
			    const union st_arg *k, u32 hash)
{
	struct st_node *n = st_hash_find(c, h, &m->shape, k, hash);

	if (likely(n) || c->error)
		return n;
	n = st_hash_add(h, &m->shape, k, hash);
	if (n || !m->decl->wrap || !h->first)
		return n;
	st_hash_remove(c, h, st_hash_first(h));
	return st_hash_add(h, &m->shape, k, hash);
}

/* ---- draining ----------------------------------------------------------- */

static int drain_node(struct st_ctx *c, struct st_map *m, const struct st_node *from)
{
	union st_arg k[ST_MAX_KEYS];
	struct st_node *n;

	if (st_map_walk(c, m))
		return -1;
	st_node_keys(from, &m->shape, k);
	n = st_map_node(c, m, m->whole, k, from->hash);
	if (!n) {
		st_map_overflow(c, m);
		return -1;
	}
	if (m->decl->value == ST_V_STAT)
		st_stat_pool(st_value_stat(n), st_value_stat(from), &m->decl->stat);
	else
		st_add_wrapping(st_value_long(n), *st_value_long(from));
	return 0;
}

/* Drains a CPU's part into the whole.  Interrupts are off. */
static int drain_part(struct st_ctx *c, struct st_map *m, struct st_hash *h)
{
	struct st_node *n;
	int err = 0;

	if (!READ_ONCE(h->count) || !st_cpu_trylock(&h->lock, raw_smp_processor_id()))
		return 0;
	while (!err && (n = st_hash_first(h))) {
		err = drain_node(c, m, n);
		if (!err && st_hash_remove(c, h, n))
			err = -1;
	}
	st_cpu_unlock(&h->lock);
	return err;
}

static int drain_all(struct st_ctx *c, struct st_map *m)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < m->nparts && !err; i++)
		err = drain_part(c, m, m->parts[i]);
	return err;
}

int st_map_settle(struct st_ctx *c, struct st_map *m)
{
	unsigned long flags;
	int err;

	if (!m->cpu)
		return 0;
	raw_local_irq_save(flags);
	err = m->held ? drain_part(c, m, m->cpu[raw_smp_processor_id()]) : drain_all(c, m);
	raw_local_irq_restore(flags);
	return err;
}

void st_map_hold(struct st_ctx *c, struct st_map *m)
{
	c->near = NULL;
	st_map_settle(c, m);
	m->held = true;
}

void st_map_release(struct st_map *m)
{
	m->held = false;
}

/* ---- reading ------------------------------------------------------------ */

/* Counts the time of hashing and comparing keys, which long strings may take. */
static inline bool walk_keys(struct st_ctx *c, const struct st_map *m, const union st_arg *k)
{
	const struct st_shape *s = &m->shape;
	unsigned int i, bytes = 0;

	if (s->keys == ST_KEY_STRING)
		return st_walk_text(c, k->s.len);
	if (likely(!s->string_keys))
		return false;
	for (i = 0; i < s->nkeys; i++)
		if (s->string_keys & 1u << i)
			bytes += k[i].s.len;
	return st_walk_text(c, bytes);
}

/* Returns an element of the whole, to which the CPUs' parts were added; NULL: there is none. */
static __always_inline struct st_node *find_in_whole(struct st_ctx *c, struct st_map *m, const union st_arg *args,
						     enum st_keys kind)
{
	const struct st_key k = st_key(&m->shape, args, kind);

	return st_key_find(c, m->whole, &m->shape, &k);
}

static struct st_node *find_any(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	if ((m->cpu && st_map_settle(c, m)) || walk_keys(c, m, k))
		return NULL;
	if (m->shape.keys == ST_KEY_LONG)
		return find_in_whole(c, m, k, ST_KEY_LONG);
	if (m->shape.keys == ST_KEY_STRING)
		return find_in_whole(c, m, k, ST_KEY_STRING);
	return find_in_whole(c, m, k, ST_KEYS_MANY);
}

static __always_inline struct st_node *find(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	if (likely(m->shape.keys == ST_KEY_LONG && !m->cpu))
		return find_in_whole(c, m, k, ST_KEY_LONG);
	return find_any(c, m, k);
}

st_long st_map_get(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	struct st_node *n = find(c, m, k);

	return n ? *st_value_long(n) : 0;
}

struct st_str st_map_get_str(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	struct st_node *n = find(c, m, k);

	return n ? st_text_str(st_value_text(n)) : ST_LIT("");
}

const struct st_stat *st_map_get_stat(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	struct st_node *n = find(c, m, k);

	return n ? st_value_stat(n) : NULL;
}

/* Returns the first node that matches a slice, or NULL, perhaps with the error set. */
static struct st_node *find_slice(struct st_ctx *c, struct st_map *m, const union st_arg *k,
				  unsigned int any)
{
	struct st_node *n;

	if (st_map_settle(c, m))
		return NULL;
	for (n = st_hash_first(m->whole); n && !st_map_walk(c, m); n = st_hash_next(m->whole, n))
		if (st_node_matches(n, &m->shape, k, any))
			return n;
	return NULL;
}

int st_map_has(struct st_ctx *c, struct st_map *m, const union st_arg *k, unsigned int any)
{
	return (any ? find_slice(c, m, k, any) : find(c, m, k)) != NULL;
}

st_long st_map_count(struct st_ctx *c, struct st_map *m)
{
	return st_map_settle(c, m) ? 0 : m->whole->count;
}

/* ---- changing ----------------------------------------------------------- */

/* Returns an element of the hash table, added if absent; NULL with the error set, or if the table is full. */
static __always_inline struct st_node *element_of(struct st_ctx *c, struct st_map *m, struct st_hash *h,
						  const struct st_key *k)
{
	struct st_node *n = st_key_find(c, h, &m->shape, k);

	return likely(n) ? n : st_map_node(c, m, h, k->args, k->hash);
}

static __always_inline struct st_node *element_of_whole(struct st_ctx *c, struct st_map *m, const union st_arg *args,
							enum st_keys kind)
{
	const struct st_key k = st_key(&m->shape, args, kind);

	return element_of(c, m, m->whole, &k);
}

static struct st_node *element_any(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	struct st_node *n;

	if (unlikely(c->error || (m->cpu && st_map_settle(c, m)) || walk_keys(c, m, k)))
		return NULL;
	if (m->shape.keys == ST_KEY_LONG)
		n = element_of_whole(c, m, k, ST_KEY_LONG);
	else if (m->shape.keys == ST_KEY_STRING)
		n = element_of_whole(c, m, k, ST_KEY_STRING);
	else
		n = element_of_whole(c, m, k, ST_KEYS_MANY);
	if (unlikely(!n))
		st_map_overflow(c, m);
	return n;
}

/* Returns an element of the whole, added if absent; NULL with the error set. */
static __always_inline struct st_node *element(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	if (likely(m->shape.keys == ST_KEY_LONG && !m->cpu && !c->error)) {
		struct st_node *n = find_in_whole(c, m, k, ST_KEY_LONG);

		if (likely(n))
			return n;
	}
	return element_any(c, m, k);
}

st_long *st_map_ref(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	struct st_node *n = element(c, m, k);

	return n ? st_value_long(n) : NULL;
}

void st_map_set(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long v)
{
	struct st_node *n = element(c, m, k);

	if (n)
		*st_value_long(n) = v;
}

void st_map_set_str(struct st_ctx *c, struct st_map *m, const union st_arg *k, struct st_str v)
{
	struct st_node *n = element(c, m, k);

	if (n)
		st_text_set(st_value_text(n), m->shape.text_max, v);
}

/* Adds v to an element. */
static inline void accumulate(struct st_map *m, struct st_node *n, st_long v, bool stat)
{
	if (stat)
		st_stat_add(st_value_stat(n), &m->decl->stat, v);
	else
		st_add_wrapping(st_value_long(n), v);
}

static __always_inline void parts_add(struct st_ctx *c, struct st_map *m, const union st_arg *args,
				      enum st_keys kind, st_long v, bool stat)
{
	const struct st_key k = st_key(&m->shape, args, kind);
	struct st_hash *h;
	unsigned long flags;
	bool full = false;
	int cpu;

	raw_local_irq_save(flags);
	cpu = raw_smp_processor_id();
	h = m->cpu[cpu];
	if (likely(st_cpu_trylock(&h->lock, cpu))) {
		struct st_node *n = element_of(c, m, h, &k);

		if (likely(n))
			accumulate(m, n, v, stat);
		else
			full = true;
		st_cpu_unlock(&h->lock);
	}
	raw_local_irq_restore(flags);
	if (unlikely(full))
		st_map_overflow(c, m);
}

static __always_inline void map_add(struct st_ctx *c, struct st_map *m, const union st_arg *k,
				    st_long v, bool stat)
{
	struct st_node *n;

	if (m->cpu) {
		if (unlikely(c->error))
			return;
		if (m->shape.keys == ST_KEY_LONG)
			parts_add(c, m, k, ST_KEY_LONG, v, stat);
		else if (walk_keys(c, m, k))
			return;
		else if (m->shape.keys == ST_KEY_STRING)
			parts_add(c, m, k, ST_KEY_STRING, v, stat);
		else
			parts_add(c, m, k, ST_KEYS_MANY, v, stat);
		return;
	}
	n = element(c, m, k);
	if (n)
		accumulate(m, n, v, stat);
}

void st_map_add(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long delta)
{
	map_add(c, m, k, delta, false);
}

void st_map_add_stat(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long v)
{
	map_add(c, m, k, v, true);
}

void st_map_delete(struct st_ctx *c, struct st_map *m, const union st_arg *k, unsigned int any)
{
	struct st_node *n, *next;

	if (!any) {
		n = find(c, m, k);
		if (n)
			st_hash_remove(c, m->whole, n);
		return;
	}
	if (st_map_settle(c, m))
		return;
	for (n = st_hash_first(m->whole); n && !st_map_walk(c, m); n = next) {
		next = st_hash_next(m->whole, n);
		if (st_node_matches(n, &m->shape, k, any) && st_hash_remove(c, m->whole, n))
			return;
	}
}

/* Clears a table unless the handler's time is over.  That takes as long as its heads are many,
 * however few its nodes: about a hundred to a step. */
static void clear_hash(struct st_ctx *c, struct st_map *m, struct st_hash *h)
{
	if (!h->count || !st_walk(c, (1u << m->shape.bits) / 128))
		st_hash_clear(h);
}

/* Clears a CPU's part.  Interrupts are off. */
static void clear_part(struct st_ctx *c, struct st_map *m, struct st_hash *h)
{
	if (!READ_ONCE(h->count) || !st_cpu_trylock(&h->lock, raw_smp_processor_id()))
		return;
	clear_hash(c, m, h);
	st_cpu_unlock(&h->lock);
}

static void clear_parts(struct st_ctx *c, struct st_map *m)
{
	unsigned long flags;
	unsigned int i;

	raw_local_irq_save(flags);
	if (m->held)
		clear_part(c, m, m->cpu[raw_smp_processor_id()]);
	else
		for (i = 0; i < m->nparts; i++)
			clear_part(c, m, m->parts[i]);
	raw_local_irq_restore(flags);
}

/*
 * Clears the map, also after an error, so that a script that survives an overflow gets room again.
 */
void st_map_clear(struct st_ctx *c, struct st_map *m)
{
	if (m->cpu)
		clear_parts(c, m);
	clear_hash(c, m, m->whole);
}
