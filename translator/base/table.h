/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of numbers: it finds elements of an array by their keys.
 *
 * The caller keeps the array, the keys in it, and a struct table that begins as all zeros;
 * the table keeps each element's hash and number.  Several elements may have one key; they
 * are found in the order in which they were added.
 *
 *	uint32_t hash = table_hash_string(name);
 *
 *	table_for_each(&t, hash, i)
 *		if (!strcmp(v[i].name, name))
 *			return &v[i];
 *	vec_push(&v, new);
 *	table_add(&t, hash, v.n - 1);
 *
 * Its memory is the arena's.
 */
#ifndef STAP_TABLE_H
#define STAP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
	struct table_slot {
		uint32_t hash;
		uint32_t number;	/* + 1; 0: the slot is free */
	} *slots;
	uint32_t room, n;		/* slots, a power of two; those in use: half at most */
};

/* The hash of LEN bytes, or of a string.  Indexes on disk are laid out by it: if it changes,
 * INDEX_MAGIC must. */
uint32_t table_hash(const void *key, size_t len);
uint32_t table_hash_string(const char *key);

void table_add(struct table *t, uint32_t hash, uint32_t number);

/* The next element with this hash from slot *at on. */
static inline bool table_next(const struct table *t, uint32_t hash, uint32_t *at, uint32_t *number)
{
	while (t->room && t->slots[*at & (t->room - 1)].number) {
		const struct table_slot *slot = &t->slots[(*at)++ & (t->room - 1)];

		if (slot->hash == hash) {
			*number = slot->number - 1;
			return true;
		}
	}
	return false;
}

/* Runs what follows for each element with this hash, I being its number. */
#define table_for_each(t, h, i) \
	for (uint32_t i##_at = (h), i; table_next(t, h, &i##_at, &i);)

#endif
