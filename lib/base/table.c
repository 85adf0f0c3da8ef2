// SPDX-License-Identifier: GPL-2.0-or-later
/* Open addressing with linear probing, at most half full. */
#include <string.h>

#include "arena.h"
#include "table.h"

/* FNV-1a, with high bits mixed into the low ones, which choose the slot. */
uint32_t table_hash(const void *key, size_t len)
{
	const unsigned char *p = key;
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 16777619u;
	return h ^ h >> 15;
}

uint32_t table_hash_string(const char *key)
{
	return table_hash(key, strlen(key));
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
