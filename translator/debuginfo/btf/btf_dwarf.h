/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF, written out as DWARF: btf_dwarf.c. */
#ifndef STAP_BTF_DWARF_H
#define STAP_BTF_DWARF_H

#include "arch/arch.h"
#include "base/sbuf.h"

struct btf;

/*
 * An ELF file in memory with the types and functions of BTF as DWARF.  BASE:
 * of split BTF what it was split from, else NULL; then only the split part's
 * functions are there, and the types that it has or refers to.
 *
 * A function's code has an address that only stands for it: a symbol of the
 * symbol table has the same and the function's name.
 */
void btf_to_dwarf(const struct btf *btf, const struct btf *base, const struct arch *arch,
		  struct sbuf *elf);

#endif
