// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builtins of stacks.  A walk (kernel_stack.c, ustacks.c) leaves the addresses of frames; a function of the
 * program uses one of them, a round of a loop for each.  Another takes addresses out of a string that the
 * script has kept.
 */
#include <string.h>

#include "abi/bounds.h"
#include "abi/stap_script.h"
#include "gen.h"
#include "subject.h"

/* What the walk uses of the frame, behind one another. */
enum {
	COUNT,				/* frames; negative: the kernel could not walk */
	NEXT = 8,			/* the frame, or byte of addresses, that comes next */
	LIMIT = 16,			/* frames that are wanted */
	VALUE = 24,			/* of addresses in a string: the one that is being read, */
	NEGATIVE = 32,			/* with a sign, */
	PHASE = 40,			/* and which bytes may follow (enum phase) */
	FRAMES = 48,
	DEPTH = ST_USER_DEPTH,		/* a kernel's stack has fewer */
	BYTES = FRAMES + 8 * DEPTH,
};

_Static_assert((int)KERNEL_FRAMES <= (int)DEPTH, "there is room for the kernel's stack");

static unsigned stack_at(struct gen *g)
{
	if (!g->stack)
		g->stack = take(g, BYTES);
	return g->stack;
}

/* ---- frames ------------------------------------------------------------------------------ */

/* What is made of each address: it is in r0. */
struct use {
	void (*put)(struct gen *g, const struct use *u);
	unsigned at, room;		/* the string in the frame that it is appended to */
	bool outermost_first;
};

static void print_line(struct gen *g, const struct use *u)
{
	unsigned room, line = put_frame_line(g, &room);

	(void)u;
	put_item(g, ST_FMT_TEXT, line, room);
}

static void print_folded_name(struct gen *g, const struct use *u)
{
	unsigned room, name = put_folded_name(g, &room);

	(void)u;
	put_item(g, ST_FMT_TEXT, name, room);
}

static const struct use printed = { .put = print_line };
static const struct use folded = { .put = print_folded_name, .outermost_first = true };

static void append_line(struct gen *g, const struct use *u)
{
	unsigned room, line = put_frame_line(g, &room);

	put_append(g, u->at, u->room, line, room);
}

static void append_name(struct gen *g, const struct use *u)
{
	append_short_line(g, u->at, u->room);
}

static void append_address(struct gen *g, const struct use *u)
{
	append_hex(g, u->at, u->room, " ");
}

/* Ends the function of a loop's round, OVER: the last. */
static void end_use(struct gen *g, unsigned over, struct function *outer)
{
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
}

/* Makes the function that uses a frame's address. */
static unsigned put_use_frame(struct gen *g, const struct use *u)
{
	unsigned stack = stack_at(g), over;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	over = code_label(g->c);
	code_load(g->c, BPF_DW, R1, R9, stack + NEXT);
	code_load(g->c, BPF_DW, R2, R9, stack + LIMIT);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, over);
	code_jump_if(g->c, BPF_JGE, R1, DEPTH, over);
	code_op_reg(g->c, BPF_MOV, R3, R1);
	code_op(g->c, BPF_ADD, R3, 1);
	code_store(g->c, BPF_DW, R9, stack + NEXT, R3);
	if (u->outermost_first) {
		code_op_reg(g->c, BPF_MOV, R1, R2);
		code_op_reg(g->c, BPF_SUB, R1, R3);
		code_jump_if(g->c, BPF_JGE, R1, DEPTH, over);
	}
	code_op(g->c, BPF_LSH, R1, 3);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_load(g->c, BPF_DW, R0, R1, stack + FRAMES);
	u->put(g, u);
	end_use(g, over, outer);
	return number;
}

/* Uses the addresses of the first frames, as many as r0 says. */
static void put_each_frame(struct gen *g, const struct use *u)
{
	unsigned number;

	code_store(g->c, BPF_DW, R9, stack_at(g) + LIMIT, R0);
	code_store_number(g->c, BPF_DW, R9, stack_at(g) + NEXT, 0);
	number = put_use_frame(g, u);
	put_rounds(g, number, DEPTH);
	follow(g, g->code.v[number]);
}

/* ---- addresses in a string ------------------------------------------------------------------ */

/*
 * What of an address has been read, in hex: nothing, a sign, "0", "0x", digits, something else behind them.
 */
enum phase { NOTHING, SIGN, ZERO, PREFIX, DIGITS, MORE };

static void set_phase(struct gen *g, enum phase phase)
{
	code_store_number(g->c, BPF_DW, R9, stack_at(g) + PHASE, phase);
}

/* Takes the digit r3, in the phase r2. */
static void put_digit(struct gen *g, unsigned next)
{
	unsigned value = stack_at(g) + VALUE, first = code_label(g->c), digits = code_label(g->c);

	code_jump_if(g->c, BPF_JEQ, R2, MORE, next);
	code_load(g->c, BPF_DW, R1, R9, value);
	code_op(g->c, BPF_LSH, R1, 4);
	code_op_reg(g->c, BPF_OR, R1, R3);
	code_store(g->c, BPF_DW, R9, value, R1);
	code_jump_if(g->c, BPF_JLE, R2, SIGN, first);
	code_jump(g->c, digits);
	code_here(g->c, first);
	code_jump_if(g->c, BPF_JNE, R3, 0, digits);
	set_phase(g, ZERO);
	code_jump(g->c, next);
	code_here(g->c, digits);
	set_phase(g, DIGITS);
	code_jump(g->c, next);
}

/* Takes the byte r0, which is no digit, in the phase r2. */
static void put_other_byte(struct gen *g, unsigned next)
{
	unsigned no_sign = code_label(g->c), no_prefix = code_label(g->c);

	code_jump_if(g->c, BPF_JNE, R2, NOTHING, no_sign);
	code_jump_if(g->c, BPF_JNE, R0, '-', no_sign);
	code_store_number(g->c, BPF_DW, R9, stack_at(g) + NEGATIVE, 1);
	set_phase(g, SIGN);
	code_jump(g->c, next);
	code_here(g->c, no_sign);
	code_jump_if(g->c, BPF_JNE, R2, ZERO, no_prefix);
	code_op(g->c, BPF_OR, R0, 'a' - 'A');
	code_jump_if(g->c, BPF_JNE, R0, 'x', no_prefix);
	set_phase(g, PREFIX);
	code_jump(g->c, next);
	code_here(g->c, no_prefix);
	set_phase(g, MORE);
	code_jump(g->c, next);
}

/* Uses the address that ends here, unless there is none. */
static void put_use_address(struct gen *g, const struct use *u, unsigned next, unsigned over)
{
	unsigned stack = stack_at(g), positive = code_label(g->c);

	code_jump_if(g->c, BPF_JEQ, R2, NOTHING, next);
	code_load(g->c, BPF_DW, R1, R9, stack + LIMIT);
	code_jump_if(g->c, BPF_JEQ, R1, 0, over);
	code_op(g->c, BPF_SUB, R1, 1);
	code_store(g->c, BPF_DW, R9, stack + LIMIT, R1);
	code_load(g->c, BPF_DW, R0, R9, stack + VALUE);
	code_load(g->c, BPF_DW, R1, R9, stack + NEGATIVE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, positive);
	code_op(g->c, BPF_MUL, R0, -1);
	code_here(g->c, positive);
	code_store_number(g->c, BPF_DW, R9, stack + VALUE, 0);
	code_store_number(g->c, BPF_DW, R9, stack + NEGATIVE, 0);
	set_phase(g, NOTHING);
	u->put(g, u);
}

/* Makes the function that takes a byte of the string at FROM, and a blank behind the last. */
static unsigned put_take_byte(struct gen *g, const struct use *u, unsigned from, unsigned room)
{
	unsigned stack = stack_at(g), over, next, digit, ends, there, inside;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	over = code_label(g->c), next = code_label(g->c), digit = code_label(g->c), ends = code_label(g->c);
	there = code_label(g->c), inside = code_label(g->c);
	code_load(g->c, BPF_DW, R7, R9, stack + NEXT);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, stack + NEXT, R1);
	code_load(g->c, BPF_DW, R1, R9, from);
	code_jump_if_reg(g->c, BPF_JGT, R7, R1, over);
	code_number(g->c, R0, ' ');
	code_jump_if_reg(g->c, BPF_JEQ, R7, R1, there);
	code_jump_if(g->c, BPF_JLT, R7, room, inside);
	code_jump(g->c, over);
	code_here(g->c, inside);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_load(g->c, BPF_B, R0, R7, from + STRING_BYTES);
	code_here(g->c, there);
	code_load(g->c, BPF_DW, R2, R9, stack + PHASE);
	code_jump_if(g->c, BPF_JEQ, R0, ' ', ends);
	code_jump_if(g->c, BPF_JEQ, R0, '\n', ends);
	code_jump_if(g->c, BPF_JEQ, R0, '\t', ends);
	put_is_digit(g, digit);
	put_other_byte(g, next);
	code_here(g->c, digit);
	put_digit(g, next);
	code_here(g->c, ends);
	put_use_address(g, u, next, over);
	code_here(g->c, next);
	end_use(g, over, outer);
	return number;
}

/* Uses the addresses in a string, such as backtrace() makes; as many as a stack may have. */
static void put_each_address(struct gen *g, const struct use *u, const struct ir_operand *in)
{
	unsigned stack = stack_at(g), from = string_at(g, in), room = operand_room(g, in), number;

	for (unsigned word = NEXT; word <= PHASE; word += 8)
		code_store_number(g->c, BPF_DW, R9, stack + word, word == LIMIT ? ST_STACK_DEPTH : 0);
	number = put_take_byte(g, u, from, room);
	put_rounds(g, number, room + 1);
	follow(g, g->code.v[number]);
}

/* ---- builtins ----------------------------------------------------------------------------- */

/* Returns the use that appends to the result of OP, which is empty. */
static struct use use_for(struct gen *g, const struct ir_op *op,
			  void (*put)(struct gen *g, const struct use *u))
{
	const struct use u = {
		.put = put, .at = g->layout->values[op->result], .room = g->layout->value_rooms[op->result],
	};

	clear_bytes(g, u.at, STRING_BYTES + u.room);
	return u;
}

static void print_text(struct gen *g, const char *text)
{
	put_text(g, piece_at(g), rounded(strlen(text) + 1), text);
	put_item(g, ST_FMT_TEXT, piece_at(g), rounded(strlen(text) + 1));
}

/* print_backtrace(); at a return the function comes first */
void put_print_backtrace(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned none = code_label(g->c);

	(void)op, (void)unused;
	put_walk_kernel(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	if (g->attach == IR_AT_RETURN) {
		code_load(g->c, BPF_DW, R0, R9, stack_at(g) + COUNT);
		code_jump_if(g->c, BPF_JEQ, R0, 0, none);
		print_text(g, "Returning from: ");
		put_place_address(g);
		print_line(g, &printed);
		print_text(g, "Returning to  : ");
		code_here(g->c, none);
	}
	code_load(g->c, BPF_DW, R0, R9, stack_at(g) + COUNT);
	put_each_frame(g, &printed);
}

/* print_folded()'s part of the kernel */
void put_print_folded_kernel(struct gen *g)
{
	put_walk_kernel(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	code_load(g->c, BPF_DW, R0, R9, stack_at(g) + COUNT);
	put_each_frame(g, &folded);
}

void put_sprint_backtrace(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct use u = use_for(g, op, append_name);

	(void)unused;
	put_walk_kernel(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	code_load(g->c, BPF_DW, R0, R9, stack_at(g) + COUNT);
	put_each_frame(g, &u);
}

/* Makes a string of the frames' addresses: of all or, with an argument, of the place and so many callers. */
static void put_addresses(struct gen *g, const struct ir_op *op)
{
	const struct use u = use_for(g, op, append_address);
	unsigned all = code_label(g->c);

	code_load(g->c, BPF_DW, R0, R9, stack_at(g) + COUNT);
	if (op->args.n) {
		load_word(g, R1, &op->args.v[0]);
		code_jump_if_reg(g->c, BPF_JGE, R1, R0, all);	/* and if it is negative */
		code_op_reg(g->c, BPF_MOV, R0, R1);
		code_op(g->c, BPF_ADD, R0, 1);
		code_here(g->c, all);
	}
	put_each_frame(g, &u);
}

/* backtrace(), callers() */
void put_callers(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_walk_kernel(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	put_addresses(g, op);
}

/* ubacktrace(), ucallers() */
void put_user_callers(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_walk_user(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	put_addresses(g, op);
}

/* Makes a number of the address of the frame that the argument says or, without one, of FRAME. */
static void put_address(struct gen *g, const struct ir_op *op, int64_t frame)
{
	unsigned none = code_label(g->c);

	if (op->args.n)
		load_word(g, R1, &op->args.v[0]);
	else
		code_number(g->c, R1, frame);
	code_number(g->c, R0, 0);
	code_load(g->c, BPF_DW, R2, R9, stack_at(g) + COUNT);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, none);
	code_jump_if(g->c, BPF_JGE, R1, DEPTH, none);
	code_op(g->c, BPF_LSH, R1, 3);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_load(g->c, BPF_DW, R0, R1, stack_at(g) + FRAMES);
	code_here(g->c, none);
	store_word(g, op, R0);
}

/* stack(), of the argument; caller_addr() and addr(), of the frame FRAME */
void put_frame_address(struct gen *g, const struct ir_op *op, int64_t frame)
{
	put_walk_kernel(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	put_address(g, op, frame);
}

/* ustack(), of the argument */
void put_user_frame_address(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_walk_user(g, stack_at(g) + COUNT, stack_at(g) + FRAMES);
	put_address(g, op, 0);
}

/* print_stack(), print_syms() */
void put_print_stack(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_each_address(g, &printed, &op->args.v[0]);
}

/* sprint_stack(), sprint_syms() */
void put_sprint_stack(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct use u = use_for(g, op, append_line);

	(void)unused;
	put_each_address(g, &u, &op->args.v[0]);
}
