/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A processor architecture: registers and calling convention.  Nothing outside
 * arch/ knows one.
 */
#ifndef STAP_ARCH_H
#define STAP_ARCH_H

#include <stdbool.h>
#include <stdint.h>

struct arch {
	const char *name;		/* as uname -m */
	unsigned short elf_machine;
	unsigned word;			/* bytes */

	/*
	 * Index of a DWARF register in the context's register array (the words
	 * of struct pt_regs, which the runtime asserts), or -1: not saved.
	 */
	int (*dwarf_reg)(unsigned regno);

	/* The other way round: an array index's DWARF register, or -1. */
	int (*reg_dwarf)(int index);

	/* The same by name: "rdi", "edi", "di"; *size its width in bytes. */
	int (*named_reg)(const char *name, unsigned *size);

	/* Array index of the Nth integer argument at a function's entry (from 0);
	 * -1 when it is on the stack. */
	int (*arg_reg)(unsigned n);

	int stack_reg, return_reg, pc_reg;	/* array indexes */

	/*
	 * The frame address (DW_OP_call_frame_cfa) at a function's first
	 * instruction, from the stack pointer there.
	 */
	int entry_cfa_offset;

	/* The same from the stack pointer where it is called; and the size of the
	 * direct call that ends at an offset of CODE, 0: there is none.  Of a jump
	 * to a function, which is where it was at the function's entry: the jump. */
	int call_cfa_offset;
	unsigned (*call_before)(const unsigned char *code, uint64_t end);
	unsigned (*jump_before)(const unsigned char *code, uint64_t end);

	/* Bytes of an ftrace site; they change no register that arguments are in. */
	unsigned ftrace_site_size;
};

/* By uname -m name; NULL: not supported. */
const struct arch *arch_find(const char *name);

#endif
