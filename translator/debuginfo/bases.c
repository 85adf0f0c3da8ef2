// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers the bases of addresses in order of first use. */
#include <string.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "base/table.h"
#include "debuginfo/symbols/symbols.h"
#include "internal.h"

static uint32_t hash(const char *module, const char *section)
{
	return table_hash_string(module) ^ table_hash_string(section) * 31;
}

unsigned target_base(struct target *t, const char *module, const char *section)
{
	if (!strcmp(module, "kernel") && section[0] != ST_BASE_SYMBOL)
		section = "";
	if (!t->bases.n && strcmp(section, ""))
		target_base(t, "kernel", "");

	uint32_t h = hash(module, section);

	table_for_each(&t->base_table, h, i)
		if (!strcmp(t->bases.v[i].module, module) &&
		    !strcmp(t->bases.v[i].section, section))
			return i;
	vec_push(&t->bases, ((struct base){ .module = module, .section = section }));
	table_add(&t->base_table, h, t->bases.n - 1);
	return t->bases.n - 1;
}

bool target_relocates(const struct target *t)
{
	return t->bases.n > 0;
}

/* Sets the anchors and the build-id of a base that is a module's section. */
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
