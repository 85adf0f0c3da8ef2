/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedure linkage table of a program or library: how it calls functions of
 * other libraries.
 *
 * A call of malloc() goes to a few instructions of the program's own, which jump to the
 * address in a word of the global offset table.  The dynamic linker has put malloc()'s
 * there, because a relocation says so:
 *
 *	.plt.sec	0x10a0	endbr64; bnd jmp *0x2fad(%rip)		# 0x4058
 *	.rela.plt	0x4058	R_X86_64_JUMP_SLOT malloc
 *
 * So the entry at 0x10a0 is malloc's.  Entries are found by what they jump through,
 * wherever linkers put them (.plt, .plt.sec, .plt.got).
 */
#ifndef STAP_PLT_H
#define STAP_PLT_H

#include <stdint.h>

#include "arch/arch.h"
#include "base/problem.h"
#include "base/vec.h"

struct plt_entry {
	const char *name;		/* the function's */
	uint64_t address;		/* link address */
	uint64_t offset;		/* in the file */
};

typedef vec(struct plt_entry) plt_list;

/*
 * Appends the entries of the file at PATH, sorted by name and address.  Returns false
 * with *WHY if the file can't be read; it may have no entries.
 */
bool plt_read(const char *path, const struct arch *arch, plt_list *out, struct problem *why);

#endif
