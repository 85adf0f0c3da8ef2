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
#include <stdbool.h>
#include <stdint.h>

#define PLT_ENTRY_LEAST 8	/* bytes */

struct plt_entry {
	const char *name;		/* the function's, in the file's string table */
	uint64_t start, size;		/* the entry's, in the file's own addresses */
};

/* Has a section entries? */
bool plt_section(Elf *elf, const GElf_Shdr *sh);

/* Finds the entry that contains an address of a file; false if it is in no entry that has a name. */
bool plt_find(Elf *elf, uint64_t address, struct plt_entry *out);

#endif
