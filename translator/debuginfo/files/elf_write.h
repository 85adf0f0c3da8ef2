/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file in memory, for libdw: elf_write.c. */
#ifndef STAP_ELF_WRITE_H
#define STAP_ELF_WRITE_H

#include <elf.h>

#include "arch/arch.h"
#include "base/sbuf.h"

struct elf_section {
	const char *name;
	const struct sbuf *data;	/* NULL: none in the file */
	Elf64_Shdr sh;			/* type, 0: PROGBITS; the size of one without data */
};

/* Appends to OUT, which is empty, a linked file of these sections and their names'.
 * They are numbered from 1. */
void elf_write(const struct arch *arch, const struct elf_section *v, size_t n, struct sbuf *out);

#endif
