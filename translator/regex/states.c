// SPDX-License-Identifier: GPL-2.0-or-later
/* The states of a deterministic automaton, found by what they stand for. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "internal.h"

/* FNV-1a. */
static size_t hash(const unsigned char *p, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (; n; n--)
		h = (h ^ *p++) * 1099511628211u;
	return h ^ h >> 32;
}

/* Where content is in the table, or where it is to go. */
static size_t slot_of(const struct states *s, const void *content)
{
	size_t i = hash(content, s->size) & (s->room - 1);

	while (s->table[i] && memcmp(s->list.v[s->table[i] - 1], content, s->size))
		i = (i + 1) & (s->room - 1);
	return i;
}

static void grow(struct states *s)
{
	free(s->table);
	s->room = s->room ? 2 * s->room : 64;
	s->table = calloc(s->room, sizeof(*s->table));
	if (!s->table)
		abort();
	for (size_t i = 0; i < s->list.n; i++)
		s->table[slot_of(s, s->list.v[i])] = i + 1;
}

unsigned states_add(struct states *s, const void *content, bool *fresh)
{
	size_t slot;

	if (2 * s->list.n >= s->room)
		grow(s);
	slot = slot_of(s, content);
	*fresh = !s->table[slot];
	if (*fresh) {
		void *copy = arena_alloc(s->size);

		memcpy(copy, content, s->size);
		vec_push(&s->list, copy);
		s->table[slot] = s->list.n;
	}
	return s->table[slot] - 1;
}

bool states_too_many(const struct states *s)
{
	return s->list.n > UINT16_MAX - ST_RE_FIRST || s->list.n * s->size > MAX_CONTENT;
}

void states_free(struct states *s)
{
	free(s->table);
}
