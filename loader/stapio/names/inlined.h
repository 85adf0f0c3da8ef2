/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the source lines of an address, one for each function that was inlined there.  For an
 * address in main(), which inlines area(), which inlines square():
 *
 *	square	shape.c:7	the line in square()
 *	area	shape.c:12	area()'s call site of square()
 *	NULL	prog.c:30	main()'s call site of area(); the symbol names main()
 *
 * Follows DWARF 5, section 3.3.8 (inlined subroutines).
 */
#ifndef STAP_INLINED_H
#define STAP_INLINED_H

#include <elfutils/libdwfl.h>

#define INLINED_MOST 16		/* places of one address; the outermost are dropped */

/* A source line of an address, and the function that it is in. */
struct place {
	const char *function;		/* the inlined function; NULL: the symbol's function */
	const char *source;
	int line;
};

/*
 * Fills OUT, of INLINED_MOST places, with the places of ADDRESS, innermost first.  Returns how many
 * there are, 0 if no line is known.  Names are as DWARF has them (mangled), and live as long as
 * MODULE.
 */
unsigned int inlined_find(Dwfl_Module *module, Dwarf_Addr address, struct place *out);

#endif
