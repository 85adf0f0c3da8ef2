/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF as DWARF. */
#ifndef STAP_BTF_DWARF_H
#define STAP_BTF_DWARF_H

#include "arch/arch.h"
#include "base/sbuf.h"

struct btf;

/*
 * Makes an ELF file in memory with the types and functions of BTF as DWARF.
 * For split BTF, BASE is the BTF it extends; only the split part's functions
 * are included, with the types they refer to.  For other BTF, BASE is NULL.
 *
 * The file has BUILD_ID (in hex), unless that is NULL.
 *
 * BTF has no addresses.  Each function gets a made-up one, and a symbol with
 * the same address and the function's name.
 */
void btf_to_dwarf(const struct btf *btf, const struct btf *base, const struct arch *arch,
		  const char *build_id, struct sbuf *elf);

#endif
