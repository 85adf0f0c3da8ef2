// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels: DW_TAG_label children of a function, of an inlined instance, and of
 * their blocks, if they have an address.
 */
#include "labels.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "debuginfo/symbols/match.h"

static void take_label(struct search *s, const struct place *function, Dwarf_Die *label)
{
	const char *name = dwarf_diename(label);
	struct place p = *function;
	size_t before = s->found.n;
	Dwarf_Addr pc;

	if (!name || !match_glob(s->q->label, name) || dwarf_lowpc(label, &pc) != 0)
		return;
	dwarf_decl_line(label, &p.line);
	p.label = arena_strdup(name);
	p.is_entry = false;
	places_add(s, p, pc, function->scope->die);
	if (s->found.n > before)
		s->found.v[before].scope->label = dwarf_dieoffset(label);
}

static void walk(struct search *s, const struct place *function, Dwarf_Die *block, unsigned depth)
{
	unsigned left = LIMIT_CHILDREN;
	Dwarf_Die child;

	if (depth > LIMIT_BLOCKS || dwarf_child(block, &child) != 0)
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_label)
			take_label(s, function, &child);
		else if (dwarf_tag(&child) == DW_TAG_lexical_block)
			walk(s, function, &child, depth + 1);
	} while (--left && dwarf_siblingof(&child, &child) == 0);
}

void labels_replace(struct search *s, size_t first)
{
	size_t n = s->found.n - first;
	struct place *functions = arena_alloc((n + 1) * sizeof(*functions));

	if (n)
		memcpy(functions, s->found.v + first, n * sizeof(*functions));
	s->found.n = first;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Die die;

		if (functions[i].scope && dwfile_die(s->file, functions[i].scope->die, &die))
			walk(s, &functions[i], &die, 0);
	}
}
