// SPDX-License-Identifier: GPL-2.0-or-later
/* The hash table of maps: adds and removes nodes, and handles keys of several parts. */
#include "hash_find.h"

u32 st_hash_many(const struct st_shape *s, const union st_arg *k)
{
	u64 h = 0;
	unsigned int i;

	for (i = 0; i < s->nkeys; i++) {
		if (s->string_keys & 1u << i)
			h = hash_of_text(h, text_key(s, k[i].s));
		else
			h = mix(h ^ k[i].i);
	}
	return h * GOLDEN >> 32;
}

bool st_node_matches(const struct st_node *n, const struct st_shape *s,
		     const union st_arg *k, unsigned int any)
{
	unsigned int i;

	for (i = 0; i < s->nkeys; i++) {
		if (any & 1u << i)
			continue;
		if (s->string_keys & 1u << i) {
			if (!same_text(st_node_text(n, s->key_at[i]), text_key(s, k[i].s)))
				return false;
		} else if (node_long(n, s->key_at[i]) != k[i].i) {
			return false;
		}
	}
	return true;
}

void st_node_keys(const struct st_node *n, const struct st_shape *s, union st_arg *k)
{
	unsigned int i;

	for (i = 0; i < s->nkeys; i++) {
		if (s->string_keys & 1u << i)
			k[i].s = st_text_str(st_node_text(n, s->key_at[i]));
		else
			k[i].i = node_long(n, s->key_at[i]);
	}
}

u32 st_hash_keys(const struct st_shape *s, const union st_arg *k)
{
	return st_key(s, k, s->keys).hash;
}

#define ST_CHAIN_STEP 8			/* nodes of a chain passed: a step of st_walk() */

/*
 * Returns the node behind N, when PASSED nodes were looked at; none if the handler's time is over.
 */
static __always_inline st_ref next_in_chain(struct st_ctx *c, const struct st_node *n, u32 passed)
{
	return unlikely(passed % ST_CHAIN_STEP == 0) && st_walk(c, 1) ? 0 : n->chain;
}

/*
 * Loops over a chain, and counts the steps: chains are short, but keys may be chosen so that one
 * has all nodes.
 */
#define for_each_in_chain(c, n, h, hash)					\
	for (u32 ref = (h)->heads[(hash) >> (h)->shift], passed = 0;		\
	     ref && ((n) = st_node(h, ref), 1);					\
	     ref = next_in_chain(c, n, ++passed))

struct st_node *st_hash_find(struct st_ctx *c, const struct st_hash *h, const struct st_shape *s,
			     const union st_arg *k, u32 hash)
{
	const struct st_key key = st_key_hashed(s, k, s->keys, hash);
	struct st_node *n;

	for_each_in_chain(c, n, h, hash)
		if (s->keys == ST_KEYS_MANY ? n->hash == hash && st_node_matches(n, s, k, 0) : st_has_key(n, s, &key))
			return n;
	return NULL;
}

void st_text_set(struct st_text *t, unsigned int max, struct st_str v)
{
	unsigned int len = min(v.len, max);

	memmove(t->bytes, v.p, len);
	t->bytes[len] = '\0';
	t->len = len;
}

static void set_keys(struct st_node *n, const struct st_shape *s, const union st_arg *k)
{
	unsigned int i;

	for (i = 0; i < s->nkeys; i++) {
		if (s->string_keys & 1u << i)
			st_text_set(st_node_text(n, s->key_at[i]), s->key_max[i], k[i].s);
		else
			*(st_long *)((char *)n + s->key_at[i]) = k[i].i;
	}
}

/* Takes an unused node; NULL if there is none. */
static struct st_node *take_node(struct st_hash *h, const struct st_shape *s)
{
	struct st_node *n;

	if (h->free) {
		n = st_node(h, h->free);
		h->free = n->chain;
		return n;
	}
	if (h->fresh >= h->end)
		return NULL;
	n = st_node(h, h->fresh);
	h->fresh += s->stride / 8;
	return n;
}

/* Writes the keys before the value: after a wrap they may point into the node's old value. */
struct st_node *st_hash_add(struct st_hash *h, const struct st_shape *s,
			    const union st_arg *k, u32 hash)
{
	struct st_node *n = take_node(h, s);
	st_ref ref, *head = &h->heads[hash >> h->shift];

	if (!n)
		return NULL;
	set_keys(n, s, k);
	memset(n->value, 0, s->value_clear);
	ref = st_ref_of(h, n);
	n->hash = hash;
	n->chain = *head;
	*head = ref;
	n->next = 0;
	n->prev = h->last;
	if (h->last)
		st_node(h, h->last)->next = ref;
	else
		h->first = ref;
	h->last = ref;
	h->count++;
	return n;
}

bool st_hash_remove(struct st_ctx *c, struct st_hash *h, struct st_node *n)
{
	st_ref ref = st_ref_of(h, n), *link = &h->heads[n->hash >> h->shift];
	unsigned int passed;

	for (passed = 0; *link != ref; passed++)
		link = &st_node(h, *link)->chain;
	*link = n->chain;
	if (n->prev)
		st_node(h, n->prev)->next = n->next;
	else
		h->first = n->next;
	if (n->next)
		st_node(h, n->next)->prev = n->prev;
	else
		h->last = n->prev;
	n->chain = h->free;
	h->free = ref;
	h->count--;
	return st_walk(c, passed / ST_CHAIN_STEP);
}

void st_hash_clear(struct st_hash *h)
{
	if (h->count)
		memset(h->heads, 0, sizeof(st_ref) << (32 - h->shift));
	h->count = 0;
	h->first = 0;
	h->last = 0;
	h->free = 0;
	h->fresh = h->begin;
}

/*
 * Returns the offset of the nodes, behind header and heads.  The first node is unused, because
 * reference 0 means none.
 */
static unsigned long nodes_at(const struct st_shape *s)
{
	return ALIGN(sizeof(struct st_hash) + (sizeof(st_ref) << s->bits), 64);
}

unsigned long st_hash_size(const struct st_shape *s)
{
	return nodes_at(s) + ((unsigned long)s->capacity + 1) * s->stride;
}

struct st_hash *st_hash_init(void *memory, const struct st_shape *s)
{
	struct st_hash *h = memory;

	h->shift = 32 - s->bits;
	h->heads = (st_ref *)(h + 1);
	h->nodes = (char *)memory + nodes_at(s);
	h->begin = s->stride / 8;
	h->end = h->begin * (s->capacity + 1);
	h->fresh = h->begin;
	return h;
}
