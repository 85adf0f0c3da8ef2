/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files in memory, for libdw. */
#ifndef STAP_ELF_WRITE_H
#define STAP_ELF_WRITE_H

#include <elf.h>

#include "arch/arch.h"
#include "base/sbuf.h"

/* A section to be written. */
struct elf_section {
	const char *name;
	const struct sbuf *data;	/* NULL: no contents in the file */
	Elf64_Shdr sh;			/* sh_type 0 means SHT_PROGBITS; sh_size counts only
					   without data */
};

/*
 * Writes a linked file of N sections, and one with their names, to OUT, which
 * must be empty.  Sections are numbered from 1.
 */
void elf_write(const struct arch *arch, const struct elf_section *v, size_t n, struct sbuf *out);

#endif
