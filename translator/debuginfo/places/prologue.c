// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds where a function has its stack, and unoptimised code its parameters. */
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

/* Returns the index of the first row at or behind ADDR.  libdw sorts them. */
static size_t first_row(Dwarf_Lines *rows, size_t n, Dwarf_Addr addr)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = (low + n) / 2;
		Dwarf_Addr at = 0;

		dwarf_lineaddr(dwarf_onesrcline(rows, mid), &at);
		if (at < addr)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* Finds the first row of a function's that is marked as the end of its prologue. */
static bool marked_end(Dwarf_Die *function, Dwarf_Addr entry, Dwarf_Addr *end)
{
	Dwarf_Lines *rows;
	Dwarf_Addr past;
	Dwarf_Die unit;
	size_t n;

	if (!dwarf_diecu(function, &unit, NULL, NULL) || dwarf_highpc(function, &past) ||
	    dwarf_getsrclines(&unit, &rows, &n))
		return false;
	for (size_t i = first_row(rows, n, entry); i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		bool marked = false;

		if (dwarf_lineaddr(row, end) || *end >= past)
			return false;
		if (!dwarf_lineprologueend(row, &marked) && marked)
			return *end > entry;
	}
	return false;
}

/* Finds a marked row, or else the second: GCC marks none. */
static bool breakpoint(Dwarf_Die *function, Dwarf_Addr entry, Dwarf_Addr *end)
{
	Dwarf_Addr *breakpoints = NULL;
	int n = dwarf_entry_breakpoints(function, &breakpoints);
	bool found = false;

	for (int i = 0; i < n && !found; i++) {
		*end = breakpoints[i];
		found = breakpoints[i] > entry;
	}
	free(breakpoints);
	return found;
}

/*
 * Finds the end of a prologue.  A Go function whose stack is too small begins again, so its
 * prologue is skipped wherever its parameters are.  One that needs no stack has none, and no row is
 * marked: its second row may be the end of its only statement.
 */
bool prologue_end(struct dwfile *f, Dwarf_Off off, uint64_t entry, uint64_t *end)
{
	Dwarf_Die die;

	if (!dwfile_die(f, off, &die) || dwarf_tag(&die) != DW_TAG_subprogram)
		return false;
	return (die_is_go(&die) && marked_end(&die, entry, end)) ||
	       (has_parameter_in_frame(&die) && breakpoint(&die, entry, end));
}
