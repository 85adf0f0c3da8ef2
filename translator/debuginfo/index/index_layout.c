// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a collected index as tables that are searched in place.
 *
 * Names are renumbered, those of functions first, so that tables of what
 * belongs to a function name can be indexed by its number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index_builder.h"

const size_t index_element_size[T_COUNT] = {
	[T_STRINGS] = 1,
	[T_NAMES] = sizeof(struct index_string),
	[T_BUCKETS] = sizeof(uint32_t),
	[T_FUNC_FIRST] = sizeof(uint32_t),
	[T_FUNCS] = sizeof(struct index_func),
	[T_INLINE_FIRST] = sizeof(uint32_t),
	[T_INLINES] = sizeof(struct index_inline),
	[T_INSTANCE_FIRST] = sizeof(uint32_t),
	[T_INSTANCES] = sizeof(struct index_instance),
	[T_FILES] = sizeof(uint32_t),
	[T_UNITS] = sizeof(struct index_unit),
	[T_TYPES] = sizeof(struct index_die),
	[T_VARIABLES] = sizeof(struct index_die),
	[T_ENUMERATORS] = sizeof(struct index_enumerator),
};

/* Keeps four independent sums, so that it runs at memory speed. */
uint64_t index_checksum(const void *p, size_t n)
{
	const uint64_t *w = p;
	uint64_t lane[4] = { 1, 2, 3, 4 }, sum = n;
	size_t i;

	for (i = 0; i + 4 <= n / 8; i += 4)
		for (int k = 0; k < 4; k++)
			lane[k] = (lane[k] ^ w[i + k]) * 0x9e3779b97f4a7c15u;
	for (; i < n / 8; i++)
		lane[0] = (lane[0] ^ w[i]) * 0x9e3779b97f4a7c15u;
	for (int k = 0; k < 4; k++)
		sum = (sum ^ lane[k] ^ lane[k] >> 32) * 0x9e3779b97f4a7c15u;
	return sum;
}

/* Gives functions' names the first numbers.  Returns how many there are. */
static uint32_t renumber(struct strings *t)
{
	uint32_t next = 0, functions;

	for (uint32_t i = 0; i < t->n; i++)
		if (t->v[i].seen & SEEN_FUNCTION)
			t->v[i].renumbered = next++;
	functions = next;
	for (uint32_t i = 0; i < t->n; i++)
		if (!(t->v[i].seen & SEEN_FUNCTION))
			t->v[i].renumbered = next++;
	return functions;
}

static size_t strings_size(const struct strings *t)
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++)
		n += strlen(t->v[i].s) + 1;
	return n;
}

static int die_by_name(const void *a, const void *b)
{
	const struct index_die *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static int enumerator_by_name(const void *a, const void *b)
{
	const struct index_enumerator *x = a, *y = b;

	return x->name < y->name ? -1 : x->name > y->name;
}

static void *table(struct index_header *h, enum index_table t)
{
	return (char *)h + h->table[t].off;
}

static uint32_t put_string(struct index_header *h, uint32_t *end, const char *s)
{
	uint32_t off = *end;
	size_t n = strlen(s) + 1;

	memcpy((char *)table(h, T_STRINGS) + off, s, n);
	*end += n;
	return off;
}

static void put_names(struct builder *b, struct index_header *h)
{
	struct index_string *names = table(h, T_NAMES);
	uint32_t *buckets = table(h, T_BUCKETS), *files = table(h, T_FILES), end = 0;

	for (uint32_t i = 0; i < b->names.n; i++) {
		const struct entry *e = &b->names.v[i];
		uint32_t *bucket = &buckets[e->hash & (h->table[T_BUCKETS].n - 1)];

		names[e->renumbered].off = put_string(h, &end, e->s);
		names[e->renumbered].next = *bucket;
		*bucket = e->renumbered + 1;
	}
	for (uint32_t i = 0; i < b->paths.n; i++)
		files[i] = put_string(h, &end, b->paths.v[i].s);
}

/* Groups elements by name: counts them, sums the counts up, places them. */
#define PUT_BY_NAME(b, h, from, T_TO, T_FIRST) do {					\
	uint32_t *first = table(h, T_FIRST);						\
	typeof((from).v) to = table(h, T_TO);						\
	uint32_t count = (h)->table[T_FIRST].n - 1;					\
											\
	for (size_t i = 0; i < (from).n; i++) {						\
		(from).v[i].name = (b)->names.v[(from).v[i].name].renumbered;		\
		first[(from).v[i].name + 1]++;						\
	}										\
	for (uint32_t i = 0; i < count; i++)						\
		first[i + 1] += first[i];						\
	for (size_t i = (from).n; i-- > 0; )						\
		to[--first[(from).v[i].name + 1]] = (from).v[i];			\
	memmove(first, first + 1, count * sizeof(*first));				\
	first[count] = (from).n;							\
} while (0)

/* An inlined function: its DIE, its number, its first instance in 'seen'. */
struct owner {
	uint32_t die, number;
	size_t from;
};

static int by_die(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	return x->die < y->die ? -1 : x->die > y->die;
}

static int by_origin(const void *a, const void *b)
{
	const struct seen_instance *x = a, *y = b;

	if (x->origin != y->origin)
		return x->origin < y->origin ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

/*
 * Writes the instances grouped by inlined function; both lists are walked in
 * order of DIE.  Instances of functions that the file doesn't describe are left
 * out.
 */
static void put_instances(struct index_header *h, struct seen_instance *seen, size_t nseen)
{
	const struct index_inline *inlines = table(h, T_INLINES);
	struct index_instance *to = table(h, T_INSTANCES);
	uint32_t *first = table(h, T_INSTANCE_FIRST);
	size_t n = h->table[T_INLINES].n, k = 0;
	struct owner *owners = index_must(malloc((n + 1) * sizeof(*owners)));

	for (size_t i = 0; i < n; i++)
		owners[i] = (struct owner){ .die = inlines[i].die, .number = i };
	qsort(owners, n, sizeof(*owners), by_die);
	if (nseen)
		qsort(seen, nseen, sizeof(*seen), by_origin);
	for (size_t i = 0; i < n; i++) {
		while (k < nseen && seen[k].origin < owners[i].die)
			k++;
		owners[i].from = k;
		while (k < nseen && seen[k].origin == owners[i].die)
			k++;
		first[owners[i].number + 1] = k - owners[i].from;
	}
	for (size_t i = 0; i < n; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < n; i++) {
		uint32_t at = first[owners[i].number], end = first[owners[i].number + 1];

		for (k = owners[i].from; at < end; at++, k++)
			to[at] = (struct index_instance){ .addr = seen[k].addr,
							  .die = seen[k].die };
	}
	free(owners);
}

static void put_dies(struct builder *b, struct index_die *to, struct index_die *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[i] = from[i];
		to[i].name = b->names.v[from[i].name].renumbered;
	}
	if (n)
		qsort(to, n, sizeof(*to), die_by_name);
}

static void put_enumerators(struct builder *b, struct index_enumerator *to)
{
	for (size_t i = 0; i < b->enumerators.n; i++) {
		to[i] = b->enumerators.v[i];
		to[i].name = b->names.v[to[i].name].renumbered;
	}
	if (b->enumerators.n)
		qsort(to, b->enumerators.n, sizeof(*to), enumerator_by_name);
}

struct index_header *index_lay_out(struct builder *b)
{
	uint32_t functions = renumber(&b->names), buckets = 1024;
	uint64_t size = sizeof(struct index_header);
	struct index_header *h;

	while (buckets < b->names.n)
		buckets *= 2;

	const size_t n[T_COUNT] = {
		[T_STRINGS] = strings_size(&b->names) + strings_size(&b->paths),
		[T_NAMES] = b->names.n,
		[T_BUCKETS] = buckets,
		[T_FUNC_FIRST] = functions + 1,
		[T_FUNCS] = b->funcs.n,
		[T_INLINE_FIRST] = functions + 1,
		[T_INLINES] = b->inlines.n,
		[T_INSTANCE_FIRST] = b->inlines.n + 1,
		[T_INSTANCES] = b->instances.n,
		[T_FILES] = b->paths.n,
		[T_UNITS] = b->units.n,
		[T_TYPES] = b->types.n,
		[T_VARIABLES] = b->variables.n,
		[T_ENUMERATORS] = b->enumerators.n,
	};

	for (int t = 0; t < T_COUNT; t++)
		size += (n[t] * index_element_size[t] + 7) & ~7ull;
	if (size > UINT32_MAX)
		return NULL;
	h = index_must(calloc(1, size));
	memcpy(h->magic, INDEX_MAGIC, sizeof(h->magic));
	h->key = *table_key();
	snprintf(h->build_id, sizeof(h->build_id), "%s",
		 b->file->build_id ? b->file->build_id : "");
	h->size = size;
	h->info_size = b->file->sects.info.n;
	size = sizeof(*h);
	for (int t = 0; t < T_COUNT; t++) {
		h->table[t].off = size;
		h->table[t].n = n[t];
		size += (n[t] * index_element_size[t] + 7) & ~7ull;
	}
	put_names(b, h);
	PUT_BY_NAME(b, h, b->funcs, T_FUNCS, T_FUNC_FIRST);
	PUT_BY_NAME(b, h, b->inlines, T_INLINES, T_INLINE_FIRST);
	put_instances(h, b->instances.v, b->instances.n);
	if (b->units.n)
		memcpy(table(h, T_UNITS), b->units.v, b->units.n * sizeof(*b->units.v));
	put_dies(b, table(h, T_TYPES), b->types.v, b->types.n);
	put_dies(b, table(h, T_VARIABLES), b->variables.v, b->variables.n);
	put_enumerators(b, table(h, T_ENUMERATORS));
	h->checksum = index_checksum(h + 1, h->size - sizeof(*h));
	return h;
}

