/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64.
 *
 * One table gives each word of struct pt_regs its names and its DWARF number;
 * all else is looked up in it.  Sources: the System V psABI for AMD64 (DWARF
 * register numbers, order of arguments), the kernel's entry code (order of
 * pt_regs), and Go's cmd/compile/abi-internal.md (its registers).
 */
#include "arch.h"
#include "decode.h"
#include "plt.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "arch/x86/stepping.h"

/* Words of struct pt_regs. */
enum {
	R15, R14, R13, R12, BP, BX, R11, R10, R9, R8, AX, CX, DX, SI, DI,
	ORIG_AX, IP, CS, FLAGS, SP, SS,
};

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

static int dwarf_reg(unsigned regno)
{
	for (int i = 0; i < NREGS; i++)
		if (regs[i].dwarf >= 0 && (unsigned)regs[i].dwarf == regno)
			return i;
	return -1;
}

static int reg_dwarf(int index)
{
	return index >= 0 && index < NREGS ? regs[index].dwarf : -1;
}

static bool named(const char *name, const char *candidate)
{
	return candidate && strcmp(name, candidate) == 0;
}

static int named_reg(const char *name, unsigned *size)
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

static int asm_reg(const char *name, unsigned *size, unsigned *shift)
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

enum { FIRST_VECTOR = 17, NVECTORS = 16 };	/* by DWARF: xmm0 to xmm15 */

static int dwarf_vector(unsigned regno)
{
	return regno >= FIRST_VECTOR && regno < FIRST_VECTOR + NVECTORS ? (int)regno - FIRST_VECTOR : -1;
}

static int asm_vector(const char *name)
{
	static const char *const names[NVECTORS] = {
		"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
		"xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
	};

	for (int i = 0; i < NVECTORS; i++)
		if (named(name, names[i]))
			return i;
	return -1;
}

static int arg_reg(unsigned n)
{
	static const int order[] = { DI, SI, DX, CX, R8, R9 };

	return n < sizeof(order) / sizeof(order[0]) ? order[n] : -1;
}

static int go_reg(unsigned n)
{
	static const int order[] = { AX, BX, CX, DI, SI, R8, R9, R10, R11 };

	return n < sizeof(order) / sizeof(order[0]) ? order[n] : -1;
}

static unsigned call_before(const unsigned char *code, uint64_t end)
{
	enum { CALL = 0xe8, SIZE = 5 };

	return end >= SIZE && code[end - SIZE] == CALL ? SIZE : 0;
}

static unsigned jump_before(const unsigned char *code, uint64_t end)
{
	enum { JUMP = 0xe9, SIZE = 5 };

	return end >= SIZE && code[end - SIZE] == JUMP ? SIZE : 0;
}

static bool cant_step(const unsigned char *code, size_t n)
{
	unsigned char whole[ST_OPCODE_BYTES] = { 0 };

	memcpy(whole, code, n < sizeof(whole) ? n : sizeof(whole));
	return st_opcode_cant_step(whole);
}

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.elf_machine32 = EM_386,
	.word = 8,
	.dwarf_reg = dwarf_reg,
	.reg_dwarf = reg_dwarf,
	.named_reg = named_reg,
	.asm_reg = asm_reg,
	.dwarf_vector = dwarf_vector,
	.asm_vector = asm_vector,
	.vector_size = 16,
	.arg_reg = arg_reg,
	.thread_segment = "fs",
	.stack_reg = SP,
	.return_regs = { AX, DX },
	.pc_reg = IP,
	.entry_cfa_offset = 8,		/* the call has pushed the return address */
	.call_cfa_offset = 0,
	.call_before = call_before,
	.jump_before = jump_before,
	.plt_slot = plt_slot_x86_64,
	.tls_module = R_X86_64_DTPMOD64,
	.tls_distance = R_X86_64_TPOFF64,
	.decode = decode_x86_64,
	.cant_step = cant_step,
	.kprobe_jump = 5,
	.go_reg = go_reg,
	.go_float_regs = 15,
	.go_g_reg = R14,
	.ftrace_site_size = 5,		/* call __fentry__ */
};
