// SPDX-License-Identifier: GPL-2.0-or-later
/* The qualified names of libdw's DIEs. */
#include <dwarf.h>

#include "base/arena.h"
#include "debuginfo/internal.h"
#include "qualified.h"

enum { ORIGINS_MAX = 8 };	/* from a function to its declaration */

static bool to_origin(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return (dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
		dwarf_attr(die, DW_AT_specification, &attr)) && dwarf_formref_die(&attr, die);
}

const char *dwfile_name(struct dwfile *f, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die declared = *die;
	struct sbuf text = { 0 };

	if (!name)
		return NULL;
	for (int hops = 0; hops < ORIGINS_MAX && to_origin(&declared); hops++)
		;
	if (!f->qualified)
		f->qualified = arena_new(struct qualified);
	qualified_scope(f->qualified, &f->sects, NULL, dwarf_dieoffset(&declared), &text);
	sbuf_puts(&text, name);
	return sbuf_take(&text);
}

void dwfile_names_release(struct dwfile *f)
{
	if (f->qualified)
		qualified_release(f->qualified);
}
