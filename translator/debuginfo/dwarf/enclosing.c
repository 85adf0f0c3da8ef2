// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the function that contains a DIE.
 *
 * DWARF has no links from DIEs to their parents, and libdw would walk the whole
 * unit for each question.  Because a function's contents follow its DIE, a list of the
 * functions' offsets, made once per unit, answers by bisection.
 */
#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/dwarf/qualified.h"
#include "debuginfo/internal.h"

/* A function's DIE, and the offset behind all that it contains. */
struct function {
	Dwarf_Off off, end;
};

/* A unit's functions, by offset. */
struct unit_functions {
	Dwarf_Off unit;
	vec(struct function) functions;
};

struct enclosing {
	vec(struct unit_functions) units;	/* units used so far, by offset */
};

/*
 * Lists a unit's functions.  In C they are at the top level; in other languages anywhere, also in
 * each other, because a local class has methods.
 */
static void list_functions(struct unit_functions *u, const struct cu *cu)
{
	bool anywhere = language_has_scopes(cu->language);
	struct die d;

	if (!die_peek(cu, cu->first, &d))
		return;
	for (uint64_t at = d.next; d.children && at < cu->end;) {
		struct die child;
		uint64_t after;

		if (!die_peek(cu, at, &child) || (!child.tag && !anywhere))
			return;
		after = child.tag == DW_TAG_subprogram || !anywhere ? die_after(cu, &child)
								    : child.next;
		if (!after)
			return;
		if (child.tag == DW_TAG_subprogram)
			vec_push(&u->functions, ((struct function){ at, after }));
		at = anywhere ? child.next : after;
	}
}

/* Reads a unit's functions.  The caller keeps the result even for a damaged unit. */
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
	for (high = u->functions.n; low < high;) {
		size_t mid = (low + high) / 2;

		if (u->functions.v[mid].off <= at)
			low = mid + 1;
		else
			high = mid;
	}
	while (low && u->functions.v[low - 1].end <= at)
		low--;
	return low && dwfile_die(f, u->functions.v[low - 1].off, out);
}
