// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the code of blocks and regions, and follows the ways out of them.
 *
 * A loop is a function, its body, which the kernel's bpf_loop() calls round after round; so the verifier
 * looks at it once.  A way that leads out of it can't be a jump: the body notes which one it is
 * (FRAME_WAY), ends the loop, and the code behind the loop jumps, or, in a loop itself, ends that one too.
 *
 *	while (1) {			body:	…
 *		if (x)				if x: way = 1 + number of "return"; return 1
 *			return			return 0
 *	}				after:	if way == 1 + …: way = 0; goto the function's end
 */
#include "base/arena.h"
#include "gen.h"

/* ---- ways ------------------------------------------------------------------- */

static unsigned way_number(struct gen *g, enum way_kind kind, const struct ir_op *to)
{
	for (size_t i = 0; i < g->ways.n; i++)
		if (g->ways.v[i].kind == kind && g->ways.v[i].to == to)
			return i;
	vec_push(&g->ways, ((struct way){ kind, to }));
	return g->ways.n - 1;
}

static unsigned label_of(const struct region *r, enum way_kind kind)
{
	switch (kind) {
	case WAY_CONTINUE:
		return r->next;
	case WAY_SKIPPED:
		return r->skipped;
	case WAY_FAILED:
		return r->op ? r->caught : r->end;
	default:
		return r->end;
	}
}

static bool has_leave(const struct function *f, unsigned number)
{
	for (size_t i = 0; i < f->leaves.n; i++)
		if (f->leaves.v[i] == number)
			return true;
	return false;
}

/* Returns the label of the pad behind the region R for a way. */
static unsigned pad_of(struct gen *g, struct region *r, enum way_kind kind, const struct ir_op *to)
{
	for (size_t i = 0; i < r->pads.n; i++)
		if (r->pads.v[i].way.kind == kind && r->pads.v[i].way.to == to)
			return r->pads.v[i].label;
	vec_push(&r->pads, ((struct pad){ { kind, to }, code_label(g->c) }));
	return r->pads.v[r->pads.n - 1].label;
}

/* Does a way to the region R end the code that r->in is? */
static bool ends_code(const struct region *r, enum way_kind kind)
{
	return (kind == WAY_BREAK && r->is_loops_body) || (kind == WAY_SKIPPED && r->is_functions_body);
}

/*
 * Goes the way KIND to the region TO, NULL: the body's end.  A loop's body can go further only by a note, and so can a
 * function of the script's whose handler is skipped.
 */
void leave(struct gen *g, enum way_kind kind, const struct ir_op *to)
{
	struct region *r = g->region;
	unsigned number = way_number(g, kind, to);

	for (; r->in == g->f && r->op != to; r = r->outer) {
		if (r->op && r->op->code == IR_LOCKED) {
			code_jump(g->c, pad_of(g, r, kind, to));
			return;
		}
	}
	if (r->in == g->f && !ends_code(r, kind)) {
		code_jump(g->c, label_of(r, kind));
		return;
	}
	if (!has_leave(g->f, number))
		vec_push(&g->f->leaves, number);
	code_store_number(g->c, BPF_DW, R9, FRAME_WAY, 1 + number);
	code_number(g->c, R0, 1);
	code_exit(g->c);
}

/* Behind a loop with the body F, or a call of F: follows the way that it has noted. */
void follow(struct gen *g, const struct function *f)
{
	unsigned none = code_label(g->c);

	if (!f->leaves.n)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_WAY);
	code_jump_if(g->c, BPF_JEQ, R1, 0, none);
	code_store_number(g->c, BPF_DW, R9, FRAME_WAY, 0);
	for (size_t i = 0; i < f->leaves.n; i++) {
		const struct way *w = &g->ways.v[f->leaves.v[i]];
		unsigned other = code_label(g->c);

		code_jump_if(g->c, BPF_JNE, R1, 1 + f->leaves.v[i], other);
		leave(g, w->kind, w->to);
		code_here(g->c, other);
	}
	code_here(g->c, none);
}

/* ---- regions ------------------------------------------------------------------ */

static struct region enter(struct gen *g, const struct ir_op *op)
{
	struct region r = { .op = op, .in = g->f, .outer = g->region };

	r.end = code_label(g->c);
	return r;
}

static void put_if(struct gen *g, const struct ir_op *op)
{
	unsigned end = code_label(g->c), other = code_label(g->c);

	jump_unless(g, &op->args.v[0], other);
	put_block(g, op->blocks[0]);
	code_jump(g->c, end);
	code_here(g->c, other);
	if (op->blocks[1])
		put_block(g, op->blocks[1]);
	code_here(g->c, end);
}

/* && and ||: the block gives the result unless the first operand decides. */
static void put_logical(struct gen *g, const struct ir_op *op)
{
	unsigned end = code_label(g->c), decided = code_label(g->c);
	bool is_and = op->code == IR_AND_THEN;

	take_word(g, R1, &op->args.v[0]);
	code_jump_if(g->c, is_and ? BPF_JEQ : BPF_JNE, R1, 0, decided);
	put_block(g, op->blocks[0]);
	code_jump(g->c, end);
	code_here(g->c, decided);
	code_number(g->c, R0, !is_and);
	store_word(g, op, R0);
	code_here(g->c, end);
}

static void put_passed(struct gen *g, const struct ir_op *op)
{
	unsigned end = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, FRAME_BY_NEXT);
	code_jump_if(g->c, BPF_JEQ, R1, 0, end);
	code_store_number(g->c, BPF_DW, R9, FRAME_BY_NEXT, 0);
	put_block(g, op->blocks[0]);
	code_here(g->c, end);
}

/*
 * Counts a round by its instructions, whatever statements the script has in it: loops within loops would have
 * ROUNDS_MOST rounds each, and a handler holds up its CPU.
 */
static void put_round_cost(struct gen *g)
{
	unsigned fine = code_label(g->c);
	const struct ir_op *op = g->op;

	code_load(g->c, BPF_DW, R1, R9, FRAME_ROUNDS);
	code_op(g->c, BPF_ADD, R1, code_cost(g->c));
	code_store(g->c, BPF_DW, R9, FRAME_ROUNDS, R1);
	code_jump_if(g->c, BPF_JLE, R1, STATEMENTS_MOST, fine);
	g->op = g->step ? g->step : op;		/* says where */
	fail(g, "the handler takes too long");
	g->op = op;
	code_store_number(g->c, BPF_DW, R9, FRAME_BUDGET, -1);
	leave(g, WAY_FAILED, NULL);		/* no catch */
	code_here(g->c, fine);
}

static void put_loop(struct gen *g, const struct ir_op *op)
{
	struct region r = { .op = op, .outer = g->region };
	struct function *outer, *body;
	unsigned number = begin_function(g, &outer), enough = code_label(&outer->code);

	body = g->f;
	r.in = body;
	r.is_loops_body = true;
	r.next = code_label(g->c);
	g->region = &r;
	put_block(g, op->blocks[0]);
	code_here(g->c, r.next);
	if (op->blocks[1])
		put_block(g, op->blocks[1]);
	put_round_cost(g);
	end_function(g, outer);
	put_loop_calls(g, number, ROUNDS_MOST);
	r.in = g->f;
	r.is_loops_body = false;
	r.end = code_label(g->c);
	code_jump_if(g->c, BPF_JLT, R0, ROUNDS_MOST, enough);
	fail(g, "too many rounds of a loop");
	code_here(g->c, enough);
	follow(g, body);
	code_here(g->c, r.end);
	g->region = r.outer;
}

/*
 * A foreach over an array, whose errors lead to its end, and from there on as the operation says; or over a histogram's
 * buckets.
 */
static void put_foreach(struct gen *g, const struct ir_op *op)
{
	struct region r = { .op = op, .outer = g->region };
	bool buckets = op->code == IR_BUCKETS;
	struct round *round = buckets ? begin_buckets(g, op) : begin_foreach(g, op);
	struct function *outer, *body;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	body = g->f;
	r.in = body;
	r.is_loops_body = true;
	r.next = code_label(g->c);
	r.caught = code_label(g->c);
	round->outer = g->round;
	g->round = round;
	g->region = &r;
	if (buckets)
		begin_bucket(g, op, round, over);
	else
		begin_round(g, round, over);
	put_block(g, op->blocks[0]);
	code_here(g->c, r.next);
	put_round_cost(g);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, r.caught);
	g->region = r.outer;
	leave(g, WAY_FAILED, op->way);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	g->round = round->outer;
	put_loop_calls(g, number, ROUNDS_MOST);
	r.in = g->f;
	r.is_loops_body = false;
	r.end = code_label(g->c);
	r.caught = code_label(g->c);
	g->region = &r;
	follow(g, body);
	code_jump(g->c, r.end);
	code_here(g->c, r.caught);
	g->region = r.outer;
	leave(g, WAY_FAILED, op->way);
	code_here(g->c, r.end);
}

static void put_try(struct gen *g, const struct ir_op *op)
{
	struct region r = enter(g, op);
	unsigned kept = code_label(g->c);

	r.caught = code_label(g->c);
	g->region = &r;
	put_block(g, op->blocks[0]);
	g->region = r.outer;
	code_jump(g->c, r.end);
	code_here(g->c, r.caught);
	code_load(g->c, BPF_DW, R1, R9, FRAME_BUDGET);
	code_jump_if(g->c, BPF_JSLT, R1, 0, kept);	/* that it is spent is not to be caught */
	if (op->args.n && op->args.v[0].kind != IR_ABSENT)
		put_message(g, operand_at(g, &op->args.v[0]));
	code_store_number(g->c, BPF_DW, R9, FRAME_SITE, 0);
	code_here(g->c, kept);
	if (op->blocks[1])
		put_block(g, op->blocks[1]);
	code_here(g->c, r.end);
}

/* A block whose errors are forgotten. */
static void put_attempt(struct gen *g, const struct ir_op *op)
{
	struct region r = enter(g, op);

	r.caught = r.end;
	g->region = &r;
	put_block(g, op->blocks[0]);
	code_here(g->c, r.end);
	code_store_number(g->c, BPF_DW, R9, FRAME_SITE, 0);
	g->region = r.outer;
}

static void put_locked(struct gen *g, const struct ir_op *op)
{
	struct region r = enter(g, op);

	lock_variables(g);
	g->region = &r;
	put_block(g, op->blocks[0]);
	unlock_variables(g);
	code_jump(g->c, r.end);
	g->region = r.outer;
	for (size_t i = 0; i < r.pads.n; i++) {
		code_here(g->c, r.pads.v[i].label);
		unlock_variables(g);
		leave(g, r.pads.v[i].way.kind, r.pads.v[i].way.to);
	}
	code_here(g->c, r.end);
}

/* ---- operations that lead somewhere --------------------------------------------- */

static void put_check(struct gen *g, const struct ir_op *op)
{
	unsigned fine = code_label(g->c);

	if (!g->fails)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, fine);
	if (op->code == IR_CHECK_CALL)
		put_called(g);
	leave(g, WAY_FAILED, op->way);
	code_here(g->c, fine);
}

static void put_step(struct gen *g, const struct ir_op *op)
{
	unsigned fine = code_label(g->c);

	g->step = op;
	if (!g->counts)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_BUDGET);
	code_op(g->c, BPF_ADD, R1, -(int)op->n);
	code_store(g->c, BPF_DW, R9, FRAME_BUDGET, R1);
	code_jump_if(g->c, BPF_JSGE, R1, 0, fine);
	fail(g, g->probe->budget <= STATEMENTS_MOST ? "MAXACTION exceeded" : "the handler takes too long");
	leave(g, WAY_FAILED, NULL);	/* no catch */
	code_here(g->c, fine);
}

static void put_exit_unless(struct gen *g, const struct ir_op *op)
{
	unsigned on = code_label(g->c);

	take_word(g, R1, &op->args.v[0]);
	code_jump_if(g->c, BPF_JNE, R1, 0, on);
	leave(g, WAY_BREAK, op->way);
	code_here(g->c, on);
}

static void clear_variable(struct gen *g, enum ir_type type, unsigned at, unsigned room)
{
	clear_bytes(g, at, type == IR_STRING ? STRING_BYTES + room : 8);
}

/* A function that ends without a value returns 0 or "". */
static void clear_result(struct gen *g)
{
	if (g->body->kind == IR_FUNCTION)
		clear_variable(g, g->body->type, g->layout->result, g->layout->result_room);
}

static void put_return(struct gen *g, const struct ir_op *op)
{
	if (op->args.n && g->body->type == IR_STRING) {
		put_string(g, g->layout->result, g->layout->result_room, &op->args.v[0]);
	} else if (op->args.n) {
		load_word(g, R1, &op->args.v[0]);
		code_store(g->c, BPF_DW, R9, g->layout->result, R1);
	} else {
		clear_result(g);
	}
	leave(g, WAY_OUT, NULL);
}

static void put_next(struct gen *g)
{
	if (g->body->kind == IR_FUNCTION)
		code_store_number(g->c, BPF_DW, R9, FRAME_BY_NEXT, 1);
	leave(g, WAY_OUT, NULL);
}

/* ---- all ----------------------------------------------------------------------------- */

static void put_any(struct gen *g, const struct ir_op *op)
{
	switch (op->code) {
	case IR_STATEMENT:
	case IR_BLOCK:
		put_block(g, op->blocks[0]);
		break;
	case IR_REWIND:
	case IR_WALK:			/* no operation here takes long */
		break;
	case IR_IF:
		put_if(g, op);
		break;
	case IR_AND_THEN:
	case IR_OR_ELSE:
		put_logical(g, op);
		break;
	case IR_PASSED:
		put_passed(g, op);
		break;
	case IR_LOOP:
		put_loop(g, op);
		break;
	case IR_FOREACH:
	case IR_BUCKETS:
		put_foreach(g, op);
		break;
	case IR_TRY:
		put_try(g, op);
		break;
	case IR_TOUCH:
	case IR_AHEAD:
		put_attempt(g, op);
		break;
	case IR_LOCKED:
		put_locked(g, op);
		break;
	case IR_CHECK:
	case IR_CHECK_CALL:
		put_check(g, op);
		break;
	case IR_STEP:
		put_step(g, op);
		break;
	case IR_BREAK:
		leave(g, WAY_BREAK, op->way);
		break;
	case IR_CONTINUE:
		leave(g, WAY_CONTINUE, op->way);
		break;
	case IR_EXIT_UNLESS:
		put_exit_unless(g, op);
		break;
	case IR_RETURN:
		put_return(g, op);
		break;
	case IR_NEXT:
		put_next(g);
		break;
	case IR_CALL:
		if (g->ir->functions.v[op->symbol].written_in == IR_SCRIPT)
			put_script_call(g, op);
		else
			put_builtin(g, op);
		break;
	default:
		put_op(g, op);
	}
}

void put_block(struct gen *g, const struct ir_block *b)
{
	for (size_t i = 0; i < b->ops.n && !g->why; i++) {
		if (g->c->insns.n > INSNS_MOST / 8)
			refuse(g, "no handlers of so many instructions");
		g->op = b->ops.v[i];
		g->before = i ? b->ops.v[i - 1] : NULL;
		put_any(g, g->op);
	}
}

/* A variable is 0 or "" until it is assigned; parameters are. */
static void clear_locals(struct gen *g)
{
	for (size_t i = g->body->nparams; i < g->body->locals.n; i++)
		clear_variable(g, g->body->locals.v[i].type, g->layout->locals[i], g->layout->local_rooms[i]);
}

/* All of an entry's body is under its locks. */
static void put_locked_body(struct gen *g, const struct ir_body *b)
{
	struct ir_op *all = arena_new(struct ir_op);

	all->code = IR_LOCKED;
	all->blocks[0] = arena_new(struct ir_block);
	*all->blocks[0] = b->block;
	put_locked(g, all);
}

/* Makes the code of a body, whose region is R: up to its end, to which all ways out lead. */
void put_body(struct gen *g, const struct ir_body *b, struct region *r)
{
	r->in = g->f;
	r->end = code_label(g->c);
	r->outer = NULL;
	g->region = r;
	clear_locals(g);
	if (b->kind == IR_ENTRY && b->locks.n)
		put_locked_body(g, b);
	else
		put_block(g, &b->block);
	clear_result(g);
	code_here(g->c, r->end);
}
