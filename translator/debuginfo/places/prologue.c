// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds where a function of unoptimised code has stored its parameters. */
#include "prologue.h"

#include <dwarf.h>
#include <stdlib.h>

#include "debuginfo/values/scope.h"

enum { PARAMETERS_MAX = 10000 };	/* children of a function that are looked at */

/*
 * Is the variable in its function's frame throughout?  Arguments passed on the stack lie
 * above the frame's address, and are there at the entry.
 */
static bool is_in_frame(Dwarf_Die *variable, bool from_register)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr))
		return false;
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_exprloc: case DW_FORM_block: case DW_FORM_block1:
		break;
	default:
		return false;
	}
	return dwarf_getlocation(&attr, &ops, &n) == 0 && n && ops[0].atom == DW_OP_fbreg &&
	       (from_register || (Dwarf_Sword)ops[0].number < 0);
}

/*
 * Is the frame base a register, which the prologue sets?  Clang and rustc say so; GCC
 * counts from the frame's address.
 */
static bool base_is_register(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr_integrate(function, DW_AT_frame_base, &attr) &&
	       dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 &&
	       ops[0].atom != DW_OP_call_frame_cfa;
}

static bool has_parameter_in_frame(Dwarf_Die *function)
{
	bool from_register = base_is_register(function);
	unsigned left = PARAMETERS_MAX;
	Dwarf_Die child;

	if (dwarf_child(function, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter && is_in_frame(&child, from_register))
			return true;
	} while (--left && dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* libdw follows the line table: a row marked as the prologue's end, or the second row. */
bool prologue_end(struct dwfile *f, Dwarf_Off off, uint64_t entry, uint64_t *end)
{
	Dwarf_Addr *breakpoints = NULL;
	Dwarf_Die die;
	bool found = false;
	int n;

	if (!dwfile_die(f, off, &die) || dwarf_tag(&die) != DW_TAG_subprogram ||
	    !(die_is_go(&die) || has_parameter_in_frame(&die)))
		return false;
	n = dwarf_entry_breakpoints(&die, &breakpoints);
	for (int i = 0; i < n && !found; i++) {
		*end = breakpoints[i];
		found = breakpoints[i] > entry;
	}
	free(breakpoints);
	return found;
}
