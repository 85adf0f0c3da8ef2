// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of the function that is probed, by their numbers from 1 on, for scripts that have no types: the first
 * are in registers, the others above the return address.  A system call's function has one argument, where the
 * call's are, whichever instruction is probed.
 */
#include "builtins.h"

/* The registers among the words of struct pt_regs; the last arguments. */
static const unsigned char registers[] = { 14, 13, 12, 11, 9, 8 };
enum { REGISTERS = sizeof(registers), LAST = 32, LAST_OF_CALL = 6 };

/* Goes to WRONG, with the error set, unless r1 is a number up to LAST. */
static void put_is_number(struct gen *g, int last, unsigned wrong)
{
	unsigned bad = code_label(g->c), fine = code_label(g->c);

	code_jump_if(g->c, BPF_JSLT, R1, 1, bad);
	code_jump_if(g->c, BPF_JSLE, R1, last, fine);
	code_here(g->c, bad);
	fail_number(g, "cannot access arg(", R1, ")");
	code_number(g->c, R0, 0);
	code_jump(g->c, wrong);
	code_here(g->c, fine);
}

/* r0 = argument r1 of the function */
static void load_argument(struct gen *g)
{
	unsigned stacked = code_label(g->c), done = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R7, R1);
	code_jump_if(g->c, BPF_JGT, R7, REGISTERS, stacked);
	for (unsigned n = 1; n <= REGISTERS; n++) {
		put_register(g, registers[n - 1]);
		code_jump_if(g->c, BPF_JEQ, R7, n, done);
	}
	code_here(g->c, stacked);
	put_register(g, STACK_POINTER);
	code_op_reg(g->c, BPF_MOV, R3, R7);
	code_op(g->c, BPF_SUB, R3, REGISTERS);
	code_op(g->c, BPF_LSH, R3, 3);
	code_op_reg(g->c, BPF_ADD, R3, R0);
	put_read(g, 8, g->waits, NULL);
	code_here(g->c, done);
}

/* The argument that the first argument says: all of it, or BITS of it, negative with a sign. */
void put_numbered_argument(struct gen *g, const struct ir_op *op, int64_t bits)
{
	bool call = g->probe->system_call;
	unsigned wrong = code_label(g->c);

	if (!call && g->attach != IR_AT_ADDRESS && g->attach != IR_IN_PROGRAM) {
		refuse(g, "no numbered arguments but at functions' code");
		return;
	}
	load_word(g, R1, &op->args.v[0]);
	put_is_number(g, call ? LAST_OF_CALL : LAST, wrong);
	if (call)
		load_call_argument(g, &op->args.v[0]);
	else
		load_argument(g);
	if (bits)
		put_low(g, bits < 0 ? -bits : bits, bits < 0);
	code_here(g->c, wrong);
	store_word(g, op, R0);
}
