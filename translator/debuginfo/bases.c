// SPDX-License-Identifier: GPL-2.0-or-later
/* What addresses are relative to, numbered in order of first use. */
#include <string.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "debuginfo/places/symbols.h"
#include "internal.h"

static size_t hash(const char *s, size_t h)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h;
}

/* The slot of a base, or the empty one it belongs in. */
static unsigned *slot_of(struct target *t, const char *module, const char *section)
{
	size_t at = hash(section, hash(module, 14695981039346656037u)) & (t->base_room - 1);

	for (; t->base_buckets[at]; at = (at + 1) & (t->base_room - 1)) {
		const struct base *b = &t->bases.v[t->base_buckets[at] - 1];

		if (!strcmp(b->module, module) && !strcmp(b->section, section))
			break;
	}
	return &t->base_buckets[at];
}

static void make_room(struct target *t)
{
	if (t->bases.n * 2 < t->base_room)
		return;
	t->base_room = t->base_room ? t->base_room * 2 : 64;
	t->base_buckets = arena_alloc(t->base_room * sizeof(*t->base_buckets));
	for (size_t i = 0; i < t->bases.n; i++)
		*slot_of(t, t->bases.v[i].module, t->bases.v[i].section) = i + 1;
}

unsigned target_base(struct target *t, const char *module, const char *section)
{
	unsigned *slot;

	if (!strcmp(module, "kernel") && section[0] != ST_BASE_SYMBOL)
		section = "";
	if (!t->bases.n && strcmp(section, ""))
		target_base(t, "kernel", "");
	make_room(t);
	slot = slot_of(t, module, section);
	if (!*slot) {
		vec_push(&t->bases, ((struct base){ .module = module, .section = section }));
		*slot = t->bases.n;
	}
	return *slot - 1;
}

bool target_relocates(const struct target *t)
{
	return t->bases.n > 0;
}

/* What a base that is a section of a module is found by. */
static void find_anchors(struct target *t, struct base *b)
{
	for (size_t i = 0; i < t->files.n; i++) {
		struct dwfile *f = t->files.v[i];

		if (f->is_kernel || f->by_symbol || strcmp(f->module, b->module) != 0)
			continue;
		for (size_t j = 0; j < f->sections.n; j++) {
			if (strcmp(f->sections.v[j].name, b->section) != 0)
				continue;
			b->build_id = f->build_id;
			b->nanchors = symbols_anchor(f, &f->sections.v[j], b->anchors,
						     MOST_ANCHORS);
			return;
		}
	}
}

base_list target_bases(struct target *t)
{
	target_base(t, "kernel", "");
	for (size_t i = 0; i < t->bases.n; i++)
		find_anchors(t, &t->bases.v[i]);
	return t->bases;
}
