// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes BPF instructions (code.h).
 *
 * The kernel refuses a program with instructions that nothing reaches.  So what comes behind a jump is
 * dropped up to a label to which something jumps; all jumps go forwards.
 */
#include "base/arena.h"
#include "bpf/code.h"

/* Does the instruction leave the register and the frame as they are? */
static bool leaves(unsigned op, unsigned dst, unsigned reg)
{
	switch (BPF_CLASS(op)) {
	case BPF_LD:
	case BPF_LDX:
	case BPF_ALU:
	case BPF_ALU64:
		return dst != reg;
	case BPF_JMP:
		return BPF_OP(op) != BPF_CALL;
	default:
		return false;
	}
}

static void add(struct code *c, unsigned op, unsigned dst, unsigned src, int off, int32_t imm)
{
	if (c->unreached)
		return;
	c->stored.known &= leaves(op, dst, c->stored.reg);
	vec_push(&c->insns, ((struct bpf_insn){ op, dst, src, off, imm }));
}

unsigned code_label(struct code *c)
{
	vec_push(&c->labels, ((struct code_place){ .at = -1 }));
	return c->labels.n - 1;
}

void code_here(struct code *c, unsigned label)
{
	c->labels.v[label].at = c->insns.n;
	if (c->labels.v[label].used)
		c->unreached = c->stored.known = false;
}

void code_here_from_below(struct code *c, unsigned label)
{
	c->labels.v[label].used = true;
	code_here(c, label);
}

void code_op(struct code *c, unsigned op, unsigned dst, int32_t imm)
{
	add(c, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

void code_op_reg(struct code *c, unsigned op, unsigned dst, unsigned src)
{
	add(c, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void code_op_frames(struct code *c, unsigned op, unsigned dst, unsigned n)
{
	if (!c->unreached)
		vec_push(&c->frames, c->insns.n);
	code_op(c, op, dst, n);
}

void code_big_endian(struct code *c, unsigned reg)
{
	add(c, BPF_ALU | BPF_END | BPF_TO_BE, reg, 0, 0, 64);
}

/* A load of 64 bits takes two instructions. */
static void add_wide(struct code *c, unsigned dst, unsigned src, uint32_t low, uint32_t high)
{
	add(c, BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, low);
	add(c, 0, 0, 0, 0, high);
}

void code_number(struct code *c, unsigned dst, int64_t n)
{
	if (n == (int32_t)n)
		code_op(c, BPF_MOV, dst, n);
	else
		add_wide(c, dst, 0, n, (uint64_t)n >> 32);
}

void code_map(struct code *c, unsigned dst, unsigned map)
{
	add_wide(c, dst, BPF_PSEUDO_MAP_FD, map, 0);
}

void code_map_value(struct code *c, unsigned dst, unsigned map, unsigned bytes)
{
	add_wide(c, dst, BPF_PSEUDO_MAP_VALUE, map, bytes);
}

void code_load(struct code *c, unsigned size, unsigned dst, unsigned src, int off)
{
	if (src == R9 && off >= 0 && off < 64 * 8)
		c->loaded |= (uint64_t)1 << off / 8;
	add(c, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

void code_store(struct code *c, unsigned size, unsigned dst, int off, unsigned src)
{
	add(c, BPF_STX | BPF_MEM | size, dst, src, off, 0);
	if (size == BPF_DW && dst == R9 && !c->unreached)
		c->stored = (struct code_stored){ .known = true, .reg = src, .at = c->insns.n, .off = off };
}

void code_load_stored(struct code *c, unsigned dst, int off, bool later)
{
	struct code_stored s = c->stored;

	if (!s.known || s.off != off) {
		code_load(c, BPF_DW, dst, R9, off);
		return;
	}
	if (!later)
		code_drop(c, s.at - 1, s.at);
	if (s.reg != dst)
		code_op_reg(c, BPF_MOV, dst, s.reg);
}

void code_store_number(struct code *c, unsigned size, unsigned dst, int off, int32_t imm)
{
	add(c, BPF_ST | BPF_MEM | size, dst, 0, off, imm);
}

void code_atomic(struct code *c, unsigned op, unsigned dst, int off, unsigned src)
{
	add(c, BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, off, op);
}

static void refer_to_member(struct code *c, enum code_member m, unsigned asks)
{
	if (!c->unreached)
		vec_push(&c->references, ((struct code_reference){ c->insns.n, m, asks }));
}

void code_load_member(struct code *c, unsigned dst, unsigned src, enum code_member m)
{
	refer_to_member(c, m, BPF_CORE_FIELD_BYTE_OFFSET);
	code_load(c, bpf_member_size(m), dst, src, 0);
}

void code_member_address(struct code *c, unsigned dst, unsigned src, enum code_member m)
{
	code_op_reg(c, BPF_MOV, dst, src);
	refer_to_member(c, m, BPF_CORE_FIELD_BYTE_OFFSET);
	code_op(c, BPF_ADD, dst, 0);
}

void code_has_member(struct code *c, unsigned dst, enum code_member m)
{
	refer_to_member(c, m, BPF_CORE_FIELD_EXISTS);
	code_op(c, BPF_MOV, dst, 1);
}

static void jump(struct code *c, unsigned op, unsigned dst, unsigned src, int32_t imm, unsigned label)
{
	if (c->unreached)
		return;
	c->labels.v[label].used = true;
	vec_push(&c->jumps, ((struct code_jump){ c->insns.n, label }));
	add(c, BPF_JMP | op, dst, src, 0, imm);
}

void code_jump_if(struct code *c, unsigned op, unsigned dst, int32_t imm, unsigned label)
{
	jump(c, op | BPF_K, dst, 0, imm, label);
}

void code_jump_if_reg(struct code *c, unsigned op, unsigned dst, unsigned src, unsigned label)
{
	jump(c, op | BPF_X, dst, src, 0, label);
}

void code_drop(struct code *c, unsigned from, unsigned end)
{
	size_t n = 0;

	for (unsigned i = from; i < end; i++)
		c->insns.v[i] = (struct bpf_insn){ .code = BPF_JMP | BPF_JA };
	for (size_t i = 0; i < c->jumps.n; i++)
		if (c->jumps.v[i].at < from || c->jumps.v[i].at >= end)
			c->jumps.v[n++] = c->jumps.v[i];
	c->jumps.n = n;
}

static bool is_dropped(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_JA);
}

static void truth(struct code *c, unsigned op, unsigned dst, unsigned src, int32_t imm)
{
	unsigned yes = code_label(c), from = c->insns.n;

	code_number(c, R0, 1);
	jump(c, op, dst, src, imm, yes);
	code_number(c, R0, 0);
	code_here(c, yes);
	c->truth = (struct code_truth){ from, c->insns.n, op, dst, src, imm };
}

void code_truth(struct code *c, unsigned op, unsigned dst, int32_t imm)
{
	truth(c, op | BPF_K, dst, 0, imm);
}

void code_truth_reg(struct code *c, unsigned op, unsigned dst, unsigned src)
{
	truth(c, op | BPF_X, dst, src, 0);
}

static unsigned opposite(unsigned op)
{
	static const unsigned char pairs[][2] = {
		{ BPF_JEQ, BPF_JNE }, { BPF_JGT, BPF_JLE }, { BPF_JGE, BPF_JLT }, { BPF_JSGT, BPF_JSLE }, { BPF_JSGE, BPF_JSLT },
	};

	for (size_t i = 0;; i++)
		for (int j = 0; j < 2; j++)
			if (BPF_OP(op) == pairs[i][j])
				return pairs[i][!j] | BPF_SRC(op);
}

/* Is the word at r9 + OFF the last truth, after whose instructions there were only stores of it that were dropped? */
static bool is_truth(const struct code *c, int off)
{
	unsigned at = c->truth.end;

	if (!c->stored.known || c->stored.off != off || c->stored.reg != R0 || !c->truth.end)
		return false;
	while (at < c->insns.n && is_dropped(&c->insns.v[at]))
		at++;
	return at == c->insns.n;
}

/* Makes a truth, which was dropped, ask the register of which the one that it asks was made a copy just for that. */
static void ask_copied(struct code *c, struct code_truth *t)
{
	const struct bpf_insn *copy = t->from ? &c->insns.v[t->from - 1] : NULL;

	if (copy && copy->code == (BPF_ALU64 | BPF_MOV | BPF_X) && copy->dst_reg == t->dst && BPF_SRC(t->op) == BPF_K) {
		t->dst = copy->src_reg;
		code_drop(c, t->from - 1, t->from);
	}
}

void code_jump_unless(struct code *c, int off, bool later, unsigned label)
{
	struct code_truth t = c->truth;

	code_load_stored(c, R0, off, later);
	if (c->unreached || !is_truth(c, off)) {
		code_jump_if(c, BPF_JEQ, R0, 0, label);
		return;
	}
	code_drop(c, t.from, t.end);
	ask_copied(c, &t);
	jump(c, opposite(t.op), t.dst, t.src, t.imm, label);
}

void code_jump(struct code *c, unsigned label)
{
	jump(c, BPF_JA, 0, 0, 0, label);
	c->unreached = true;
}

void code_helper(struct code *c, int helper)
{
	add(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static void refer(struct code *c, unsigned function)
{
	if (!c->unreached)
		vec_push(&c->calls, ((struct code_jump){ c->insns.n, function }));
}

void code_call(struct code *c, unsigned function)
{
	refer(c, function);
	add(c, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

void code_function(struct code *c, unsigned dst, unsigned function)
{
	refer(c, function);
	add_wide(c, dst, BPF_PSEUDO_FUNC, 0, 0);
}

void code_exit(struct code *c)
{
	add(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	c->unreached = true;
}

/* Returns how many instructions the kernel makes of one at most: it puts the code of some helpers in place of the call. */
static unsigned growth(const struct bpf_insn *insn)
{
	enum { HELPER = 24, DIVISION = 4 };

	if (insn->code == (BPF_JMP | BPF_CALL))
		return insn->src_reg ? 1 : HELPER;
	return BPF_CLASS(insn->code) == BPF_ALU64 && (BPF_OP(insn->code) == BPF_DIV || BPF_OP(insn->code) == BPF_MOD) ?
	       DIVISION : 1;
}

bool code_finish(struct code *c)
{
	int *grown = arena_alloc((c->insns.n + 1) * sizeof(*grown));	/* where the kernel has each then */

	for (size_t i = 0; i < c->insns.n; i++)
		grown[i + 1] = grown[i] + growth(&c->insns.v[i]);
	for (size_t i = 0; i < c->jumps.n; i++) {
		int to = c->labels.v[c->jumps.v[i].to].at, next = c->jumps.v[i].at + 1;
		int distance = grown[to] - grown[next];

		if (distance != (int16_t)distance)
			return false;
		c->insns.v[c->jumps.v[i].at].off = to - next;
	}
	return true;
}
