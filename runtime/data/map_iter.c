// SPDX-License-Identifier: GPL-2.0-or-later
/* Iterates over maps, in order of insertion or sorted. */
#include "map.h"

/* ---- iterating ---------------------------------------------------------- */

static bool in_slice(const struct st_iter *it, const struct st_node *n)
{
	return it->any == ~0u || st_node_matches(n, &it->map->shape, it->keys, it->any);
}

/* Fills an order buffer with the nodes of the iteration, and sorts them; false with the error
 * set. */
static bool sort_nodes(struct st_ctx *c, struct st_iter *it, const struct st_order *how)
{
	struct st_map *m = it->map;
	st_ref *nodes = m->sorters[how->sorter].nodes;
	struct st_node *n;
	unsigned int count = 0;

	for (n = st_hash_first(m->whole); n && !st_map_walk(c, m); n = st_hash_next(m->whole, n))
		if (in_slice(it, n))
			nodes[count++] = st_ref_of(m->whole, n);
	if (c->error)
		return false;
	st_sort(c, m, how, nodes, count,
		how->limit >= 0 && how->limit < count ? how->limit : count);
	it->order = nodes;
	it->n = count;
	return !c->error;
}

/* Checks that the iteration may begin, and drains the parts; false with the error set. */
static bool begin(struct st_ctx *c, struct st_map *m, const struct st_order *how)
{
	if (c->error)
		return false;
	if (how->by && (how->sorter >= m->decl->nsorters || how->by > (int)m->shape.nkeys)) {
		st_error(c, "foreach in an order that the array does not have");
		return false;
	}
	if (how->by && m->sorters[how->sorter].busy) {
		st_error(c, "sorted foreach within itself");
		return false;
	}
	return !st_map_settle(c, m);
}

void st_iter_begin(struct st_ctx *c, struct st_iter *it, struct st_map *m,
		   const struct st_order *how, const union st_arg *keys, unsigned int any)
{
	static const struct st_order plain = { .limit = -1 };

	if (!how)
		how = &plain;
	*it = (struct st_iter){
		.left = how->limit, .keys = keys, .any = any, .sorter = -1,
	};
	if (!begin(c, m, how))
		return;
	it->map = m;
	if (!how->by)
		return;
	it->sorter = how->sorter;
	m->sorters[how->sorter].busy = true;
	if (!sort_nodes(c, it, how))
		st_iter_end(it);
}

/* Returns the next node of an unsorted iteration; NULL at the end, or with the error set. */
static struct st_node *next_in_slice(struct st_ctx *c, const struct st_iter *it)
{
	const struct st_hash *h = it->map->whole;
	struct st_node *n = it->node ? st_hash_next(h, it->node) : st_hash_first(h);

	while (n && !in_slice(it, n))
		n = st_map_walk(c, it->map) ? NULL : st_hash_next(h, n);
	return n;
}

int st_iter_next(struct st_ctx *c, struct st_iter *it)
{
	/* nothing is added during a loop: if the map is empty now, the loop's body cleared it */
	if (!it->map || it->left == 0 || !it->map->whole->count)
		return 0;
	if (it->sorter < 0)
		it->node = next_in_slice(c, it);
	else
		it->node = it->pos < it->n ? st_node(it->map->whole, it->order[it->pos++]) : NULL;
	if (!it->node) {
		it->left = 0;
		return 0;
	}
	if (it->left > 0)
		it->left--;
	return 1;
}

void st_iter_end(struct st_iter *it)
{
	struct st_map *m = it->map;

	if (!m)
		return;
	it->map = NULL;
	if (it->sorter >= 0)
		m->sorters[it->sorter].busy = false;
}

/* ---- where it is -------------------------------------------------------- */

st_long st_iter_key(const struct st_iter *it, unsigned int i)
{
	const char *n = it->node;

	return *(const st_long *)(n + it->map->shape.key_at[i]);
}

struct st_str st_iter_key_str(const struct st_iter *it, unsigned int i)
{
	return st_text_str(st_node_text(it->node, it->map->shape.key_at[i]));
}

st_long st_iter_value(const struct st_iter *it)
{
	return *st_value_long(it->node);
}

struct st_str st_iter_value_str(const struct st_iter *it)
{
	return st_text_str(st_value_text(it->node));
}

const struct st_stat *st_iter_value_stat(const struct st_iter *it)
{
	return st_value_stat(it->node);
}
