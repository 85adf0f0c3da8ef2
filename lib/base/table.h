/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table that finds elements of an array by their keys.
 *
 * The caller keeps the array with the keys, and a zeroed struct table.  The table
 * stores each element's hash and its index in the array; the caller compares the
 * keys.  Elements may have equal keys, and are found in the order of their
 * addition.
 *
 *	uint32_t hash = table_hash_string(name);
 *
 *	table_for_each(&t, hash, i)
 *		if (!strcmp(v[i].name, name))
 *			return &v[i];
 *	vec_push(&v, new);
 *	table_add(&t, hash, v.n - 1);
 *
 * Its memory comes from the arena.
 */
#ifndef STAP_TABLE_H
#define STAP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hashes and indexes, by open addressing: an empty one is all zeroes. */
struct table {
	struct table_slot {
		uint32_t hash;
		uint32_t number;	/* the element's index + 1; 0: a free slot */
	} *slots;
	uint32_t room, n;		/* slots, a power of two; used slots, at most half */
};

/* What hashes depend on. */
struct table_key {
	uint64_t k[2];
};

/*
 * Return the hash of LEN bytes, or of a string, by this process's key: whoever writes the names in a
 * program can't choose names whose hashes are equal, among which each search would take as many steps as
 * there are names. Another process has other hashes.
 */
uint32_t table_hash(const void *bytes, size_t len);
uint32_t table_hash_string(const char *s);

/* This process's key, and hashes by another's: for what is kept. */
const struct table_key *table_key(void);
uint32_t table_hash_by(const struct table_key *key, const void *bytes, size_t len);

/* Adds the element with index NUMBER. */
void table_add(struct table *t, uint32_t hash, uint32_t number);

/* Sets *NUMBER to the next element with this hash, searching from slot *AT on. */
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

/* A loop over the elements with hash H; I is each one's index. */
#define table_for_each(t, h, i) \
	for (uint32_t i##_at = (h), i; table_next(t, h, &i##_at, &i);)

#endif
