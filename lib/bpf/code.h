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
 * A jump reaches 32,767 instructions, of those that the kernel makes of these; code_finish() tells whether all do.
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

/*
 * Members of the kernel's structures.  The kernel puts their offsets into a program when it loads it, by their names
 * (types.c), so a program is for all kernels.
 */
enum code_member {
	VMA_FLAGS, VMA_OPERATIONS, VMA_FILE, VMA_USERFAULTFD,
	FILE_INODE, INODE_MODE, INODE_SUPER_BLOCK,
	SUPER_BLOCK_MAGIC, SUPER_BLOCK_DEVICE, SUPER_BLOCK_TYPE,
	FILE_SYSTEM_NAME, FILE_SYSTEM_FLAGS,
	DEVICE_DISK, DISK_NAME,
	TASK_THREAD_BASE, TASK_COMM,
};

/* The word that was stored last, at r9 + OFF by the instruction before AT, if the register REG is known to have it still. */
struct code_stored {
	bool known;
	unsigned reg, at;
	int off;
};

/* The instructions from FROM to before END, which make r0 = 1 if 'dst OP (imm, src)', else 0. */
struct code_truth {
	unsigned from, end, op, dst, src;
	int32_t imm;
};

/* What the kernel puts into the instruction AT of a member: ASKS is a value of enum bpf_core_relo_kind. */
struct code_reference {
	unsigned at;
	enum code_member member;
	unsigned asks;
};

struct code {
	vec(struct bpf_insn) insns;
	vec(struct code_place) labels;
	vec(struct code_jump) jumps;		/* to labels, */
	vec(struct code_jump) calls;		/* and to functions by their numbers */
	vec(struct code_reference) references;
	vec(unsigned) frames;			/* instructions whose number is one of frames, not yet of their bytes */
	uint64_t loaded;			/* which of the words from r9 on something loads: a bit for each of the first 64 */
	bool unreached;				/* what would come next */
	struct code_stored stored;
	struct code_truth truth;		/* the last */
};

unsigned code_label(struct code *c);
void code_here(struct code *c, unsigned label);

/* The same, if jumps that are not made yet lead here. */
void code_here_from_below(struct code *c, unsigned label);

/* dst = dst OP (imm, src): BPF_ADD, BPF_MOV … of 64 bits. */
void code_op(struct code *c, unsigned op, unsigned dst, int32_t imm);
void code_op_reg(struct code *c, unsigned op, unsigned dst, unsigned src);

/* Changes a register from this machine's order of bytes, or back. */
void code_big_endian(struct code *c, unsigned reg);

/* dst = dst OP (the bytes of N frames), which are known when all programs are made. */
void code_op_frames(struct code *c, unsigned op, unsigned dst, unsigned n);

/* dst = N; the address of a map, or BYTES into the value of an array with one. */
void code_number(struct code *c, unsigned dst, int64_t n);
void code_map(struct code *c, unsigned dst, unsigned map);
void code_map_value(struct code *c, unsigned dst, unsigned map, unsigned bytes);

/* dst = *(src + off); *(dst + off) = src, imm.  SIZE is BPF_B, BPF_H, BPF_W or BPF_DW. */
void code_load(struct code *c, unsigned size, unsigned dst, unsigned src, int off);
void code_store(struct code *c, unsigned size, unsigned dst, int off, unsigned src);
void code_store_number(struct code *c, unsigned size, unsigned dst, int off, int32_t imm);

/*
 * dst = the member of the structure at src, whose type the verifier knows; its address, from that of any structure;
 * 1 if this kernel has it, else 0: then the verifier must see that nothing loads it.
 */
void code_load_member(struct code *c, unsigned dst, unsigned src, enum code_member m);
void code_member_address(struct code *c, unsigned dst, unsigned src, enum code_member m);
void code_has_member(struct code *c, unsigned dst, enum code_member m);

/*
 * dst = the word at r9 + OFF, which is not loaded if a register has it.  If it is not LATER used either, it isn't stored.
 */
void code_load_stored(struct code *c, unsigned dst, int off, bool later);

/* r0 = 1 if dst OP (imm, src), else 0 */
void code_truth(struct code *c, unsigned op, unsigned dst, int32_t imm);
void code_truth_reg(struct code *c, unsigned op, unsigned dst, unsigned src);

/* Goes to LABEL if the word at r9 + OFF is 0: a truth needs no word for that.  Changes r0. */
void code_jump_unless(struct code *c, int off, bool later, unsigned label);

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

/* Returns how long the instructions so far take at most, all in all, in rounds of a small loop. */
static inline unsigned code_cost(const struct code *c)
{
	return 1 + c->insns.n / 32;
}

/* Makes the instructions from FROM to before END such that the kernel leaves them out; nothing else jumps there. */
void code_drop(struct code *c, unsigned from, unsigned end);

/* Sets the jumps' distances.  Returns false if one is too far. */
bool code_finish(struct code *c);

/* types.c: BPF_B, BPF_H, BPF_W or BPF_DW */
unsigned bpf_member_size(enum code_member m);

#endif
