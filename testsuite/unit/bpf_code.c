// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF instructions: what is not loaded, stored or compared, because a register has it or nothing asks for it; and where
 * that must not be.
 */
#include "base/arena.h"
#include "bpf/code.h"
#include "check.h"

enum { AT = 64, OTHER = 72 };

/* Returns how many instructions the kernel keeps. */
static unsigned kept(const struct code *c)
{
	unsigned n = 0;

	for (size_t i = 0; i < c->insns.n; i++)
		n += c->insns.v[i].code != (BPF_JMP | BPF_JA) || c->insns.v[i].off;
	return n;
}

static struct bpf_insn last(const struct code *c)
{
	return c->insns.v[c->insns.n - 1];
}

static bool is_load(struct bpf_insn i)
{
	return BPF_CLASS(i.code) == BPF_LDX;
}

static void test_stored(void)
{
	struct code c = { .unreached = false };

	code_number(&c, R0, 5);
	code_store(&c, BPF_DW, R9, AT, R0);
	code_load_stored(&c, R0, AT, false);
	CHECK(kept(&c) == 1);			/* neither stored nor loaded */
	code_store(&c, BPF_DW, R9, AT, R0);
	code_load_stored(&c, R1, AT, true);
	CHECK(kept(&c) == 3 && last(&c).code == (BPF_ALU64 | BPF_MOV | BPF_X));
	code_load_stored(&c, R2, OTHER, false);
	CHECK(is_load(last(&c)));
}

/* What comes between a store and a load, so that the register may not have the word. */
static void put_between(struct code *c, int what, unsigned label)
{
	switch (what) {
	case 0:
		code_helper(c, BPF_FUNC_ktime_get_ns);
		break;
	case 1:
		code_here(c, label);
		break;
	case 2:
		code_op(c, BPF_ADD, R0, 1);
		break;
	case 3:
		code_store_number(c, BPF_W, R9, AT + 4, 0);
		break;
	case 4:
		code_atomic(c, BPF_ADD | BPF_FETCH, R9, AT, R1);
		break;
	default:
		code_store(c, BPF_DW, R7, 0, R0);	/* r7 may point to the frame */
	}
}

static void test_unknown(void)
{
	for (int what = 0; what < 6; what++) {
		struct code c = { .unreached = false };
		unsigned label = code_label(&c), n;

		code_jump_if(&c, BPF_JEQ, R1, 0, label);
		code_store(&c, BPF_DW, R9, AT, R0);
		put_between(&c, what, label);
		n = kept(&c);
		code_load_stored(&c, R1, AT, false);
		CHECK(is_load(last(&c)) && kept(&c) == n + 1);
	}
}

static void test_truth(void)
{
	struct code c = { .unreached = false };
	unsigned label = code_label(&c);

	code_truth(&c, BPF_JSGT, R1, 3);
	code_store(&c, BPF_DW, R9, AT, R0);
	code_load_stored(&c, R0, AT, false);	/* a copy of it */
	code_store(&c, BPF_DW, R9, OTHER, R0);
	code_jump_unless(&c, OTHER, false, label);
	CHECK(kept(&c) == 1);
	CHECK(last(&c).code == (BPF_JMP | BPF_JSLE | BPF_K) && last(&c).dst_reg == R1 && last(&c).imm == 3);
	code_exit(&c);
	code_here(&c, label);
	code_exit(&c);
	CHECK(code_finish(&c) && c.insns.v[c.insns.n - 3].off == 1);
}

/* A truth of a register's copy asks the register. */
static void test_copied(void)
{
	struct code c = { .unreached = false };
	unsigned label = code_label(&c);

	code_op_reg(&c, BPF_MOV, R1, R0);
	code_truth(&c, BPF_JSGT, R1, 3);
	code_store(&c, BPF_DW, R9, AT, R0);
	code_jump_unless(&c, AT, false, label);
	CHECK(kept(&c) == 1);
	CHECK(last(&c).code == (BPF_JMP | BPF_JSLE | BPF_K) && last(&c).dst_reg == R0);
}

/* A truth that is used again is made. */
static void test_used_truth(void)
{
	struct code c = { .unreached = false };
	unsigned label = code_label(&c);

	code_truth_reg(&c, BPF_JEQ, R1, R2);
	code_store(&c, BPF_DW, R9, AT, R0);
	code_jump_unless(&c, AT, true, label);
	CHECK(kept(&c) == 5);
	CHECK(last(&c).code == (BPF_JMP | BPF_JEQ | BPF_K) && last(&c).dst_reg == R0);
}

/* Helpers, of each of which the kernel may make two dozen instructions. */
static bool reaches_across(unsigned helpers)
{
	struct code c = { .unreached = false };
	unsigned label = code_label(&c);

	code_jump_if(&c, BPF_JEQ, R0, 0, label);
	for (unsigned i = 0; i < helpers; i++)
		code_helper(&c, BPF_FUNC_loop);
	code_here(&c, label);
	code_exit(&c);
	return code_finish(&c);
}

static void test_growth(void)
{
	CHECK(reaches_across(32767 / 24));
	CHECK(!reaches_across(32767 / 24 + 1));
}

int main(void)
{
	test_growth();
	test_stored();
	test_unknown();
	test_truth();
	test_copied();
	test_used_truth();
	arena_free_all();
	return failures != 0;
}
