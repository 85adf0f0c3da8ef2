// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The registers of x86-64 (registers.h).
 *
 * One table gives each word of struct pt_regs its names and its DWARF number;
 * all else is looked up in it.  Sources: the System V psABI for AMD64 (DWARF
 * register numbers), and the kernel's entry code (order of pt_regs).
 */
#include "registers.h"
#include "words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Register names by width.  The short names of pt_regs ("di") mean the whole
 * register, as in the kernel and in scripts; in assembler they are its low 2 bytes.
 */
static const struct {
	const char *whole, *word, *half;	/* 8, 8 and 4 bytes */
	const char *asm2, *asm1, *high;		/* 2 bytes, the lowest one, the one above it */
	int dwarf;				/* -1: no DWARF number */
} regs[] = {
	[R15] = { "r15", NULL, "r15d", "r15w", "r15b", NULL, 15 },
	[R14] = { "r14", NULL, "r14d", "r14w", "r14b", NULL, 14 },
	[R13] = { "r13", NULL, "r13d", "r13w", "r13b", NULL, 13 },
	[R12] = { "r12", NULL, "r12d", "r12w", "r12b", NULL, 12 },
	[BP] = { "rbp", "bp", "ebp", "bp", "bpl", NULL, 6 },
	[BX] = { "rbx", "bx", "ebx", "bx", "bl", "bh", 3 },
	[R11] = { "r11", NULL, "r11d", "r11w", "r11b", NULL, 11 },
	[R10] = { "r10", NULL, "r10d", "r10w", "r10b", NULL, 10 },
	[R9] = { "r9", NULL, "r9d", "r9w", "r9b", NULL, 9 },
	[R8] = { "r8", NULL, "r8d", "r8w", "r8b", NULL, 8 },
	[AX] = { "rax", "ax", "eax", "ax", "al", "ah", 0 },
	[CX] = { "rcx", "cx", "ecx", "cx", "cl", "ch", 2 },
	[DX] = { "rdx", "dx", "edx", "dx", "dl", "dh", 1 },
	[SI] = { "rsi", "si", "esi", "si", "sil", NULL, 4 },
	[DI] = { "rdi", "di", "edi", "di", "dil", NULL, 5 },
	[ORIG_AX] = { "orig_rax", "orig_ax", "orig_eax", NULL, NULL, NULL, -1 },
	[IP] = { "rip", "ip", "eip", NULL, NULL, NULL, -1 },
	[CS] = { "cs", "xcs", NULL, NULL, NULL, NULL, -1 },
	[FLAGS] = { "rflags", "flags", "eflags", NULL, NULL, NULL, 49 },
	[SP] = { "rsp", "sp", "esp", "sp", "spl", NULL, 7 },
	[SS] = { "ss", "xss", NULL, NULL, NULL, NULL, -1 },
};

enum { NREGS = sizeof(regs) / sizeof(regs[0]) };

int dwarf_reg_x86_64(unsigned regno)
{
	for (int i = 0; i < NREGS; i++)
		if (regs[i].dwarf >= 0 && (unsigned)regs[i].dwarf == regno)
			return i;
	return -1;
}

int reg_dwarf_x86_64(int index)
{
	return index >= 0 && index < NREGS ? regs[index].dwarf : -1;
}

static bool named(const char *name, const char *candidate)
{
	return candidate && strcmp(name, candidate) == 0;
}

int named_reg_x86_64(const char *name, unsigned *size)
{
	for (int i = 0; i < NREGS; i++) {
		if (named(name, regs[i].whole) || named(name, regs[i].word)) {
			*size = 8;
			return i;
		}
		if (named(name, regs[i].half)) {
			*size = 4;
			return i;
		}
	}
	return -1;
}

int asm_reg_x86_64(const char *name, unsigned *size, unsigned *shift)
{
	for (int i = 0; i < NREGS; i++) {
		const struct { const char *name; unsigned size, shift; } parts[] = {
			{ regs[i].whole, 8, 0 }, { regs[i].half, 4, 0 }, { regs[i].asm2, 2, 0 },
			{ regs[i].asm1, 1, 0 }, { regs[i].high, 1, 8 },
		};

		for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++) {
			if (!named(name, parts[k].name))
				continue;
			*size = parts[k].size;
			*shift = parts[k].shift;
			return i;
		}
	}
	return -1;
}
