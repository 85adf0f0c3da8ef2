/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash table of maps.  Its nodes are preallocated; they are chained by hash, and in a
 * list in order of insertion.
 *
 * A reference to a node is its offset from the first in units of 8 bytes, 0 for none: half
 * the size of a pointer, and followed without a multiplication.  A node is its header, the
 * value, then the keys: 8 bytes for an integer; a length, the bytes and a NUL for a string.
 * For a["ab", 3] = 7
 *
 *	offset  0  hash, chain, prev, next
 *	       16  7
 *	       24  2, "ab\0" and room up to the longest key that the script stores
 *	        …  3
 *
 * Nodes that were never used are taken in order of address, so clearing touches only the
 * heads, and a mostly empty table occupies little of the caches.  Deleted nodes form a free
 * list through 'chain'.  The caller does the locking.
 */
#ifndef STAP_HASH_H
#define STAP_HASH_H

#include "port/port.h"
#include "cpu_lock.h"
#include "stat.h"

/* A reference to a node, as explained above. */
typedef u32 st_ref;

/* An element: a header, its value, then its keys (struct st_shape says where).  The table owns it, and
 * it never moves. */
struct st_node {
	u32 hash;
	st_ref chain;
	st_ref prev, next;		/* order of insertion */
	char value[];			/* st_long, struct st_text, or struct st_stat */
};

/* A string in a node. */
struct st_text {
	u32 len;
	char bytes[];
};

/* What keys a map has: one of the common kinds, which have lookups of their own, or any others. */
enum st_keys { ST_KEY_LONG, ST_KEY_STRING, ST_KEYS_MANY };

/* The layout of a map's nodes, and its size. */
struct st_shape {
	enum st_keys keys;
	unsigned int nkeys, string_keys;
	unsigned int text_max;		/* bytes of the longest string */
	unsigned int key_max[ST_MAX_KEYS];	/* bytes of the longest that is stored as a key */
	unsigned int key_at[ST_MAX_KEYS];	/* offsets in the node */
	unsigned int value_clear;	/* bytes of a new node's value to zero */
	unsigned int stride;		/* bytes of a node, a multiple of 8 */
	unsigned int capacity;
	unsigned int bits;		/* log2 of the number of heads */
};

/*
 * A hash table of fixed capacity: an array of heads, each the first of a chain of nodes.  Nodes that
 * are in use are linked in order of insertion, too.  Nothing is allocated after it was made.
 */
struct st_hash {
	struct st_cpu_lock lock;	/* of a percpu map's part */
	unsigned int shift;		/* a hash's head is hash >> shift */
	st_ref *heads;
	char *nodes;
	u32 count;
	st_ref first, last, free;
	st_ref fresh;			/* the next node that was never used */
	st_ref begin, end;
} __aligned(64);

static inline struct st_node *st_node(const struct st_hash *h, st_ref ref)
{
	return (struct st_node *)(h->nodes + (unsigned long)ref * 8);
}

static inline st_ref st_ref_of(const struct st_hash *h, const struct st_node *n)
{
	return ((const char *)n - h->nodes) / 8;
}

static inline struct st_text *st_node_text(const struct st_node *n, unsigned int at)
{
	return (struct st_text *)((char *)n + at);
}

static inline struct st_str st_text_str(const struct st_text *t)
{
	return (struct st_str){ t->bytes, t->len };
}

/* Return the first node, and the next after a node, in order of insertion; NULL at the end. */
static inline struct st_node *st_hash_first(const struct st_hash *h)
{
	return h->first ? st_node(h, h->first) : NULL;
}

static inline struct st_node *st_hash_next(const struct st_hash *h, const struct st_node *n)
{
	return n->next ? st_node(h, n->next) : NULL;
}

/*
 * Return the bytes to allocate for a table; and set it up in that memory, which is zeroed and
 * aligned to 64 bytes.
 */
unsigned long st_hash_size(const struct st_shape *s);
struct st_hash *st_hash_init(void *memory, const struct st_shape *s);

u32 st_hash_keys(const struct st_shape *s, const union st_arg *k);

/*
 * Finds the node with these keys.  Returns NULL if there is none; or, with the error set, if the
 * handler's time is over, because a chain may be long.
 */
struct st_node *st_hash_find(struct st_ctx *c, const struct st_hash *h, const struct st_shape *s,
			     const union st_arg *k, u32 hash);

/* Adds a node for keys that the table doesn't have; its value is zero.  NULL if it is full. */
struct st_node *st_hash_add(struct st_hash *h, const struct st_shape *s,
			    const union st_arg *k, u32 hash);

/* Removes a node.  Returns true, with the error set, if the handler's time is over. */
bool st_hash_remove(struct st_ctx *c, struct st_hash *h, struct st_node *n);
void st_hash_clear(struct st_hash *h);

/* Copies a node's keys to k; strings stay in the node. */
void st_node_keys(const struct st_node *n, const struct st_shape *s, union st_arg *k);

/* Does a node match a slice?  Bit i of 'any': key i is '*'. */
bool st_node_matches(const struct st_node *n, const struct st_shape *s,
		     const union st_arg *k, unsigned int any);

/* Copies a string into a node, cut to MAX bytes. */
void st_text_set(struct st_text *t, unsigned int max, struct st_str v);

#endif
