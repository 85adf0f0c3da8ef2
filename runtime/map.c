// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Maps by key: get, set, add, delete.
 *
 * A map that is one table is locked by its callers.  The parts of one that is
 * not are locked here, one at a time, each for one operation.
 */
#include "hash_find.h"
#include "map.h"

struct st_node *st_map_node(struct st_map *m, struct st_hash *h, const union st_arg *k, u32 hash)
{
	struct st_node *n = st_hash_find(h, &m->shape, k, hash);

	if (likely(n))
		return n;
	n = st_hash_add(h, &m->shape, k, hash);
	if (n || !m->decl->wrap || !h->first)
		return n;
	st_hash_remove(h, st_hash_first(h));
	return st_hash_add(h, &m->shape, k, hash);
}

/* The part with this index locked, or NULL. */
static struct st_hash *lock_part(struct st_map *m, unsigned int i)
{
	return st_cpu_trylock(&m->parts[i]->lock) ? m->parts[i] : NULL;
}

/* ---- reading ------------------------------------------------------------ */

static st_long parts_sum(struct st_map *m, const union st_arg *k, u32 hash)
{
	unsigned int i;
	unsigned long flags;
	st_long sum = 0;

	local_irq_save(flags);
	for (i = 0; i < m->nparts; i++) {
		struct st_hash *h = lock_part(m, i);
		struct st_node *n;

		if (!h)
			continue;
		n = st_hash_find(h, &m->shape, k, hash);
		if (n)
			sum += *st_value_long(n);
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
	return sum;
}

st_long st_map_get(struct st_map *m, const union st_arg *k)
{
	u32 hash = st_hash_keys(&m->shape, k);
	struct st_node *n;

	if (m->cpu)
		return parts_sum(m, k, hash);
	n = st_hash_find(m->whole, &m->shape, k, hash);
	return n ? *st_value_long(n) : 0;
}

struct st_str st_map_get_str(struct st_map *m, const union st_arg *k)
{
	struct st_node *n = st_hash_find(m->whole, &m->shape, k, st_hash_keys(&m->shape, k));

	return n ? st_text_str(st_value_text(n)) : ST_LIT("");
}

static const struct st_stat *parts_stat(struct st_map *m, const union st_arg *k, u32 hash)
{
	unsigned int i;
	unsigned long flags;
	bool found = false;

	memset(m->one, 0, m->shape.value_clear);
	local_irq_save(flags);
	for (i = 0; i < m->nparts; i++) {
		struct st_hash *h = lock_part(m, i);
		struct st_node *n;

		if (!h)
			continue;
		n = st_hash_find(h, &m->shape, k, hash);
		if (n) {
			st_stat_pool(m->one, st_value_stat(n), &m->decl->stat);
			found = true;
		}
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
	return found ? m->one : NULL;
}

/* While the map is gathered, what was gathered is what is seen. */
const struct st_stat *st_map_get_stat(struct st_map *m, const union st_arg *k)
{
	u32 hash = st_hash_keys(&m->shape, k);
	struct st_node *n;

	if (m->cpu && !m->gathered)
		return parts_stat(m, k, hash);
	n = st_hash_find(m->whole, &m->shape, k, hash);
	return n ? st_value_stat(n) : NULL;
}

/* The first node that matches a slice, or NULL. */
static struct st_node *find_slice(struct st_map *m, struct st_hash *h, const union st_arg *k,
				  unsigned int any)
{
	struct st_node *n;

	for (n = st_hash_first(h); n; n = st_hash_next(h, n))
		if (st_node_matches(n, &m->shape, k, any))
			return n;
	return NULL;
}

static bool hash_has(struct st_map *m, struct st_hash *h, const union st_arg *k, unsigned int any)
{
	if (any)
		return find_slice(m, h, k, any);
	return st_hash_find(h, &m->shape, k, st_hash_keys(&m->shape, k));
}

int st_map_has(struct st_map *m, const union st_arg *k, unsigned int any)
{
	unsigned int i;
	unsigned long flags;
	bool has = false;

	if (!m->cpu)
		return hash_has(m, m->whole, k, any);
	local_irq_save(flags);
	for (i = 0; i < m->nparts && !has; i++) {
		struct st_hash *h = lock_part(m, i);

		if (!h)
			continue;
		has = hash_has(m, h, k, any);
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
	return has;
}

/* Is a node's element in a part before 'before' too?  Parts are locked from the
 * last to the first, so two that count don't wait for each other. */
static bool in_earlier_part(struct st_map *m, unsigned int before, const struct st_node *n)
{
	union st_arg k[ST_MAX_KEYS];
	unsigned int i;

	st_node_keys(n, &m->shape, k);
	for (i = before; i--;) {
		struct st_hash *h = lock_part(m, i);
		bool found;

		if (!h)
			continue;
		found = st_hash_find(h, &m->shape, k, n->hash);
		st_cpu_unlock(&h->lock);
		if (found)
			return true;
	}
	return false;
}

static st_long parts_count(struct st_map *m)
{
	unsigned int i;
	unsigned long flags;
	st_long count = 0;

	local_irq_save(flags);
	for (i = m->nparts; i--;) {
		struct st_hash *h = lock_part(m, i);
		struct st_node *n;

		if (!h)
			continue;
		for (n = st_hash_first(h); n; n = st_hash_next(h, n))
			count += !in_earlier_part(m, i, n);
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
	return count;
}

st_long st_map_count(const struct st_map *m)
{
	return m->cpu && !m->gathered ? parts_count((struct st_map *)m) : m->whole->count;
}

/* ---- changing ----------------------------------------------------------- */

/* The element of a map that is one table, added if absent; NULL after an error. */
static struct st_node *element(struct st_ctx *c, struct st_map *m, const union st_arg *k)
{
	struct st_node *n;

	if (unlikely(c->error))
		return NULL;
	n = st_map_node(m, m->whole, k, st_hash_keys(&m->shape, k));
	if (unlikely(!n))
		st_error(c, ST_OVERFLOW);
	return n;
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
		st_text_set(st_value_text(n), &m->shape, v);
}

/* What an addition does to an element. */
static inline void accumulate(struct st_map *m, struct st_node *n, st_long v, bool stat)
{
	if (stat)
		st_stat_add(st_value_stat(n), &m->decl->stat, v);
	else
		*st_value_long(n) += v;
}

/* Of this CPU's part, locked; NULL when full. */
static inline struct st_node *part_element(struct st_map *m, struct st_hash *h,
					   const union st_arg *k, u32 hash)
{
	struct st_node *n = st_find_inline(h, &m->shape, k, hash);

	return likely(n) ? n : st_map_node(m, h, k, hash);
}

static __always_inline void parts_add(struct st_ctx *c, struct st_map *m, const union st_arg *k,
				      st_long v, bool stat)
{
	u32 hash = st_hash_inline(&m->shape, k);
	struct st_hash *h;
	unsigned long flags;
	bool full = false;

	local_irq_save(flags);
	h = m->cpu[raw_smp_processor_id()];
	if (likely(st_cpu_trylock(&h->lock))) {
		struct st_node *n = part_element(m, h, k, hash);

		if (likely(n))
			accumulate(m, n, v, stat);
		else
			full = true;
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
	if (unlikely(full))
		st_error(c, ST_OVERFLOW);
}

static __always_inline void map_add(struct st_ctx *c, struct st_map *m, const union st_arg *k,
				    st_long v, bool stat)
{
	struct st_node *n;

	if (m->cpu) {
		if (likely(!c->error))
			parts_add(c, m, k, v, stat);
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

static void hash_delete(struct st_map *m, struct st_hash *h, const union st_arg *k,
			unsigned int any)
{
	struct st_node *n, *next;

	if (!any) {
		n = st_hash_find(h, &m->shape, k, st_hash_keys(&m->shape, k));
		if (n)
			st_hash_remove(h, n);
		return;
	}
	for (n = st_hash_first(h); n; n = next) {
		next = st_hash_next(h, n);
		if (st_node_matches(n, &m->shape, k, any))
			st_hash_remove(h, n);
	}
}

void st_map_delete(struct st_map *m, const union st_arg *k, unsigned int any)
{
	unsigned int i;
	unsigned long flags;

	if (!m->cpu) {
		hash_delete(m, m->whole, k, any);
		return;
	}
	local_irq_save(flags);
	for (i = 0; i < m->nparts; i++) {
		struct st_hash *h = lock_part(m, i);

		if (!h)
			continue;
		hash_delete(m, h, k, any);
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
}

void st_map_clear(struct st_map *m)
{
	unsigned int i;
	unsigned long flags;

	if (!m->cpu) {
		st_hash_clear(m->whole);
		return;
	}
	local_irq_save(flags);
	for (i = 0; i < m->nparts; i++) {
		struct st_hash *h = lock_part(m, i);

		if (!h)
			continue;
		st_hash_clear(h);
		st_cpu_unlock(&h->lock);
	}
	local_irq_restore(flags);
}
