/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that hold for files which other people wrote: programs and libraries, their debug
 * information and symbols.  All code that reads such a file checks against this table.  What lies
 * beyond a limit is left out, and the user reads why, or sees the address or the raw symbol instead
 * of a name.  The figures are several times what compilers and linkers make of the largest
 * programs.
 *
 * stap reads the files that a script names, and the loader's namer reads the files that occur in
 * stacks; both include this table.  What a *script* may choose has its bounds in
 * runtime/abi/bounds.h.
 *
 *	if (depth == LIMIT_NESTING)
 *		return too_deep(f);
 */
#ifndef STAP_BASE_LIMITS_H
#define STAP_BASE_LIMITS_H

#include <stdint.h>

/* The limits. */
enum {
	/* names, in bytes */
	LIMIT_SYMBOL = 4096,		/* longer symbols are not demangled */
	LIMIT_NAME = 65536,		/* of a demangled symbol; a longer one stays mangled */
	LIMIT_NAME_MS = 200,		/* of CPU time; a symbol that takes longer stays mangled */
	LIMIT_NAMES_CUT = 16,		/* symbols that were given up so; then no more are tried */
	LIMIT_NAMES = 512 << 20,	/* of all names demangled */

	/* entries of debug information (DIEs) */
	LIMIT_NESTING = 512,		/* inside each other; libdw and others recurse */
	LIMIT_BLOCKS = 64,		/* lexical blocks and inlined calls that are searched */
	LIMIT_CHILDREN = 100000,	/* of one entry that are looked at */
	LIMIT_CHAIN = 64,		/* from a type to its base, a function to its declaration … */
	LIMIT_PLACES = 1500000,		/* that one probe point matches; a kernel has 1.1 million
					   rows of source lines */

	/* compressed sections, kernels and modules */
	LIMIT_UNPACKED_TIMES = 64,	/* how many times a file's size they may take, and */
	LIMIT_UNPACKED_SLACK = 64 << 20,	/* so many bytes more */

	/* a process that reads them */
	LIMIT_SECONDS = 600,		/* of CPU time; the largest programs take some */

	/* ELF */
	LIMIT_PLT = 4 << 20,		/* relocations, and entries of linkage tables, likewise */

	/* the loader's namer of programs that turn up in stacks, a process of its own */
	LIMIT_SHOWN = 4096,		/* bytes of a name; what is longer is cut */
	LIMIT_NAMER_TIME = 10,		/* s of CPU time, for one answer */
	LIMIT_NAMER_WAIT = 60,		/* s until it comes */
	LIMIT_NAMER_HURRY = 2,		/* s of CPU time, after ^C; the first answer that takes
					   longer is the last */
	LIMIT_NAMER_LIFE = 600,		/* s of CPU time, until another namer takes over */
	LIMIT_NAMER_FILES = 4096,	/* open at once */
	LIMIT_NAMER_STACK = 8 << 20,	/* bytes */
	LIMIT_NAMERS = 16,		/* namers that may crash or be killed in a session */
};

/* Bytes of memory of that process, with what it maps: half of the machine's, but not more or less. */
#define LIMIT_NAMER_MEMORY (UINT64_C(4) << 30)
#define LIMIT_NAMER_MEMORY_LEAST (UINT64_C(512) << 20)

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
