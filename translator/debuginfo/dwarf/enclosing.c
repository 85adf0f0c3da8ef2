// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the function that contains a DIE.
 *
 * DWARF has no links from DIEs to their parents, and libdw would walk the whole
 * unit for each question.  Functions are top-level DIEs, and their contents
 * follow them: so a list of the functions' offsets, made once per unit, answers
 * by bisection.
 */
#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/internal.h"

/* The offsets of a unit's functions, ascending. */
struct unit_functions {
	Dwarf_Off unit;
	vec(Dwarf_Off) dies;
};

struct enclosing {
	vec(struct unit_functions) units;	/* units used so far, by offset */
};

static void list_functions(struct unit_functions *u, const struct cu *cu)
{
	struct die d;

	if (!die_peek(cu, cu->first, &d))
		return;
	for (uint64_t at = d.next; d.children && at < cu->end;) {
		struct die child;

		if (!die_peek(cu, at, &child) || !child.tag)
			return;
		if (child.tag == DW_TAG_subprogram)
			vec_push(&u->dies, at);
		at = die_after(cu, &child);
		if (!at)
			return;
	}
}

/* The result for a damaged unit is kept too, so nothing is read twice. */
static struct unit_functions read_functions(struct dwfile *f, Dwarf_Off unit)
{
	struct unit_functions u = { .unit = unit };
	struct cu cu = { 0 };

	if (cu_open(&cu, &f->sects, unit))
		list_functions(&u, &cu);
	cu_release(&cu);
	return u;
}

static const struct unit_functions *functions_of(struct dwfile *f, Dwarf_Off unit)
{
	struct enclosing *e = f->enclosing;
	size_t low = 0, high;

	if (!e)
		e = f->enclosing = arena_new(struct enclosing);
	for (high = e->units.n; low < high;) {
		size_t mid = (low + high) / 2;

		if (e->units.v[mid].unit < unit)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == e->units.n || e->units.v[low].unit != unit) {
		struct unit_functions *at;

		vec_push(&e->units, (struct unit_functions){ 0 });
		at = &e->units.v[low];
		memmove(at + 1, at, (e->units.n - 1 - low) * sizeof(*at));
		*at = read_functions(f, unit);
	}
	return &e->units.v[low];
}

bool dwfile_enclosing(struct dwfile *f, Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Off at = dwarf_dieoffset(die);
	const struct unit_functions *u;
	size_t low = 0, high;
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	u = functions_of(f, dwarf_dieoffset(&unit) - dwarf_cuoffset(&unit));
	for (high = u->dies.n; low < high;) {
		size_t mid = (low + high) / 2;

		if (u->dies.v[mid] <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low && dwfile_die(f, u->dies.v[low - 1], out);
}
