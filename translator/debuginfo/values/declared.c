// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables that no C file defines, as those of assembler code and of linker
 * scripts (jiffies is one): a symbol says where they are, any declaration of
 * theirs says what they are.
 *
 * Declarations are in no index, since headers put thousands into each unit.  But
 * who is asked for has a symbol, and then some unit near the first declares it.
 */
#include <dwarf.h>
#include <string.h>

#include "debuginfo/internal.h"
#include "debuginfo/places/symbols.h"

static bool declared_in(Dwarf_Die *unit, const char *name, Dwarf_Die *out)
{
	Dwarf_Attribute attr;
	const char *own;

	if (dwarf_child(unit, out) != 0)
		return false;
	do {
		if (dwarf_tag(out) == DW_TAG_variable && dwarf_attr(out, DW_AT_declaration, &attr) &&
		    (own = dwarf_diename(out)) && !strcmp(own, name))
			return true;
	} while (dwarf_siblingof(out, out) == 0);
	return false;
}

bool declared_variable(struct dwfile *f, const char *name, Dwarf_Die *out)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint64_t addr;

	if (!f->dw || !symbol_address(f, name, &addr))
		return false;
	while (dwarf_get_units(f->dw, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		if (declared_in(&unit, name, out))
			return true;
	return false;
}
