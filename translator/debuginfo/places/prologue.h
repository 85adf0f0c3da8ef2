/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prologues of a program's functions.
 *
 * Code that was compiled without optimisation keeps its parameters in the stack frame,
 * and debug information gives that one location for the whole function.  It is right
 * only behind the instructions that store them there:
 *
 *	main:	push %rbp
 *		mov %rsp,%rbp
 *		sub $0x20,%rsp
 *		mov %edi,-0x14(%rbp)	argc is at frame base - 36 from here on
 *
 * Optimised code has lists of locations, which are right at the entry.
 *
 * A Go function begins with a look at how much stack is left.  If it is too little, it
 * gets a larger one and starts again at its first instruction.  The end of the prologue is
 * passed once.
 */
#ifndef STAP_PROLOGUE_H
#define STAP_PROLOGUE_H

#include "debuginfo/internal.h"

/*
 * Finds the end of the prologue of the function of a DIE.  Returns false if its variables
 * can be read at its entry.
 */
bool prologue_end(struct dwfile *f, Dwarf_Off die, uint64_t entry, uint64_t *end);

#endif
