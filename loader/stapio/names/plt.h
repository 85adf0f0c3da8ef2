/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the entries of procedure linkage tables (PLT), which have no symbols.  An entry jumps through a
 * GOT word, and the relocation of that word names the function:
 *
 *	.plt	401030:	jmp *0x2fe2(%rip)	# the word at 404018
 *	.rela.plt	404018: puts		the entry is puts@plt
 *
 * Knows the PLTs of x86-64 (System V ABI, "Procedure Linkage Table"), with and without endbr64 and bnd.
 */
#ifndef STAP_PLT_H
#define STAP_PLT_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

/* A PLT entry. */
struct plt_entry {
	const char *name;		/* the function's name, in the file's string table */
	uint64_t start, size;		/* its code, in the file's own addresses */
};

/* A file's PLT entries that have a name, sorted by address.  Zero it before use. */
struct plt {
	struct plt_entry *entries;	/* malloc'ed; the caller frees it */
	size_t n;
};

/* Reads a file's entries.  OUT stays empty if there is no memory. */
void plt_read(Elf *elf, struct plt *out);

/* Finds the entry that contains an address of the file; NULL if there is none. */
const struct plt_entry *plt_find(const struct plt *p, uint64_t address);

#endif
