/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program's or library's ELF file: what is known of it without debug information.
 *
 * An address in such a file is a link address: where its program headers put a byte.
 * A uprobe wants the byte's offset in the file.  For the code segment of a program
 * that is linked to run at 0x401000,
 *
 *	LOAD	offset 0x1000	address 0x401000	size 0x2c8	R E
 *
 * the byte at 0x401010 is at offset 0x1010.
 *
 * Files may be damaged or malicious.  So every answer is checked against the file's
 * size, and nonsense counts as not found.  Source: the System V gABI, chapters 4 and 5.
 */
#ifndef STAP_ELF_FILE_H
#define STAP_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>

#include "arch/arch.h"
#include "base/problem.h"

/* An open file.  elf_file_close() closes it; what was read from it is gone then. */
struct elf_file {
	const char *path;
	Elf *elf;
	int fd;
	unsigned word;			/* bytes of an address: 4 for a 32-bit program, else 8 */
	bool is_relocated;		/* it may run at other addresses than it is linked to:
					   a shared library or a PIE */
	uint64_t left;			/* bytes that elf_file_take() still grants */
};

/* Opens a program or library for ARCH.  Returns false with *WHY. */
bool elf_file_open(const char *path, const struct arch *arch, struct elf_file *out,
		   struct problem *why);
void elf_file_close(struct elf_file *f);

/*
 * May a section be read whole?  Loops over sections stop after as many bytes as the file
 * has, because overlapping sections can add up to far more.
 */
bool elf_file_take(struct elf_file *f, const GElf_Shdr *sh);

/*
 * Sets *OFFSET to where the N bytes at ADDRESS are in the file.  Returns false if they
 * are not in it (.bss is not), or in a segment that lacks one of FLAGS: PF_X, PF_W.
 */
bool elf_file_offset(const struct elf_file *f, uint64_t address, unsigned n, unsigned flags,
		     uint64_t *offset);

/* Finds the next section of this name behind AFTER (NULL: the first); NULL if there is none. */
Elf_Scn *elf_file_section(const struct elf_file *f, const char *name, Elf_Scn *after,
			  GElf_Shdr *out);

/*
 * Finds a symbol, in .symtab or else in .dynsym.  A name without '@' finds any version.
 * Returns false with *WHY if it is not defined, or several different ones are.
 */
bool elf_file_symbol(const struct elf_file *f, const char *name, GElf_Sym *out,
		     struct problem *why);

#endif
