/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU architecture: its registers and calling convention.  Only this folder knows them. */
#ifndef STAP_ARCH_H
#define STAP_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode.h"

/*
 * The facts about a CPU that debug information and probes need.  A register's index is the index of
 * its word in struct pt_regs, which is the context's register array; the runtime asserts that the
 * two agree.
 */
struct arch {
	const char *name;		/* as uname -m prints it */
	unsigned short elf_machine;	/* EM_… of <elf.h> */
	unsigned short elf_machine32;	/* of the 32-bit programs that it runs, or 0 */
	unsigned word;			/* bytes of a register and a pointer */

	/* Returns the index of a DWARF register number, or -1 if the context has none. */
	int (*dwarf_reg)(unsigned regno);

	/* Returns the DWARF number of an index, or -1. */
	int (*reg_dwarf)(int index);

	/*
	 * Returns the index of a register by name, such as "rdi", "edi" or
	 * "di", and its width in bytes in *SIZE; or -1.
	 */
	int (*named_reg)(const char *name, unsigned *size);

	/*
	 * Returns the index of a register by its name in assembler, without the
	 * '%': "rdi", "edi", "di", "dil", "ah"; *SIZE is its width in bytes,
	 * *SHIFT its first bit.  Returns -1 for a register that struct pt_regs
	 * lacks, such as "xmm0".
	 */
	int (*asm_reg)(const char *name, unsigned *size, unsigned *shift);

	/*
	 * Vector registers, which carry floating-point numbers and are not in struct
	 * pt_regs: their numbers from 0, by DWARF number and by name in assembler
	 * ("xmm0"); -1 for another register.  A number lies in the lowest bytes.
	 */
	int (*dwarf_vector)(unsigned regno);
	int (*asm_vector)(const char *name);
	unsigned vector_size;		/* bytes that probes see of each */

	/*
	 * Returns the index of the register that carries integer argument N,
	 * from 0, at a function's entry; -1 if it is on the stack.
	 */
	int (*arg_reg)(unsigned n);

	const char *thread_segment;	/* what assembler writes before an address that counts from
					   the thread pointer: "fs" */
	int stack_reg, pc_reg;		/* indices */

	/*
	 * A function's result is in up to two words, each of which is in the next register
	 * of its class: the indices of those for integers; floating-point numbers are in
	 * vector registers 0 and 1.
	 */
	int return_regs[2];

	/*
	 * A function's frame address (DW_OP_call_frame_cfa) is this many bytes
	 * above the stack pointer at its first instruction; a jump to the
	 * function, a tail call, has the same offset.
	 */
	int entry_cfa_offset;

	/*
	 * The callee's frame address, from the stack pointer at the call
	 * instruction. call_before() and jump_before() return the size of the
	 * direct call or jump that ends at offset END of CODE, or 0 if there is
	 * none.
	 */
	int call_cfa_offset;
	unsigned (*call_before)(const unsigned char *code, uint64_t end);
	unsigned (*jump_before)(const unsigned char *code, uint64_t end);

	/*
	 * Returns the link address of the word that an entry of a procedure
	 * linkage table jumps through; CODE is the entry, N bytes at ADDRESS.  0:
	 * it is none.
	 */
	uint64_t (*plt_slot)(const unsigned char *code, size_t n, uint64_t address);

	/*
	 * Relocations of thread-local variables: the module's number, and a variable's distance
	 * from the thread pointer; 0: not supported.
	 */
	unsigned tls_module, tls_distance;

	/* Decodes the instruction that CODE, of N bytes, begins with; false: it is none. */
	bool (*decode)(const unsigned char *code, size_t n, struct insn *insn);

	/*
	 * Can a kprobe not step the instruction at CODE, of N bytes, in a copy
	 * (runtime/arch/x86/stepping.h)?
	 */
	bool (*cant_step)(const unsigned char *code, size_t n);

	/* Bytes of the jump that the kernel puts in place of a kprobe's breakpoint. */
	unsigned kprobe_jump;

	/*
	 * Go's own calling convention (ABIInternal): the index of the register with part
	 * N of the arguments, or of the results, -1 behind the last; how many registers
	 * hold floating-point parts; and the register with the goroutine (struct g).
	 */
	int (*go_reg)(unsigned n);
	unsigned go_float_regs;
	int go_g_reg;

	/*
	 * Bytes of an ftrace site at a function's entry.  Its instructions
	 * change no argument register.
	 */
	unsigned ftrace_site_size;
};

/* Finds an architecture by its uname -m name; NULL if it is not supported. */
const struct arch *arch_find(const char *name);

#endif
