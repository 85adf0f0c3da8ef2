// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs in Go: how they are recognised, and what of Go's run-time library the runtime
 * needs to know.
 *
 * A goroutine has a stack of its own, which Go walks, and moves to a larger one when it is
 * full.  The walk aborts the program at a return address that isn't in Go's code.  So the
 * kernel's return probes, which replace a return address, would crash the program.
 */
#include <dwarf.h>
#include <string.h>

#include "internal.h"

bool die_is_go(Dwarf_Die *die)
{
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, NULL, NULL) && dwarf_srclang(&unit) == DW_LANG_Go;
}

/* Does the compiler pass arguments in registers (since Go 1.17)? */
bool die_has_go_registers(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *producer;
	Dwarf_Die unit;

	producer = dwarf_diecu(die, &unit, NULL, NULL)
		 ? dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attr)) : NULL;
	return producer && strstr(producer, "regabi");
}

/* Was the program compiled by Go?  Even a stripped one has the table by which Go walks stacks. */
bool program_is_go(const struct dwfile *f)
{
	Elf *elf = f->own ? f->own : f->elf;
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (!f->is_program || elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (name && (!strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab")))
			return true;
	}
	return false;
}

/* Returns the offset of "goid" in the struct "runtime.g"; 0 if it is unknown. */
unsigned program_goid(struct dwfile *f)
{
	Dwarf_Die type, member;
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	if (!f->dw || !program_is_go(f) || !index_find_type(f, "struct runtime.g", &type) ||
	    dwarf_child(&type, &member))
		return 0;
	do {
		const char *name = dwarf_diename(&member);

		if (name && !strcmp(name, "goid") &&
		    !dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attr), &offset))
			return offset;
	} while (!dwarf_siblingof(&member, &member));
	return 0;
}
