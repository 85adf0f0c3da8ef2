/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of one BPF function, with jumps to labels.
 *
 *	unsigned end = code_label(c);
 *
 *	code_jump_if(c, BPF_JEQ, R0, 0, end);		if r0 == 0 goto end
 *	code_load(c, BPF_DW, R1, R0, 8);		r1 = *(u64 *)(r0 + 8)
 *	code_here(c, end);
 *
 * A jump reaches 32,767 instructions; code_finish() tells whether all do.
 */
#ifndef STAP_BPF_CODE_H
#define STAP_BPF_CODE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

/* A label's place, in instructions, -1: none yet; and whether something jumps there. */
struct code_place {
	int at;
	bool used;
};

/* The instruction AT refers to the label or function TO. */
struct code_jump {
	unsigned at, to;
};

struct code {
	vec(struct bpf_insn) insns;
	vec(struct code_place) labels;
	vec(struct code_jump) jumps;		/* to labels, */
	vec(struct code_jump) calls;		/* and to functions by their numbers */
	bool unreached;				/* what would come next */
};

unsigned code_label(struct code *c);
void code_here(struct code *c, unsigned label);

/* dst = dst OP (imm, src): BPF_ADD, BPF_MOV … of 64 bits. */
void code_op(struct code *c, unsigned op, unsigned dst, int32_t imm);
void code_op_reg(struct code *c, unsigned op, unsigned dst, unsigned src);

/* Changes a register from this machine's order of bytes, or back. */
void code_big_endian(struct code *c, unsigned reg);

/* dst = N; the address of a map, or BYTES into the value of an array with one. */
void code_number(struct code *c, unsigned dst, int64_t n);
void code_map(struct code *c, unsigned dst, unsigned map);
void code_map_value(struct code *c, unsigned dst, unsigned map, unsigned bytes);

/* dst = *(src + off); *(dst + off) = src, imm.  SIZE is BPF_B, BPF_H, BPF_W or BPF_DW. */
void code_load(struct code *c, unsigned size, unsigned dst, unsigned src, int off);
void code_store(struct code *c, unsigned size, unsigned dst, int off, unsigned src);
void code_store_number(struct code *c, unsigned size, unsigned dst, int off, int32_t imm);

/* An atomic operation of 64 bits: BPF_ADD, BPF_ADD | BPF_FETCH, BPF_XCHG, BPF_CMPXCHG. */
void code_atomic(struct code *c, unsigned op, unsigned dst, int off, unsigned src);

/* if dst OP (imm, src) goto label: BPF_JEQ … */
void code_jump_if(struct code *c, unsigned op, unsigned dst, int32_t imm, unsigned label);
void code_jump_if_reg(struct code *c, unsigned op, unsigned dst, unsigned src, unsigned label);
void code_jump(struct code *c, unsigned label);

/* Calls a helper, by its number; another function; dst = the address of a function. */
void code_helper(struct code *c, int helper);
void code_call(struct code *c, unsigned function);
void code_function(struct code *c, unsigned dst, unsigned function);
void code_exit(struct code *c);

/* Sets the jumps' distances.  Returns false if one is too far. */
bool code_finish(struct code *c);

#endif
