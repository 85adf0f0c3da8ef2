/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of procedure linkage tables in x86-64 code.  The translator probes them, and stapio names
 * the frames that lie in them.
 *
 *	401030:	endbr64
 *	401034:	bnd jmp *0x2fdd(%rip)	the word at 404018
 *
 * Follows the System V ABI for x86-64, "Procedure Linkage Table".
 */
#ifndef STAP_ARCH_PLT_H
#define STAP_ARCH_PLT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the link address of the word that an entry jumps through; CODE is the entry, N bytes at
 * ADDRESS.  0: it is none.
 */
uint64_t plt_slot_x86_64(const unsigned char *code, size_t n, uint64_t address);

#endif
