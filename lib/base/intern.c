// SPDX-License-Identifier: GPL-2.0-or-later
/* Interned strings. */
#include <string.h>

#include "arena.h"
#include "table.h"
#include "vec.h"

static struct table table;
static text_list names;

static void forget(void)
{
	table = (struct table){};
	names = (text_list){};
}

const char *intern_n(const char *s, size_t len)
{
	uint32_t hash = table_hash(s, len);

	table_for_each(&table, hash, i)
		if (!strncmp(names.v[i], s, len) && !names.v[i][len])
			return names.v[i];
	if (!names.n)
		arena_on_free(forget);
	vec_push(&names, arena_strndup(s, len));
	table_add(&table, hash, names.n - 1);
	return names.v[names.n - 1];
}

const char *intern(const char *s)
{
	return intern_n(s, strlen(s));
}
