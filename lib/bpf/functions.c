// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF functions: how they get at the frame, loops' bodies and the script's functions, and the calls of both.
 */
#include <stddef.h>

#include "base/arena.h"
#include "gen.h"

/* Loops and calls within each other; the kernel allows eight frames, with its own. */
enum { DEPTH_MOST = 6 };

/* Calls of functions in a program that are made in place; a function that calls itself twice has twice as many each. */
enum { INLINED_MOST = 512 };

/* r6, r8 and r9 on a function's stack, for the functions that it calls. */
enum { SAVED_CONTEXT = -24, SAVED_HALF = -16, SAVED_FRAME = -8 };

void save_registers(struct gen *g)
{
	g->f->saves = g->c->insns.n;
	code_store(g->c, BPF_DW, R10, SAVED_CONTEXT, R6);
	code_store(g->c, BPF_DW, R10, SAVED_HALF, R8);
	code_store(g->c, BPF_DW, R10, SAVED_FRAME, R9);
	g->f->saved = g->c->insns.n;
}

static void select_function(struct gen *g, struct function *f)
{
	g->f = f;
	g->c = f ? &f->code : NULL;
}

/* Notes that a function is called here that needs LEVELS of calls, itself included. */
void note_call(struct gen *g, unsigned levels)
{
	if (g->depth + levels > DEPTH_MOST)
		refuse(g, "no more than %d loops and function calls within each other", DEPTH_MOST);
	if (g->depth + levels > g->deepest)
		g->deepest = g->depth + levels;
}

/* Returns the function around it. */
static struct function *new_function(struct gen *g)
{
	struct function *outer = g->f;

	vec_push(&g->code, arena_new(struct function));
	select_function(g, g->code.v[g->code.n - 1]);
	return outer;
}

static void enter_function(struct gen *g)
{
	note_call(g, 1);
	g->depth++;
}

/*
 * Begins a function that the kernel calls, whose argument in REG points to its caller's saved registers.  Returns its
 * number; *OUTER is for end_function().
 */
unsigned begin_callback(struct gen *g, struct function **outer, unsigned reg)
{
	*outer = new_function(g);
	if (*outer) {
		code_load(g->c, BPF_DW, R6, reg, SAVED_CONTEXT - SAVED_CONTEXT);
		code_load(g->c, BPF_DW, R8, reg, SAVED_HALF - SAVED_CONTEXT);
		code_load(g->c, BPF_DW, R9, reg, SAVED_FRAME - SAVED_CONTEXT);
		save_registers(g);
		enter_function(g);
	}
	return g->code.n - 1;
}

/* Begins the main function, or a loop's body. */
unsigned begin_function(struct gen *g, struct function **outer)
{
	return begin_callback(g, outer, R2);
}

void end_function(struct gen *g, struct function *outer)
{
	code_number(g->c, R0, 0);
	code_exit(g->c);
	if (!g->f->passes)
		code_drop(g->c, g->f->saves, g->f->saved);
	select_function(g, outer);
	if (outer)
		g->depth--;
}

/* REG = where this function's saved registers are. */
void pass_registers(struct gen *g, unsigned reg)
{
	g->f->passes = true;
	code_op_reg(g->c, BPF_MOV, reg, R10);
	code_op(g->c, BPF_ADD, reg, SAVED_CONTEXT);
}

/* Calls a loop's body MOST times, or until it ends the loop: r0 = how often. */
void put_loop_calls(struct gen *g, unsigned function, unsigned most)
{
	code_number(g->c, R1, most);
	code_function(g->c, R2, function);
	pass_registers(g, R3);
	code_number(g->c, R4, 0);
	code_helper(g->c, BPF_FUNC_loop);
}

/*
 * Counts r0 calls of a function by its instructions, as rounds of the script's loops are (region.c), which ask for the
 * sum: so what is in a loop's body is counted, too.  2^SHIFT calls count as one.
 */
void put_calls_cost(struct gen *g, unsigned function, unsigned shift)
{
	if (!g->plan->has_rounds)
		return;
	code_op_reg(g->c, BPF_MOV, R2, R0);
	code_op(g->c, BPF_MUL, R2, code_cost(&g->code.v[function]->code));
	code_op(g->c, BPF_RSH, R2, shift);
	code_load(g->c, BPF_DW, R1, R9, FRAME_ROUNDS);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	code_store(g->c, BPF_DW, R9, FRAME_ROUNDS, R1);
}

/* Calls a function of our own for each byte of a string, level of a heap and the like: it does less than a round. */
void put_rounds(struct gen *g, unsigned function, unsigned most)
{
	enum { SHIFT = 4 };

	put_loop_calls(g, function, most);
	put_calls_cost(g, function, SHIFT);
}

/* ---- calls of the script's functions ----------------------------------------------- */

/* What of the caller's the making of another body changes. */
struct caller {
	const struct ir_body *body;
	struct layout *layout;
	struct region *region;
};

static struct caller leave_caller(struct gen *g)
{
	g->nesting++;
	return (struct caller){ g->body, g->layout, g->region };
}

static void return_to(struct gen *g, const struct caller *c)
{
	g->nesting--;
	g->body = c->body;
	g->layout = c->layout;
	g->region = c->region;
}

/*
 * Begins a script's function.  The verifier looks at a function once for each way to it, which are many if functions
 * call others, unless it knows the types of all arguments: so a script's has none but the context and the frame's
 * number.  A kernel without types doesn't know the context's either; there it is a function as any.
 */
static void begin_scripts(struct gen *g, struct function **outer, struct found *found)
{
	if (g->on->untyped) {
		begin_function(g, outer);
		return;
	}
	*outer = new_function(g);
	g->f->alone = true;
	*found = find_frame(g);
	save_registers(g);
	enter_function(g);
}

static void end_scripts(struct gen *g, struct function *outer, const struct found *found)
{
	if (g->f->alone)
		end_found(g, found);
	end_function(g, outer);
}

/*
 * Makes a function's code.  What the code uses of the frame stays taken, also where functions are made in place in it:
 * variables of whoever calls the function later must not be there.
 */
static void make_function(struct gen *g, const struct ir_body *b, struct layout *l)
{
	struct region top = { .is_functions_body = true };
	unsigned deepest = g->deepest, frame_end = g->frame_end;
	struct function *outer;
	struct found found;

	g->deepest = g->depth;
	g->frame_end = g->frame;
	l->function = g->code.n;
	begin_scripts(g, &outer, &found);
	put_body(g, b, &top);
	end_scripts(g, outer, &found);
	g->frame = g->frame_end;
	if (g->frame_end < frame_end)
		g->frame_end = frame_end;
	l->levels = g->deepest - g->depth;
	g->deepest = deepest;
}

/* Returns 0, or 1 + the number of calls around, if a function needs code for that number. */
static unsigned nesting_of(struct gen *g, const struct ir_op *op)
{
	bool fits = g->nesting + bpf_depth(g->plan, op->symbol)->height <= g->ir->limits.nesting;

	return fits ? 0 : 1 + g->nesting;
}

/* Returns the layout of a function whose code was made, or NULL. */
static struct layout *made_function(const struct gen *g, const struct ir_op *op, unsigned nesting)
{
	struct layout *l = g->functions[op->symbol];

	while (l && l->nesting != nesting)
		l = l->other;
	return l;
}

/*
 * Returns a function's layout, whose code is made.  Its variables have one place, so a function that may be called where
 * too many calls are around, which fails, has its own for each number of them; then none is called while it runs.
 */
static struct layout *function_called(struct gen *g, const struct ir_op *op)
{
	const struct ir_body *b = g->ir->functions.v[op->symbol].body;
	unsigned nesting = nesting_of(g, op);
	struct layout *l = made_function(g, op, nesting);
	struct caller caller;

	if (!l) {
		caller = leave_caller(g);
		l = lay_out(g, b);
		l->nesting = nesting;
		l->other = g->functions[op->symbol];
		g->functions[op->symbol] = l;
		make_function(g, b, l);
		return_to(g, &caller);
	}
	note_call(g, l->levels);
	return l;
}

static void put_arguments(struct gen *g, const struct ir_op *op, const struct layout *l)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];

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
}

/* Makes the function's code here, with variables of its own. */
static struct layout *put_inline(struct gen *g, const struct ir_op *op)
{
	const struct ir_body *b = g->ir->functions.v[op->symbol].body;
	struct region top = { .op = NULL };
	struct caller caller = leave_caller(g);
	unsigned begin = g->frame, end, on = code_label(g->c);
	struct layout *l = lay_out(g, b);

	top.skipped = code_label(g->c);
	end = g->frame;
	if (++g->inlined > INLINED_MOST)
		refuse(g, "no functions whose calls of each other are so many");
	g->layout = caller.layout;
	g->body = caller.body;
	put_arguments(g, op, l);
	g->layout = l;
	g->body = b;
	put_body(g, b, &top);
	return_to(g, &caller);
	if (g->c->labels.v[top.skipped].used) {
		code_jump(g->c, on);
		code_here(g->c, top.skipped);
		leave(g, WAY_SKIPPED, NULL);
		code_here(g->c, on);
	}
	if (g->frame == end)	/* the next one's may be where this one's were */
		g->frame = begin;
	return l;
}

static struct layout *put_call(struct gen *g, const struct ir_op *op)
{
	struct layout *l = function_called(g, op);

	if (g->why)
		return l;
	put_arguments(g, op, l);
	if (g->code.v[l->function]->alone) {
		g->calls = true;
		if (g->context_free)
			code_number(g->c, R1, 0);
		else
			code_op_reg(g->c, BPF_MOV, R1, R6);
		code_load(g->c, BPF_W, R2, R9, FRAME_RECORD + offsetof(struct bpf_record, frame));
	} else {
		pass_registers(g, R2);
		code_number(g->c, R1, 0);
	}
	code_call(g->c, l->function);
	follow(g, g->code.v[l->function]);
	return l;
}

/* A call where too many are around. */
static void put_too_deep(struct gen *g, const struct ir_op *op)
{
	fail(g, "MAXNESTING exceeded");
	if (op->result != IR_NO_VALUE)
		clear_bytes(g, g->layout->values[op->result],
			    g->ir->functions.v[op->symbol].type == IR_STRING ?
			    STRING_BYTES + g->layout->value_rooms[op->result] : 8);
}

/* Are there enough of the kernel's frames to call the function?  They are for loops first. */
static bool can_be_called(struct gen *g, const struct ir_op *op)
{
	const struct layout *made = made_function(g, op, nesting_of(g, op));

	return g->depth + 1 + bpf_depth(g->plan, op->symbol)->loops <= DEPTH_MOST &&
	       (!made || g->depth + made->levels <= DEPTH_MOST);
}

void put_script_call(struct gen *g, const struct ir_op *op)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];
	struct layout *l;

	if (g->nesting >= g->ir->limits.nesting) {
		put_too_deep(g, op);
		return;
	}
	l = can_be_called(g, op) ? put_call(g, op) : put_inline(g, op);
	if (g->why || op->result == IR_NO_VALUE)
		return;
	if (f->type == IR_STRING)
		copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], l->result,
			    l->result_room);
	else
		copy_bytes(g, g->layout->values[op->result], l->result, 8);
}
