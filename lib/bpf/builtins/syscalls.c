// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls: their numbers and arguments, in the registers with which the process has entered the kernel.
 *
 * A 32-bit program has its arguments in other registers, and is known by its code segment.
 */
#include <string.h>

#include "builtins.h"

enum { RESULT = 10, NUMBER = 15, SEGMENT_OF_32 = 0x23, ARGUMENTS = 6 };

static const unsigned char wide_registers[ARGUMENTS] = { 14, 13, 12, 7, 9, 8 };
static const unsigned char narrow_registers[ARGUMENTS] = { 5, 11, 12, 13, 14, 4 };

/* The first call of 32-bit programs whose IDs of users and groups have 32 bits: the others have 16. */
enum { FIRST_WIDE_ID = 198 };

/* r7 = the registers */
static void find_registers(struct gen *g)
{
	code_helper(g->c, BPF_FUNC_get_current_task_btf);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_helper(g->c, BPF_FUNC_task_pt_regs);
	code_op_reg(g->c, BPF_MOV, R7, R0);
}

/* r0 = word N of them */
static void load_entered(struct gen *g, unsigned n)
{
	code_load(g->c, BPF_DW, R0, R7, 8 * n);
}

void put_entered(struct gen *g, unsigned n)
{
	find_registers(g);
	load_entered(g, n);
}

/* Goes to WIDE in a 64-bit program, whose registers are at r7. */
static void put_is_narrow_at(struct gen *g, unsigned wide)
{
	load_entered(g, CODE_SEGMENT);
	code_jump_if(g->c, BPF_JNE, R0, SEGMENT_OF_32, wide);
}

void put_is_narrow(struct gen *g, unsigned wide)
{
	find_registers(g);
	put_is_narrow_at(g, wide);
}

/* r0 = argument N, from 1 on; 0 if there is none. */
static void load_argument(struct gen *g, unsigned n)
{
	unsigned wide = code_label(g->c), done = code_label(g->c);

	if (n < 1 || n > ARGUMENTS) {
		code_number(g->c, R0, 0);
		return;
	}
	put_is_narrow_at(g, wide);
	load_entered(g, narrow_registers[n - 1]);
	code_op(g->c, BPF_LSH, R0, 32);
	code_op(g->c, BPF_RSH, R0, 32);
	code_jump(g->c, done);
	code_here(g->c, wide);
	load_entered(g, wide_registers[n - 1]);
	code_here(g->c, done);
}

/* r0 = argument O + MORE */
static void put_argument(struct gen *g, const struct ir_operand *o, unsigned more)
{
	unsigned done = code_label(g->c);

	if (o->kind == IR_NUMBER) {
		load_argument(g, o->number < ARGUMENTS ? o->number + more : 0);
		return;
	}
	for (unsigned n = 1; n <= ARGUMENTS; n++) {
		unsigned other = code_label(g->c);

		load_word(g, R1, o);
		code_jump_if(g->c, BPF_JNE, R1, n, other);
		load_argument(g, n + more);
		code_jump(g->c, done);
		code_here(g->c, other);
	}
	code_number(g->c, R0, 0);
	code_here(g->c, done);
}

/* r0 = its low BITS, with their sign if SIGNED */
void put_low(struct gen *g, unsigned bits, bool is_signed)
{
	code_op(g->c, BPF_LSH, R0, 64 - bits);
	code_op(g->c, is_signed ? BPF_ARSH : BPF_RSH, R0, 64 - bits);
}

/* ---- builtins ----------------------------------------------------------------- */

void load_call_argument(struct gen *g, const struct ir_operand *number)
{
	find_registers(g);
	put_argument(g, number, 0);
}

/* An argument: all of it, or BITS of it, negative with a sign. */
void put_call_argument(struct gen *g, const struct ir_op *op, int64_t bits)
{
	load_call_argument(g, &op->args.v[0]);
	if (bits)
		put_low(g, bits < 0 ? -bits : bits, bits < 0);
	store_word(g, op, R0);
}

/* A long, which has 32 bits in a 32-bit program. */
void put_call_long(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned wide = code_label(g->c);

	(void)unused;
	find_registers(g);
	put_argument(g, &op->args.v[0], 0);
	store_word(g, op, R0);
	put_is_narrow_at(g, wide);
	load_word(g, R0, &(struct ir_operand){ .kind = IR_VALUE, .type = IR_WORD, .index = op->result });
	put_low(g, 32, true);
	store_word(g, op, R0);
	code_here(g->c, wide);
}

/* A number of 64 bits, which are two arguments of a 32-bit program. */
void put_call_wide(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned wide = code_label(g->c);

	(void)unused;
	find_registers(g);
	put_argument(g, &op->args.v[0], 0);
	store_word(g, op, R0);
	put_is_narrow_at(g, wide);
	put_argument(g, &op->args.v[0], 1);
	code_op(g->c, BPF_LSH, R0, 32);
	load_word(g, R1, &(struct ir_operand){ .kind = IR_VALUE, .type = IR_WORD, .index = op->result });
	code_op_reg(g->c, BPF_OR, R0, R1);
	store_word(g, op, R0);
	code_here(g->c, wide);
}

/* A user or group: in the old calls of 32-bit programs 16 bits, of which all ones are -1. */
void put_call_id(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned wide = code_label(g->c), done = code_label(g->c);

	(void)unused;
	find_registers(g);
	put_is_narrow_at(g, wide);
	load_entered(g, NUMBER);
	code_jump_if(g->c, BPF_JSGE, R0, FIRST_WIDE_ID, wide);
	put_argument(g, &op->args.v[0], 0);
	put_low(g, 16, false);
	code_jump_if(g->c, BPF_JNE, R0, 0xffff, done);
	code_number(g->c, R0, -1);
	code_jump(g->c, done);
	code_here(g->c, wide);
	put_argument(g, &op->args.v[0], 0);
	put_low(g, 32, true);
	code_here(g->c, done);
	store_word(g, op, R0);
}

void put_call_number(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_entered(g, NUMBER);
	put_low(g, 32, true);
	store_word(g, op, R0);
}

/* The address of the registers with which the process entered the kernel. */
void put_entry_registers(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	code_helper(g->c, BPF_FUNC_get_current_task_btf);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_helper(g->c, BPF_FUNC_task_pt_regs);
	store_word(g, op, R0);
}

void put_call_compat(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned wide = code_label(g->c), done = code_label(g->c);

	(void)unused;
	put_is_narrow(g, wide);
	code_number(g->c, R0, 1);
	code_jump(g->c, done);
	code_here(g->c, wide);
	code_number(g->c, R0, 0);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* ---- tracepoints of all calls ---------------------------------------------------- */

bool is_at_call(const struct gen *g)
{
	return !strcmp(g->tracepoint, "sys_enter") || !strcmp(g->tracepoint, "sys_exit");
}

/* r0 = what the call's tracepoint tells second: the call's number at its entry, and its result at its exit */
static void put_second(struct gen *g)
{
	put_entered(g, !strcmp(g->tracepoint, "sys_enter") ? NUMBER : RESULT);
}

void put_traced_call(struct gen *g, unsigned number)
{
	if (number != 1) {
		put_second(g);
		return;
	}
	find_registers(g);
	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R7);	/* for the verifier it is a number when it is loaded */
	code_load(g->c, BPF_DW, R0, R9, FRAME_TEMPORARY);
}

/* ---- process.syscall ------------------------------------------------------------ */

/* r0 = "syscall", "arg1" …, "result" */
void put_system_call(struct gen *g, const char *member)
{
	bool is_argument = !strncmp(member, "arg", 3) && member[3] >= '1' && member[3] <= '6';

	if (g->attach != IR_OF_PROCESS) {
		refuse(g, "no system call here");
	} else if (is_argument) {
		find_registers(g);
		load_argument(g, member[3] - '0');
	} else {
		put_entered(g, !strcmp(member, "syscall") ? NUMBER : RESULT);
	}
}
