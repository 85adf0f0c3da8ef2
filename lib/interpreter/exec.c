// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs blocks, regions and calls, and follows the ways out of them.
 *
 * A region passes on the way out of its block, unless that leads to the region itself.  So every
 * way out of a loop goes through the loop, which ends its cursor, and every way out of LOCKED
 * through LOCKED, which evaluates conditions.
 */
#include "base/arena.h"
#include "data/agg.h"
#include "data/map.h"
#include "data/globals.h"
#include "internal.h"

static struct run_way run_block(struct run_frame *f, const struct ir_block *block);

static const struct run_way on = { RUN_ON, NULL }, out = { RUN_OUT, NULL };

/*
 * A file's program may go round a loop, or call, without an operation that counts a statement, and may catch
 * the error that its time is over.  So each round and each call is a step (st_walk()), and once the time is
 * over no other begins, whatever was caught.
 */
static bool over;
static const char *last_step;		/* the place of the last statement, where a loop has none of its own */

void run_begin(void)
{
	over = false;
	last_step = NULL;
}

static bool is_over(struct st_ctx *c)
{
	if (!over && !st_walk(c, 1))
		return false;
	over = true;
	if (!c->error)
		st_walked_slice(c);
	c->near = last_step ? last_step : c->near;
	return true;
}

static st_long word(struct run_frame *f, const struct ir_op *op, unsigned i)
{
	return run_operand(f, &op->args.v[i]).i;
}

static bool leads_to(struct run_way w, int kind, const struct ir_op *region)
{
	return (int)w.kind == kind && w.to == region;
}

/* ---- statements -------------------------------------------------------- */

static struct run_way run_statement(struct run_frame *f, const struct ir_op *op)
{
	struct run_way w = run_block(f, op->blocks[0]);

	if (w.kind == RUN_ON)
		f->c->sp = f->floor;
	return w;
}

static struct run_way run_if(struct run_frame *f, const struct ir_op *op)
{
	const struct ir_block *b = op->blocks[word(f, op, 0) ? 0 : 1];

	return b ? run_block(f, b) : on;
}

static struct run_way run_logical(struct run_frame *f, const struct ir_op *op)
{
	st_long first = word(f, op, 0) != 0;

	f->values[op->result].i = first;
	return first == (op->code == IR_AND_THEN) ? run_block(f, op->blocks[0]) : on;
}

static struct run_way run_passed(struct run_frame *f, const struct ir_op *op)
{
	if (!f->c->by_next)
		return on;
	f->c->by_next = 0;
	return run_block(f, op->blocks[0]);
}

/* ---- loops ------------------------------------------------------------- */

/* Runs a loop's body and then what 'continue' runs.  Returns RUN_BREAK to the loop if it ends. */
static struct run_way run_round(struct run_frame *f, const struct ir_op *op)
{
	struct run_way w = is_over(f->c) ? out : run_block(f, op->blocks[0]);

	if (w.kind != RUN_ON && !leads_to(w, RUN_CONTINUE, op))
		return w;
	return op->blocks[1] ? run_block(f, op->blocks[1]) : on;
}

static struct run_way run_loop(struct run_frame *f, const struct ir_op *op)
{
	struct run_way w;

	do
		w = run_round(f, op);
	while (w.kind == RUN_ON);
	return leads_to(w, RUN_BREAK, op) ? on : w;
}

/* Returns the most rounds of a loop, or -1 for all. */
static st_long limit_of(struct run_frame *f, const struct ir_operand *limit)
{
	return limit->kind == IR_ABSENT ? -1 : run_operand(f, limit).i;
}

static struct run_way run_buckets(struct run_frame *f, const struct ir_op *op)
{
	const struct st_stat_decl *d = &run_program->st.globals[op->symbol].stat;
	struct run_loop loop = { .op = op, .outer = f->loop };
	st_long left = limit_of(f, &op->args.v[1]);
	struct run_way w = on;

	f->loop = &loop;
	for (; w.kind == RUN_ON && loop.bucket < st_hist_buckets(d) && left--; loop.bucket++) {
		f->values[op->result].i = loop.bucket;
		w = run_round(f, op);
	}
	f->loop = loop.outer;
	return leads_to(w, RUN_BREAK, op) ? on : w;
}

static struct run_way run_rounds(struct run_frame *f, const struct ir_op *op,
				 struct run_loop *loop)
{
	const char *near = f->c->near;
	struct run_way w = on;

	while (w.kind == RUN_ON && st_iter_next(f->c, &loop->it))
		w = run_round(f, op);
	if (w.kind == RUN_ON && f->c->error) {	/* looking for a slice took too long */
		f->c->near = near;
		return (struct run_way){ RUN_FAILED, op };
	}
	return w;
}

/* Runs a foreach.  The strings of its slice's keys stay in scratch as long as the loop. */
static struct run_way run_foreach(struct run_frame *f, const struct ir_op *op)
{
	bool sliced = op->args.v[1].kind != IR_ABSENT;
	struct st_order how = {
		.by = op->order->by, .descending = op->order->descending,
		.stat = (enum st_stat_op)op->order->of, .sorter = op->order->sorter,
		.limit = limit_of(f, &op->args.v[0]),
	};
	struct run_loop loop = { .op = op, .outer = f->loop };
	struct run_way w = { RUN_FAILED, op };
	char *floor = f->floor;

	f->c->near = run_near(f, op);
	st_iter_begin(f->c, &loop.it, run_globals[op->symbol].map, &how,
		      run_operand(f, &op->args.v[1]).tuple, sliced ? op->n : ~0u);
	f->floor = f->c->sp;
	f->loop = &loop;
	if (!f->c->error)
		w = run_rounds(f, op, &loop);
	f->loop = loop.outer;
	f->floor = floor;
	st_iter_end(&loop.it);
	if (leads_to(w, RUN_FAILED, op))
		return (struct run_way){ RUN_FAILED, op->way };
	return leads_to(w, RUN_BREAK, op) ? on : w;
}

/* ---- errors, locks ------------------------------------------------------ */

static struct run_way run_try(struct run_frame *f, const struct ir_op *op)
{
	struct run_way w = run_block(f, op->blocks[0]);

	if (!leads_to(w, RUN_FAILED, op))
		return w;
	st_catch(f->c, op->args.n ? &run_variable(f, &op->args.v[0])->s : NULL);
	f->c->sp = f->floor;
	return run_block(f, op->blocks[1]);
}

static struct run_way run_touch(struct run_frame *f, const struct ir_op *op)
{
	char *mark = f->c->sp;
	struct run_way w = run_block(f, op->blocks[0]);

	if (w.kind != RUN_ON && !leads_to(w, RUN_FAILED, op))
		return w;
	if (f->c->error)
		st_catch(f->c, NULL);
	f->c->sp = mark;
	return on;
}

static struct run_way run_ahead(struct run_frame *f, const struct ir_op *op)
{
	long budget = f->c->budget, reserve = f->c->reserve;
	struct run_way w = run_block(f, op->blocks[0]);

	if (w.kind != RUN_ON && !leads_to(w, RUN_FAILED, op))
		return w;
	f->c->budget = budget;
	f->c->reserve = reserve;
	if (f->c->error)
		st_catch(f->c, NULL);
	return on;
}

/*
 * Takes a lock.  No other thread runs handlers, so all that a lock does is to drain the variable's
 * parts.
 */
static void hold(struct st_ctx *c, const struct ir_lock *l)
{
	const struct ir_global *g = &run_program->ir->globals.v[l->global];
	bool failed = c->error;

	if (g->percpu && g->keys.n)
		st_map_hold(c, run_globals[l->global].map);
	else if (g->percpu && g->type == IR_STATISTIC)
		st_agg_hold(c, run_globals[l->global].agg);
	if (c->error && !failed)
		c->near = arena_printf("near identifier '%s' at %s", g->name, g->at);
}

static void release(const struct ir_lock *l)
{
	const struct ir_global *g = &run_program->ir->globals.v[l->global];

	if (g->percpu && g->keys.n)
		st_map_release(run_globals[l->global].map);
	else if (g->percpu && g->type == IR_STATISTIC)
		st_agg_release(run_globals[l->global].agg);
}

static struct run_way run_locked(struct run_frame *f, const struct ir_op *op)
{
	const struct ir_body *b = f->body;
	struct run_way w;

	for (size_t i = 0; i < b->locks.n; i++)
		hold(f->c, &b->locks.v[i]);
	w = run_block(f, op->blocks[0]);
	for (size_t i = 0; i < b->decides.n; i++)
		run_condition(f->c, b->decides.v[i]);
	for (size_t i = 0; i < b->locks.n; i++)
		release(&b->locks.v[i]);
	return w;
}

/* ---- ways ---------------------------------------------------------------- */

static struct run_way check(struct run_frame *f, const struct ir_op *op)
{
	return f->c->error ? (struct run_way){ RUN_FAILED, op->way } : on;
}

static struct run_way check_call(struct run_frame *f, const struct ir_op *op)
{
	if (!f->c->error)
		return on;
	if (op->text)
		f->c->near = op->text;
	st_called(f->c, run_near(f, op));
	return (struct run_way){ RUN_FAILED, op->way };
}

static struct run_way count(struct run_frame *f, const struct ir_op *op)
{
	if (op->code == IR_STEP) {
		last_step = run_near(f, op);
		return st_step(f->c, op->n, last_step) ? (struct run_way){ RUN_FAILED, op->way } : on;
	}
	if (!st_walk(f->c, op->n))
		return on;
	f->c->near = run_near(f, op);
	return (struct run_way){ RUN_FAILED, op->way };
}

static struct run_way leave(struct run_frame *f, const struct ir_op *op)
{
	if (op->code == IR_RETURN && op->args.n)
		f->result = run_operand(f, &op->args.v[0]);
	if (op->code == IR_NEXT && f->body->kind == IR_FUNCTION)
		f->c->by_next = 1;
	return out;
}

static struct run_way run_any(struct run_frame *f, const struct ir_op *op)
{
	switch (op->code) {
	case IR_STATEMENT:
		return run_statement(f, op);
	case IR_REWIND:
		f->c->sp = f->floor;
		return on;
	case IR_BLOCK:
		return run_block(f, op->blocks[0]);
	case IR_IF:
		return run_if(f, op);
	case IR_AND_THEN:
	case IR_OR_ELSE:
		return run_logical(f, op);
	case IR_PASSED:
		return run_passed(f, op);
	case IR_LOOP:
		return run_loop(f, op);
	case IR_BUCKETS:
		return run_buckets(f, op);
	case IR_FOREACH:
		return run_foreach(f, op);
	case IR_TRY:
		return run_try(f, op);
	case IR_TOUCH:
		return run_touch(f, op);
	case IR_AHEAD:
		return run_ahead(f, op);
	case IR_LOCKED:
		return run_locked(f, op);
	case IR_CHECK:
		return check(f, op);
	case IR_CHECK_CALL:
		return check_call(f, op);
	case IR_STEP:
	case IR_WALK:
		return count(f, op);
	case IR_BREAK:
		return (struct run_way){ RUN_BREAK, op->way };
	case IR_CONTINUE:
		return (struct run_way){ RUN_CONTINUE, op->way };
	case IR_EXIT_UNLESS:
		return word(f, op, 0) ? on : (struct run_way){ RUN_BREAK, op->way };
	case IR_RETURN:
	case IR_NEXT:
		return leave(f, op);
	default:
		run_op(f, op);
		return on;
	}
}

/*
 * Is there room on the stack?  Calls check it, but thousands of regions may lie between two calls.
 */
static struct run_way run_block(struct run_frame *f, const struct ir_block *block)
{
	struct run_way w = on;

	if (st_stack_short(f->c)) {
		st_error(f->c, "blocks and function calls nested too deeply for the stack");
		return out;
	}
	for (size_t i = 0; w.kind == RUN_ON && i < block->ops.n; i++)
		w = is_over(f->c) ? out : run_any(f, block->ops.v[i]);
	return w;
}

/* ---- bodies ---------------------------------------------------------------- */

static void give_buffer(struct st_ctx *c, union run_variable *v)
{
	v->s = (struct st_strvar){ ST_LIT(""), st_scratch(c, st_program.maxstringlen - 1) };
}

/* Makes a frame in scratch.  Returns false, with an error set, if there is no room. */
static bool begin(struct run_frame *f, struct st_ctx *c, const struct ir_body *b)
{
	*f = (struct run_frame){ .c = c, .body = b };
	if (b->type == IR_STRING)
		f->result.s = ST_LIT("");
	f->values = st_area(c, b->values.n * sizeof(*f->values));
	f->tuples = st_area(c, b->tuple_values * sizeof(*f->tuples));
	f->locals = st_area(c, b->locals.n * sizeof(*f->locals));
	f->kept = st_area(c, b->kept.n * sizeof(*f->kept));
	for (size_t i = 0; !c->error && i < b->locals.n; i++)
		if (b->locals.v[i].type == IR_STRING)
			give_buffer(c, &f->locals[i]);
	for (size_t i = 0; !c->error && i < b->kept.n; i++)
		if (b->kept.v[i] == IR_STRING)
			give_buffer(c, &f->kept[i]);
	f->floor = c->sp;
	return !c->error;
}

void run_body(struct st_ctx *c, const struct ir_body *b)
{
	struct run_frame f;
	char *mark = c->sp;

	if (begin(&f, c, b))
		run_block(&f, &b->block);
	c->sp = mark;
}

/*
 * Evaluates a probe's condition.  An error pending in the calling handler is set aside meanwhile.
 */
void run_condition(struct st_ctx *c, unsigned probe)
{
	struct st_pending pending = { .error = NULL };

	if (c->error)
		st_set_aside(c, &pending);
	*run_program->probes[probe].armed = 0;
	run_body(c, run_program->ir->probes.v[probe].condition);
	if (pending.error)
		st_take_back(c, &pending);
}

union run_value run_function(struct run_frame *caller, const struct ir_op *op)
{
	const struct ir_body *b = run_program->ir->functions.v[op->symbol].body;
	struct st_ctx *c = caller->c;
	struct run_frame f;
	char *mark = c->sp;
	union run_value result = { 0 };

	if (b->type == IR_STRING)
		result.s = ST_LIT("");

	if (!st_call(c) && !is_over(c) && begin(&f, c, b)) {
		for (size_t i = 0; i < b->nparams; i++)
			run_assign(&f.locals[i], b->locals.v[i].type,
				   run_operand(caller, &op->args.v[i]));
		run_block(&f, &b->block);
		result = f.result;
	}
	st_leave(c);
	if (b->type == IR_STRING)
		result.s = st_keep(c, mark, result.s);
	else
		c->sp = mark;
	return result;
}
