// SPDX-License-Identifier: GPL-2.0-or-later
/* The states of a DFA under construction, hashed by content. */
#include <string.h>

#include "base/arena.h"
#include "internal.h"

unsigned states_add(struct states *s, const void *content, bool *fresh)
{
	uint32_t hash = table_hash(content, s->size);
	void *copy;

	*fresh = false;
	table_for_each(&s->table, hash, i)
		if (!memcmp(s->list.v[i], content, s->size))
			return i;
	*fresh = true;
	copy = arena_alloc(s->size);
	memcpy(copy, content, s->size);
	vec_push(&s->list, copy);
	table_add(&s->table, hash, s->list.n - 1);
	return s->list.n - 1;
}

bool states_too_many(const struct states *s)
{
	return s->list.n > UINT16_MAX - ST_RE_FIRST || s->list.n * s->size > MAX_CONTENT;
}
