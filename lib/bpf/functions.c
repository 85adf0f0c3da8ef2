// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF functions: how they get at the frame, loops' bodies and the script's functions, and the calls of both.
 */
#include "base/arena.h"
#include "gen.h"

/* Loops and calls within each other; the kernel allows eight frames, with its own. */
enum { DEPTH_MOST = 6 };

/* r6, r8 and r9 on a function's stack, for the functions that it calls. */
enum { SAVED_CONTEXT = -24, SAVED_HALF = -16, SAVED_FRAME = -8 };

void save_registers(struct gen *g)
{
	code_store(g->c, BPF_DW, R10, SAVED_CONTEXT, R6);
	code_store(g->c, BPF_DW, R10, SAVED_HALF, R8);
	code_store(g->c, BPF_DW, R10, SAVED_FRAME, R9);
}

static void select_function(struct gen *g, struct function *f)
{
	g->f = f;
	g->c = &f->code;
}

/* Notes that a function is called here that needs LEVELS of calls, itself included. */
void note_call(struct gen *g, unsigned levels)
{
	if (g->depth + levels > DEPTH_MOST)
		refuse(g, "no more than %d loops and function calls within each other", DEPTH_MOST);
	if (g->depth + levels > g->deepest)
		g->deepest = g->depth + levels;
}

/*
 * Begins a function that the kernel calls, whose argument in REG points to its caller's saved registers.  Returns its
 * number; *OUTER is for end_function().
 */
unsigned begin_callback(struct gen *g, struct function **outer, unsigned reg)
{
	*outer = g->f;
	vec_push(&g->code, arena_new(struct function));
	select_function(g, g->code.v[g->code.n - 1]);
	if (*outer) {
		code_load(g->c, BPF_DW, R6, reg, SAVED_CONTEXT - SAVED_CONTEXT);
		code_load(g->c, BPF_DW, R8, reg, SAVED_HALF - SAVED_CONTEXT);
		code_load(g->c, BPF_DW, R9, reg, SAVED_FRAME - SAVED_CONTEXT);
		save_registers(g);
		note_call(g, 1);
		g->depth++;
	}
	return g->code.n - 1;
}

/* Begins the main function, a script's, or a loop's body. */
unsigned begin_function(struct gen *g, struct function **outer)
{
	return begin_callback(g, outer, R2);
}

void end_function(struct gen *g, struct function *outer)
{
	code_number(g->c, R0, 0);
	code_exit(g->c);
	select_function(g, outer);
	if (outer)
		g->depth--;
}

/* REG = where this function's saved registers are. */
void pass_registers(struct gen *g, unsigned reg)
{
	code_op_reg(g->c, BPF_MOV, reg, R10);
	code_op(g->c, BPF_ADD, reg, SAVED_CONTEXT);
}

/* Calls a loop's body MOST times, or until it ends the loop. */
void put_rounds(struct gen *g, unsigned function, unsigned most)
{
	code_number(g->c, R1, most);
	code_function(g->c, R2, function);
	pass_registers(g, R3);
	code_number(g->c, R4, 0);
	code_helper(g->c, BPF_FUNC_loop);
}

/* ---- calls of the script's functions ----------------------------------------------- */

/* Makes a function's code, and returns its number. */
static unsigned make_function(struct gen *g, const struct ir_body *b, struct layout *l)
{
	struct region top = { .op = NULL };
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	put_body(g, b, &top);
	end_function(g, outer);
	l->function = number;
	return number;
}

/* A function's variables have one place: a function that calls itself would need many. */
static struct layout *function_called(struct gen *g, const struct ir_op *op)
{
	const struct ir_body *b = g->ir->functions.v[op->symbol].body, *body = g->body;
	struct layout *l = g->functions[op->symbol], *layout = g->layout;
	struct region *region = g->region;
	unsigned deepest = g->deepest;

	if (l && !l->function)
		refuse(g, "no recursion");
	if (l) {
		note_call(g, l->levels);
		return l;
	}
	l = g->functions[op->symbol] = lay_out(g, b);
	g->deepest = g->depth;
	make_function(g, b, l);
	l->levels = g->deepest - g->depth;
	g->deepest = deepest;
	note_call(g, l->levels);
	g->body = body;
	g->layout = layout;
	g->region = region;
	return l;
}

void put_script_call(struct gen *g, const struct ir_op *op)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];
	struct layout *l = function_called(g, op);

	if (g->why)
		return;
	for (size_t i = 0; i < op->args.n; i++) {
		if (f->params.v[i] == IR_STRING) {
			put_string(g, l->locals[i], l->local_rooms[i], &op->args.v[i]);
		} else {
			load_word(g, R1, &op->args.v[i]);
			code_store(g->c, BPF_DW, R9, l->locals[i], R1);
		}
	}
	if (f->nexts)
		code_store_number(g->c, BPF_DW, R9, FRAME_BY_NEXT, 0);
	pass_registers(g, R2);
	code_number(g->c, R1, 0);
	code_call(g->c, l->function);
	if (op->result != IR_NO_VALUE && f->type == IR_STRING)
		copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], l->result,
			    l->result_room);
	else if (op->result != IR_NO_VALUE)
		copy_bytes(g, g->layout->values[op->result], l->result, 8);
}
