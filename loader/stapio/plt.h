/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for the entries of procedure linkage tables, which have no symbols.  An entry jumps to where a
 * word says that the dynamic linker sets; the relocation of that word names the function:
 *
 *	.plt	401030:	jmp *0x2fe2(%rip)	# the word at 404018
 *	.rela.plt	404018: puts		the entry is puts@plt
 *
 * x86-64's tables (System V ABI, "Procedure Linkage Table"), with and without endbr64 and bnd.
 */
#ifndef STAP_PLT_H
#define STAP_PLT_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct plt_entry {
	const char *name;		/* the function's, in the file's string table */
	uint64_t start, size;		/* the entry's, in the file's own addresses */
};

/* Those that have a name, by address.  Begins zeroed. */
struct plt {
	struct plt_entry *entries;	/* malloc'ed */
	size_t n;
};

/* Reads a file's entries: none if there is no memory. */
void plt_read(Elf *elf, struct plt *out);

/* Finds the entry that contains an address of the file; NULL if there is none. */
const struct plt_entry *plt_find(const struct plt *p, uint64_t address);

#endif
