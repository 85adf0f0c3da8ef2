/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that hold for files which other people wrote: programs and libraries, their debug
 * information and symbols.  Whoever reads one counts against this table; what lies beyond a limit is
 * left out, and the user reads why, or sees the address or the raw symbol instead of a name.  The
 * figures are several times what compilers and linkers make of the largest programs.
 *
 * stap reads the files that a script names, and the loader's helper those that turn up in stacks:
 * both include this table.  What a *script* may choose has its bounds in runtime/abi/bounds.h.
 *
 *	if (depth == LIMIT_NESTING)
 *		return too_deep(f);
 */
#ifndef STAP_BASE_LIMITS_H
#define STAP_BASE_LIMITS_H

#include <stdint.h>

enum {
	/* names, in bytes */
	LIMIT_SYMBOL = 4096,		/* longer symbols are not demangled */
	LIMIT_NAME = 65536,		/* of a symbol demangled; longer, it stays as it is */
	LIMIT_NAME_MS = 200,		/* and so it does after this time of a processor */
	LIMIT_NAMES_CUT = 16,		/* symbols for which that was found out: no more are tried */
	LIMIT_NAMES = 512 << 20,	/* of all names demangled */

	/* entries of debug information (DIEs) */
	LIMIT_NESTING = 512,		/* inside each other; libdw and others recurse */
	LIMIT_BLOCKS = 64,		/* lexical blocks and inlined calls that are searched, likewise */
	LIMIT_CHILDREN = 100000,	/* of one entry that are looked at */
	LIMIT_CHAIN = 64,		/* from a type to its base, a function to its declaration … */
	LIMIT_PLACES = 1500000,		/* that one probe point matches; a kernel has 1.1 million
					   rows of source lines */

	/* compressed sections, kernels and modules */
	LIMIT_UNPACKED_TIMES = 64,	/* how many times a file's size they may take, and */
	LIMIT_UNPACKED_SLACK = 64 << 20,	/* so many bytes more */

	/* a process that reads them */
	LIMIT_SECONDS = 600,		/* of a processor; the largest programs take some */
};

/* Bytes of all decompressed sections of a file, whatever its size. */
#define LIMIT_UNPACKED (UINT64_C(2) << 30)

/* Returns the most bytes that may be decompressed from a file of SIZE bytes. */
static inline uint64_t limit_unpacked(uint64_t size)
{
	uint64_t most = size > LIMIT_UNPACKED ? LIMIT_UNPACKED :
			size * LIMIT_UNPACKED_TIMES + LIMIT_UNPACKED_SLACK;

	return most < LIMIT_UNPACKED ? most : LIMIT_UNPACKED;
}

#endif
