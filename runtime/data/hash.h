/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash table under every map: nodes allocated beforehand, chained by hash
 * and in a list in order of insertion.
 *
 * Nodes are named by their distance from the table's nodes in units of 8 bytes
 * (0: none), half the size of a pointer and found without a multiplication.  A
 * node is its header, the value, then the keys one after the other: 8 bytes
 * an integer, a length and the bytes with a NUL a string.
 *
 * Never-used nodes are handed out in a row, so clearing touches the heads
 * only and a mostly empty table stays out of the caches; deleted nodes go to a
 * free list through 'chain'.  There is no locking here.
 */
#ifndef STAP_HASH_H
#define STAP_HASH_H

#include "abi/data.h"
#include "stat.h"

typedef u32 st_ref;

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

enum st_keys { ST_KEY_LONG, ST_KEY_STRING, ST_KEYS_MANY };

/* What the nodes of a map look like. */
struct st_shape {
	enum st_keys keys;
	unsigned int nkeys, string_keys;
	unsigned int text_max;		/* longest string */
	unsigned int key_at[ST_MAX_KEYS];	/* from the node's start */
	unsigned int value_clear;	/* bytes of a new value to be zeroed */
	unsigned int stride;		/* bytes of a node, a multiple of 8 */
	unsigned int capacity;
	unsigned int bits;		/* log2 of the number of heads */
};

struct st_hash {
	struct st_cpu_lock lock;	/* a percpu map's */
	unsigned int shift;		/* hash → head */
	st_ref *heads;
	char *nodes;
	u32 count;
	st_ref first, last, free;
	st_ref fresh;			/* next never-used node */
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

/* First, or next after a node, in order of insertion; NULL at the end. */
static inline struct st_node *st_hash_first(const struct st_hash *h)
{
	return h->first ? st_node(h, h->first) : NULL;
}

static inline struct st_node *st_hash_next(const struct st_hash *h, const struct st_node *n)
{
	return n->next ? st_node(h, n->next) : NULL;
}

/* Bytes to allocate for one, and setting it up there (zeroed, 64-aligned). */
unsigned long st_hash_size(const struct st_shape *s);
struct st_hash *st_hash_init(void *memory, const struct st_shape *s);

u32 st_hash_keys(const struct st_shape *s, const union st_arg *k);

/* The node with these keys, or NULL. */
struct st_node *st_hash_find(const struct st_hash *h, const struct st_shape *s,
			     const union st_arg *k, u32 hash);

/* Adds a node, its value zero; the keys aren't there.  NULL when full. */
struct st_node *st_hash_add(struct st_hash *h, const struct st_shape *s,
			    const union st_arg *k, u32 hash);

void st_hash_remove(struct st_hash *h, struct st_node *n);
void st_hash_clear(struct st_hash *h);

/* The node's keys as they were given. */
void st_node_keys(const struct st_node *n, const struct st_shape *s, union st_arg *k);

/* Does a node match a slice?  Bit i of 'any': key i is '*'. */
bool st_node_matches(const struct st_node *n, const struct st_shape *s,
		     const union st_arg *k, unsigned int any);

/* Copies a string into a node, cut to text_max. */
void st_text_set(struct st_text *t, const struct st_shape *s, struct st_str v);

#endif
