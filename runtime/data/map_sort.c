// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorts a map's nodes for foreach.  Both algorithms are stable (equal elements stay in order of
 * insertion), use no stack and end early when the handler's time is over.
 *
 * With a small limit, as in a "top ten", insertion keeps the best so far in order,
 * and one comparison rejects nearly every other node.  Else merge sort merges runs
 * between the order buffer and a spare one.
 */
#include "map.h"

/* Up to this limit insertion is faster than merging. */
#define FEW 32

struct order {
	struct st_ctx *c;
	const struct st_map *map;
	const struct st_order *how;
};

static int compare_longs(st_long a, st_long b)
{
	return (a > b) - (a < b);
}

static int compare_keys(const struct st_shape *s, unsigned int i, const struct st_node *a,
			const struct st_node *b)
{
	unsigned int at = s->key_at[i];

	if (s->string_keys & 1u << i)
		return st_compare(st_text_str(st_node_text(a, at)),
				  st_text_str(st_node_text(b, at)));
	return compare_longs(*(const st_long *)((const char *)a + at),
			     *(const st_long *)((const char *)b + at));
}

static int compare_values(const struct order *o, const struct st_node *a, const struct st_node *b)
{
	switch (o->map->decl->value) {
	case ST_V_STRING:
		return st_compare(st_text_str(st_value_text(a)), st_text_str(st_value_text(b)));
	case ST_V_STAT:
		return compare_longs(st_stat_value(st_value_stat(a), o->how->stat),
				     st_stat_value(st_value_stat(b), o->how->stat));
	default:
		return compare_longs(*st_value_long(a), *st_value_long(b));
	}
}

/* Must b come before a? */
static bool after(const struct order *o, st_ref a, st_ref b)
{
	const struct st_node *x = st_node(o->map->whole, a), *y = st_node(o->map->whole, b);
	int order = o->how->by > 0 ? compare_keys(&o->map->shape, o->how->by - 1, x, y)
				   : compare_values(o, x, y);

	return o->how->descending ? order < 0 : order > 0;
}

/* Moves the first 'wanted' to the front, in order. */
static void select_few(const struct order *o, st_ref *nodes, unsigned int n, unsigned int wanted)
{
	unsigned int i, kept = 0;

	for (i = 0; i < n && !st_map_walk(o->c, o->map); i++) {
		st_ref node = nodes[i];
		unsigned int at = kept;

		if (kept == wanted) {
			if (!after(o, nodes[kept - 1], node))
				continue;
			at--;
		} else {
			kept++;
		}
		for (; at && after(o, nodes[at - 1], node); at--)
			nodes[at] = nodes[at - 1];
		nodes[at] = node;
	}
}

/* Merges runs.  Returns false if the handler's time is over. */
static bool merge_runs(const struct order *o, const st_ref *from, st_ref *to, unsigned int middle,
		       unsigned int end)
{
	unsigned int a = 0, b = middle;

	while (a < middle && b < end) {
		if (st_map_walk(o->c, o->map))
			return false;
		*to++ = after(o, from[a], from[b]) ? from[b++] : from[a++];
	}
	while (a < middle)
		*to++ = from[a++];
	while (b < end)
		*to++ = from[b++];
	return true;
}

static void merge_sort(const struct order *o, st_ref *nodes, st_ref *spare, unsigned int n)
{
	st_ref *from = nodes, *to = spare;
	unsigned long run, at;

	for (run = 1; run < n; run *= 2) {
		for (at = 0; at < n; at += 2 * run)
			if (!merge_runs(o, from + at, to + at, min_t(unsigned long, run, n - at),
					min_t(unsigned long, 2 * run, n - at)))
				return;
		swap(from, to);
	}
	if (from != nodes)
		memcpy(nodes, from, n * sizeof(*nodes));
}

void st_sort(struct st_ctx *c, struct st_map *m, const struct st_order *how, st_ref *nodes,
	     unsigned int n, unsigned int wanted)
{
	struct order o = { c, m, how };

	if (wanted == 0)
		return;
	if (wanted <= FEW)
		select_few(&o, nodes, n, wanted);
	else
		merge_sort(&o, nodes, m->spare, n);
}
