/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64.  Sources: the System V psABI for AMD64 (order of arguments), and Go's
 * cmd/compile/abi-internal.md (its registers).
 */
#include "arch.h"
#include "decode.h"
#include "plt.h"
#include "registers.h"
#include "words.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "arch/x86/stepping.h"

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
		if (!strcmp(name, names[i]))
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
	.dwarf_reg = dwarf_reg_x86_64,
	.reg_dwarf = reg_dwarf_x86_64,
	.named_reg = named_reg_x86_64,
	.asm_reg = asm_reg_x86_64,
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
