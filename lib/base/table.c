// SPDX-License-Identifier: GPL-2.0-or-later
/* Open addressing with linear probing, at most half full. */
#include <endian.h>
#include <string.h>
#include <sys/auxv.h>

#include "arena.h"
#include "table.h"

static uint64_t rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	v[0] ^= word;
}

/* SipHash-1-3. */
static uint64_t sip_hash(const struct table_key *key, const void *bytes, size_t len)
{
	uint64_t v[4] = {
		key->k[0] ^ 0x736f6d6570736575, key->k[1] ^ 0x646f72616e646f6d,
		key->k[0] ^ 0x6c7967656e657261, key->k[1] ^ 0x7465646279746573,
	};
	const char *p = bytes, *end = p + len / 8 * 8;
	uint64_t word;

	for (; p < end; p += 8) {
		memcpy(&word, p, 8);
		sip_word(v, le64toh(word));
	}
	word = 0;
	memcpy(&word, p, len % 8);
	sip_word(v, le64toh(word) | (uint64_t)len << 56);
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint32_t table_hash_by(const struct table_key *key, const void *bytes, size_t len)
{
	return sip_hash(key, bytes, len);
}

static struct table_key process_key;

/*
 * Derives the key from the random bytes that the kernel gives each program. They are also the C library's
 * for the stack's protection, so they are not the key themselves: an index on disk has the key in it.
 */
__attribute__((constructor))
static void make_key(void)
{
	struct table_key random;	/* the kernel's bytes are at any address */

	memcpy(&random, (const void *)getauxval(AT_RANDOM), sizeof(random));
	for (char i = 0; i < 2; i++)
		process_key.k[(int)i] = sip_hash(&random, &i, 1);
}

const struct table_key *table_key(void)
{
	return &process_key;
}

uint32_t table_hash(const void *bytes, size_t len)
{
	return table_hash_by(&process_key, bytes, len);
}

uint32_t table_hash_string(const char *s)
{
	return table_hash(s, strlen(s));
}

static void insert(struct table *t, uint32_t hash, uint32_t number)
{
	uint32_t mask = t->room - 1, at = hash & mask;

	while (t->slots[at].number)
		at = (at + 1) & mask;
	t->slots[at] = (struct table_slot){ hash, number };
}

/*
 * Moves the elements, beginning behind a free slot: there no chain is cut, so
 * equal keys keep their order.
 */
static void grow(struct table *t)
{
	struct table old = *t;
	uint32_t first = 0;

	t->room = old.room ? 2 * old.room : 64;
	t->slots = arena_alloc(t->room * sizeof(*t->slots));
	while (first < old.room && old.slots[first].number)
		first++;
	for (uint32_t i = 0; i < old.room; i++) {
		const struct table_slot *slot = &old.slots[(first + i) & (old.room - 1)];

		if (slot->number)
			insert(t, slot->hash, slot->number);
	}
}

void table_add(struct table *t, uint32_t hash, uint32_t number)
{
	if (2 * t->n >= t->room)
		grow(t);
	insert(t, hash, number + 1);
	t->n++;
}
