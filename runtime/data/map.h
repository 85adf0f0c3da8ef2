/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map: one hash table, the whole.  If concurrent handlers only add to its values, there is
 * one more table for each CPU, its part.  A CPU without a part (it came online after the
 * script had started) adds to another CPU's part: each part has a lock.
 *
 * Before the whole is read, the parts are drained into it.  A handler that reads or deletes
 * drains once, when it takes the variable's lock, and from then on has the whole to itself:
 * other handlers' additions stay in their parts until the next reader.  So printing all
 * elements and then deleting them neither loses nor repeats an addition.  The handler's own
 * additions are drained when it reads again.  Begin and end handlers run alone and take no
 * locks; they drain whenever they read.
 *
 *	CPU 0 adds n["a"] += 1		part 0: a 1
 *	CPU 1 adds n["a"] += 1		part 1: a 1
 *	CPU 0 takes the lock, drains	whole: a 2, parts: empty
 *	CPU 1 adds n["a"] += 1		whole: a 2, part 1: a 1
 *	CPU 0 prints 2, deletes n	whole: empty, part 1: a 1
 */
#ifndef STAP_MAP_H
#define STAP_MAP_H

#include "hash.h"

/* A buffer for the order of a sorted foreach; nested ones need one each. */
struct st_sorter {
	st_ref *nodes;
	bool busy;
};

/* A script's array: the whole, and where concurrent handlers only add to it, a part for each CPU. */
struct st_map {
	struct st_shape shape;
	const struct st_global *decl;
	struct st_hash *whole;
	struct st_hash **cpu;		/* [CPU]: its part; NULL: the map has no parts */
	struct st_hash **parts;
	unsigned int nparts;
	bool held;			/* between st_map_hold() and st_map_release() */
	struct st_sorter *sorters;
	st_ref *spare;			/* the second buffer of merge sort */
};

/*
 * Returns the memory that a global's map takes, with its parts and order buffers; 0 if it is more
 * than can be addressed.
 */
u64 st_map_bytes(const struct st_global *g, unsigned int maxstringlen);

/* Makes the map that a global declares; NULL if there is no memory. */
struct st_map *st_map_new(const struct st_global *g, unsigned int maxstringlen);
void st_map_free(struct st_map *m);

/*
 * Returns the node with these keys, added if absent; NULL if the table is full, or, with an error
 * set, if the handler's time is over.
 */
struct st_node *st_map_node(struct st_ctx *c, struct st_map *m, struct st_hash *h,
			    const union st_arg *k, u32 hash);

/* Called before the whole is read: drains all parts, or, while the map is held, only this
 * CPU's.  Returns 0; or -1 with the error set if the whole is full or the handler's time over:
 * the rest stays in the parts. */
int st_map_settle(struct st_ctx *c, struct st_map *m);

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

/* Sorts n nodes, stably, as far as the first 'wanted' are concerned; when the handler's time is
 * over they are garbage, with the error set. */
void st_sort(struct st_ctx *c, struct st_map *m, const struct st_order *how, st_ref *nodes,
	     unsigned int n, unsigned int wanted);

/* Counts a node that is about to be read or moved (st_walk()): one with histogram or long strings
 * takes longer. */
static inline bool st_map_walk(struct st_ctx *c, const struct st_map *m)
{
	return st_walk(c, 1 + m->shape.stride / 512);
}

/* Sets the error that an array is full, unless another is set. */
static inline void st_map_overflow(struct st_ctx *c, const struct st_map *m)
{
	if (m->decl->sized)
		st_error(c, "Array overflow, check size limit (%d)", (int)m->decl->maxentries);
	else
		st_error(c, "Array overflow, check MAXMAPENTRIES");
}

#endif
