// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Allocates a map: lays out its nodes, and makes the whole, the parts (each on its CPU's memory
 * node), and the order buffers of sorted loops.
 */
#include "map.h"

/* log2 of the number of heads, of which there are more than elements to keep chains short. */
#define BITS_MIN 6
#define BITS_MAX 28

static u64 text_size(unsigned int maxstringlen)
{
	return ALIGN(sizeof(struct st_text) + (u64)maxstringlen, 8);
}

/* Lays out a node; returns its size in bytes, 0 if it is too large. */
static u64 lay_out(struct st_shape *s, const struct st_global *g, unsigned int maxstringlen)
{
	u64 at = sizeof(struct st_node);
	unsigned int i, room;

	switch (g->value) {
	case ST_V_STRING:
		/*
		 * Only the length, because st_text_set() follows, and may copy from the old value.
		 */
		s->value_clear = sizeof(struct st_text);
		at += text_size(maxstringlen);
		break;
	case ST_V_STAT:
		at += min_t(u64, st_stat_size(&g->stat), INT_MAX);
		s->value_clear = at - sizeof(struct st_node);
		break;
	default:
		s->value_clear = sizeof(st_long);
		at += sizeof(st_long);
	}
	for (i = 0; i < g->nkeys; i++) {
		s->key_at[i] = at;
		room = g->key_room[i] ? min(g->key_room[i], maxstringlen) : maxstringlen;
		s->key_max[i] = room - 1;
		at += g->string_keys & 1u << i ? text_size(room) : sizeof(st_long);
	}
	return at < INT_MAX ? at : 0;
}

static u64 shape_of(struct st_shape *s, const struct st_global *g, unsigned int maxstringlen)
{
	u64 stride = lay_out(s, g, maxstringlen);

	s->nkeys = g->nkeys;
	s->string_keys = g->string_keys;
	s->keys = g->nkeys > 1 ? ST_KEYS_MANY : g->string_keys ? ST_KEY_STRING : ST_KEY_LONG;
	s->text_max = maxstringlen - 1;
	s->stride = stride;
	s->capacity = g->maxentries;
	s->bits = BITS_MIN;
	while (s->bits < BITS_MAX && 1u << s->bits < g->maxentries)
		s->bits++;
	if (!stride || ((u64)s->capacity + 1) * (stride / 8) > U32_MAX)
		return 0;
	return st_hash_size(s);
}

static struct st_hash *new_hash(const struct st_shape *s, int node)
{
	void *memory = st_data_alloc(st_hash_size(s), node);

	return memory ? st_hash_init(memory, s) : NULL;
}

static int new_parts(struct st_map *m)
{
	int cpu;

	m->cpu = st_data_alloc(nr_cpu_ids * sizeof(*m->cpu), NUMA_NO_NODE);
	m->parts = st_data_alloc(nr_cpu_ids * sizeof(*m->parts), NUMA_NO_NODE);
	if (!m->cpu || !m->parts)
		return -1;
	for_each_online_cpu(cpu) {
		m->cpu[cpu] = new_hash(&m->shape, cpu_to_node(cpu));
		if (!m->cpu[cpu])
			return -1;
		m->parts[m->nparts++] = m->cpu[cpu];
	}
	for_each_possible_cpu(cpu)
		if (!m->cpu[cpu])
			m->cpu[cpu] = m->parts[cpu % m->nparts];
	return 0;
}

static int new_sorters(struct st_map *m)
{
	unsigned int i;
	unsigned long size = m->shape.capacity * sizeof(st_ref);

	if (!m->decl->nsorters)
		return 0;
	m->sorters = st_data_alloc(m->decl->nsorters * sizeof(*m->sorters), NUMA_NO_NODE);
	m->spare = st_data_alloc(size, NUMA_NO_NODE);
	if (!m->sorters || !m->spare)
		return -1;
	for (i = 0; i < m->decl->nsorters; i++) {
		m->sorters[i].nodes = st_data_alloc(size, NUMA_NO_NODE);
		if (!m->sorters[i].nodes)
			return -1;
	}
	return 0;
}

u64 st_map_bytes(const struct st_global *g, unsigned int maxstringlen)
{
	struct st_shape shape = { 0 };
	u64 bytes = shape_of(&shape, g, maxstringlen);

	if (g->percpu)
		bytes *= 1 + num_online_cpus();
	if (bytes && g->nsorters)
		bytes += (g->nsorters + 1ull) * shape.capacity * sizeof(st_ref);
	return bytes;
}

struct st_map *st_map_new(const struct st_global *g, unsigned int maxstringlen)
{
	struct st_map *m = st_data_alloc(sizeof(*m), NUMA_NO_NODE);

	if (!m)
		return NULL;
	shape_of(&m->shape, g, maxstringlen);
	m->decl = g;
	m->whole = new_hash(&m->shape, NUMA_NO_NODE);
	if (m->whole && (!g->percpu || !new_parts(m)) && !new_sorters(m))
		return m;
	st_map_free(m);
	return NULL;
}

void st_map_free(struct st_map *m)
{
	unsigned int i;

	if (!m)
		return;
	for (i = 0; i < m->nparts; i++)
		kvfree(m->parts[i]);
	for (i = 0; m->sorters && i < m->decl->nsorters; i++)
		kvfree(m->sorters[i].nodes);
	kvfree(m->sorters);
	kvfree(m->spare);
	kvfree(m->parts);
	kvfree(m->cpu);
	kvfree(m->whole);
	kvfree(m);
}
