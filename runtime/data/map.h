/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map: one hash table, 'whole'; or, when its values are only added to, one
 * more for each CPU ("parts").  A CPU without a part of its own (brought up after
 * the script started) adds to another's: each part has a lock.
 *
 * What the parts hold is drained into the whole before that is read.  A handler
 * that reads or deletes drains once, when it takes the variable's lock, and
 * from then on has the whole to itself: what others add meanwhile stays in
 * their parts for the next reader, so "print it all, then delete it" neither
 * loses nor repeats an addition.  Its own additions are drained when it reads
 * again.  Begin and end handlers run alone and take no locks: they drain
 * whenever they read.
 */
#ifndef STAP_MAP_H
#define STAP_MAP_H

#include "hash.h"

struct st_sorter {
	st_ref *nodes;
	bool busy;
};

struct st_map {
	struct st_shape shape;
	const struct st_global *decl;
	struct st_hash *whole;
	struct st_hash **cpu;		/* each CPU's part; NULL: not in parts */
	struct st_hash **parts;
	unsigned int nparts;
	bool held;			/* a handler has the whole to itself */
	struct st_sorter *sorters;
	st_ref *spare;			/* for merging while sorting */
};

/* Makes a map of a declaration; NULL when there is no memory.  *bytes is what
 * it takes, 0: more than can be addressed. */
struct st_map *st_map_new(const struct st_global *g, unsigned int maxstringlen, u64 *bytes);
void st_map_free(struct st_map *m);

/* The node with these keys, added if absent; NULL when full. */
struct st_node *st_map_node(struct st_map *m, struct st_hash *h, const union st_arg *k, u32 hash);

/* Before the whole is read: drains what its reader may have added.  0, or -1:
 * the whole can't hold it all (the rest stays where it is). */
int st_map_settle(struct st_map *m);

static inline st_long *st_value_long(const struct st_node *n)
{
	return (st_long *)n->value;
}

static inline struct st_text *st_value_text(const struct st_node *n)
{
	return (struct st_text *)n->value;
}

static inline struct st_stat *st_value_stat(const struct st_node *n)
{
	return (struct st_stat *)n->value;
}

/* Sorts n nodes, ties in the order they came; of the first 'wanted' only. */
void st_sort(struct st_map *m, const struct st_order *how, st_ref *nodes, unsigned int n,
	     unsigned int wanted);

/* The error that an array is full. */
static inline void st_map_overflow(struct st_ctx *c, const struct st_map *m)
{
	if (m->decl->sized)
		st_error(c, "Array overflow, check size limit (%d)", (int)m->decl->maxentries);
	else
		st_error(c, "Array overflow, check MAXMAPENTRIES");
}

#endif
