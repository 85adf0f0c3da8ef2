// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the inlined functions at an address (inlined.h). */
#include "inlined.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

static Dwarf_Word number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value))
		return 0;
	return value;
}

/* Returns the call site of an inlined function.  DW_AT_call_file is an index into the unit's file table. */
static struct place caller(Dwarf_Die *cu, Dwarf_Die *inlined)
{
	struct place p = { .line = number(inlined, DW_AT_call_line) };
	Dwarf_Files *files;
	size_t n;

	if (!dwarf_getsrcfiles(cu, &files, &n))
		p.source = dwarf_filesrc(files, number(inlined, DW_AT_call_file), NULL, NULL);
	return p;
}

/* Returns the linkage name, which shown_name() demangles, or the plain name if there is none. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(
		dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	return name ? name : dwarf_diename(die);
}

/* Adds the call sites, from the innermost scope outwards up to the function that isn't inlined.  Returns the
 * number of places. */
static unsigned int find_callers(Dwarf_Die *cu, Dwarf_Die *scopes, int nscopes, struct place *out)
{
	unsigned int n = 1;

	for (int i = 0; i < nscopes && n < INLINED_MOST; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		out[n - 1].function = name_of(&scopes[i]);
		out[n] = caller(cu, &scopes[i]);
		if (!out[n - 1].function || !out[n].source)
			break;
		n++;
	}
	out[n - 1].function = NULL;
	return n;
}

unsigned int inlined_find(Dwfl_Module *module, Dwarf_Addr address, struct place *out)
{
	Dwfl_Line *line = dwfl_module_getsrc(module, address);
	Dwarf_Die *cu, *found = NULL, *scopes = NULL;
	unsigned int n = 1;
	Dwarf_Addr bias;

	out[0] = (struct place){ NULL };
	if (line)
		out[0].source = dwfl_lineinfo(line, NULL, &out[0].line, NULL, NULL, NULL);
	if (!out[0].source)
		return 0;
	cu = dwfl_module_addrdie(module, address, &bias);
	/* dwarf_getscopes() leaves an inlined function for the scopes of its definition;
	 * dwarf_getscopes_die() goes on to the function that it was inlined into. */
	if (cu && dwarf_getscopes(cu, address - bias, &found) > 0) {
		int nscopes = dwarf_getscopes_die(&found[0], &scopes);

		n = find_callers(cu, scopes, nscopes, out);
	}
	free(scopes);
	free(found);
	return n;
}
