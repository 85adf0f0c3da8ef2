/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source lines that one address belongs to: a function that was inlined is code of its caller,
 * and each has a line there.  For an address of main() in code that was inlined twice:
 *
 *	square	shape.c:7	the innermost function, and where in it
 *	area	shape.c:12	the call of square()
 *	-	prog.c:30	the call of area(): in the function that the symbol names
 *
 * Follows DWARF 5, section 3.3.8 (inlined subroutines).
 */
#ifndef STAP_INLINED_H
#define STAP_INLINED_H

#include <elfutils/libdwfl.h>

#define INLINED_MOST 16		/* places of one address; what is further out is left out */

struct place {
	const char *function;		/* inlined there; NULL: the symbol's own */
	const char *source;
	int line;
};

/*
 * Finds the places of an address, innermost first; returns how many, 0 if no line is known.  Names
 * are as in the debug information, and stay as long as the module.
 */
unsigned int inlined_find(Dwfl_Module *module, Dwarf_Addr address, struct place *out);

#endif
