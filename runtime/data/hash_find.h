/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hashing keys and finding nodes, inline for the paths that every hit takes.
 *
 * Hashing multiplies by an odd constant and keeps the high bits, which every
 * bit of the key influences; strings are hashed eight bytes at a time.  Nearly all maps
 * have one integer or one string as key: these have searches of their own; the others
 * share one (hash.c).
 */
#ifndef STAP_HASH_FIND_H
#define STAP_HASH_FIND_H

#include "hash.h"

#define GOLDEN 0x9e3779b97f4a7c15ull

static inline u64 load64(const char *p)
{
	u64 v;

	__builtin_memcpy(&v, p, 8);
	return v;
}

static inline u32 load32(const char *p)
{
	u32 v;

	__builtin_memcpy(&v, p, 4);
	return v;
}

/*
 * Returns the last eight bytes as a number, or all if there are fewer; a byte may occur in it
 * twice.
 */
static inline u64 load_tail(const char *p, unsigned int len)
{
	if (len >= 8)
		return load64(p + len - 8);
	if (len >= 4)
		return (u64)load32(p) << 32 | load32(p + len - 4);
	if (len == 0)
		return 0;
	return (u64)(u8)p[0] << 16 | (u64)(u8)p[len / 2] << 8 | (u8)p[len - 1];
}

static inline u64 mix(u64 h)
{
	h *= GOLDEN;
	return h ^ h >> 32;
}

/* A string as it is hashed and compared: cut to the longest of the script's, its last bytes loaded. */
struct st_text_key {
	const char *p;
	unsigned int len;
	u64 tail;
};

static __always_inline struct st_text_key text_key(const struct st_shape *s, struct st_str v)
{
	const unsigned int len = min(v.len, s->text_max);

	return (struct st_text_key){ v.p, len, load_tail(v.p, len) };
}

static inline u64 hash_of_text(u64 h, struct st_text_key k)
{
	unsigned int i;

	h ^= k.len;
	for (i = 0; i + 8 < k.len; i += 8)
		h = mix(h ^ load64(k.p + i));
	return mix(h ^ k.tail);
}

static inline bool same_text(const struct st_text *t, struct st_text_key k)
{
	unsigned int i;

	if (t->len != k.len)
		return false;
	for (i = 0; i + 8 < k.len; i += 8)
		if (load64(t->bytes + i) != load64(k.p + i))
			return false;
	return load_tail(t->bytes, k.len) == k.tail;
}

static inline st_long node_long(const struct st_node *n, unsigned int at)
{
	return *(const st_long *)((const char *)n + at);
}

u32 st_hash_many(const struct st_shape *s, const union st_arg *k);

/*
 * The keys of an element, as they are looked for.  Callers on the paths of hits pass a constant for
 * their kind.
 */
struct st_key {
	enum st_keys kind;
	const union st_arg *args;
	struct st_text_key text;	/* ST_KEY_STRING */
	u32 hash;
};

/* Prepares to look for keys whose hash is known. */
static __always_inline struct st_key st_key_hashed(const struct st_shape *s, const union st_arg *args,
						   enum st_keys kind, u32 hash)
{
	struct st_key k = { .kind = kind, .args = args, .hash = hash };

	if (kind == ST_KEY_STRING)
		k.text = text_key(s, args->s);
	return k;
}

static __always_inline struct st_key st_key(const struct st_shape *s, const union st_arg *args,
					    enum st_keys kind)
{
	struct st_key k = st_key_hashed(s, args, kind, 0);

	if (kind == ST_KEY_STRING)
		k.hash = hash_of_text(0, k.text) * GOLDEN >> 32;
	else if (kind == ST_KEY_LONG)
		k.hash = (u64)args->i * GOLDEN >> 32;
	else
		k.hash = st_hash_many(s, args);
	return k;
}

/* Are these the node's keys, a number or a string? */
static __always_inline bool st_has_key(const struct st_node *n, const struct st_shape *s, const struct st_key *k)
{
	if (k->kind == ST_KEY_STRING)
		return n->hash == k->hash && same_text(st_node_text(n, s->key_at[0]), k->text);
	return node_long(n, s->key_at[0]) == k->args->i;
}

/* st_hash_find(), inline for the first of a chain, which it mostly is. */
static __always_inline struct st_node *st_key_find(struct st_ctx *c, const struct st_hash *h,
						   const struct st_shape *s, const struct st_key *k)
{
	const st_ref first = h->heads[k->hash >> h->shift];

	if (unlikely(!first))
		return NULL;
	if (k->kind != ST_KEYS_MANY && likely(st_has_key(st_node(h, first), s, k)))
		return st_node(h, first);
	return st_hash_find(c, h, s, k->args, k->hash);
}

#endif
