// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables that no C file defines, such as those of assembler code and linker
 * scripts (jiffies is one): the symbol table says where they are, and any of their
 * declarations says of what type.
 *
 * No index has declarations, since headers put thousands into each unit.  But a
 * variable that a script asks for has a symbol, and some unit near that symbol
 * declares it.
 */
#include <dwarf.h>
#include <string.h>

#include "debuginfo/internal.h"
#include "debuginfo/symbols/symbols.h"

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
