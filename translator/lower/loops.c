// SPDX-License-Identifier: GPL-2.0-or-later
/* Lowers loops: while and for, foreach over arrays and over histograms. */
#include "base/arena.h"
#include "lowering.h"

/* The loop that is around the body being lowered, and where its errors lead. */
struct around {
	const struct ir_op *loop, *on_error;
};

static struct around enter_loop(struct lowering *lo, const struct ir_op *op)
{
	struct around around = { lo->loop, lo->on_error };

	lo->loop = op;
	return around;
}

static void leave_loop(struct lowering *lo, struct around around)
{
	lo->loop = around.loop;
	lo->on_error = around.on_error;
}

static void lower_alone(struct lowering *lo, struct expr *e)
{
	struct ir_block *outer;

	if (!e)
		return;
	outer = begin_statement(lo, e, absent());
	lower_effect(lo, e);
	lo->at = outer;
}

static void lower_while(struct lowering *lo, struct stmt *s)
{
	struct ir_block *outer = lo->at;
	struct around around;
	struct ir_op *op;

	lower_alone(lo, s->init);
	op = lower_op(lo, IR_LOOP);
	around = enter_loop(lo, op);
	enter(lo, op, 0);
	if (s->expr) {
		struct ir_operand more = lower_condition(lo, s->expr);
		struct ir_op *leave = lower_op(lo, IR_EXIT_UNLESS);

		leave->way = op;
		add_arg(leave, more);
	}
	lower_round(lo, s->then);
	lower_stmt(lo, s->then);
	if (s->step) {
		enter(lo, op, 1);
		lower_alone(lo, s->step);
	}
	lo->at = outer;
	leave_loop(lo, around);
}

/* Lowers a limit, of which a negative one means 0. */
static struct ir_operand lower_limit(struct lowering *lo, struct foreach *f)
{
	if (!f->limit)
		return absent();
	note_expression(lo, f->limit);
	return lower_1(lo, IR_LIMIT, IR_WORD, lower_expr(lo, f->limit));
}

/* Assigns to a loop variable, unless nothing reads it: then it is not declared. */
static void lower_variable(struct lowering *lo, const struct expr *e, struct ir_operand value)
{
	if (e->var->used)
		lower_store(lo, e->var, value);
}

static struct ir_operand of_round(const struct ir_op *loop, enum ir_operand_kind kind, unsigned i,
				  enum type type)
{
	return (struct ir_operand){ kind, ir_type_of(type), .index = i, .of = loop->label };
}

static void lower_variables(struct lowering *lo, struct foreach *f, const struct ir_op *loop)
{
	for (size_t i = 0; i < f->keys.n; i++)
		lower_variable(lo, f->keys.v[i],
			       of_round(loop, IR_KEY, i, f->keys.v[i]->type));
	if (f->value)
		lower_variable(lo, f->value, of_round(loop, IR_ELEMENT, 0, f->value->type));
}

/*
 * Lowers a foreach over a histogram, whose key is the bucket's number.  The limit may come from a
 * function that changes the statistic and the variables of its keys.
 */
static void lower_buckets(struct lowering *lo, struct stmt *s)
{
	struct foreach *f = s->foreach;
	struct ir_operand i = new_value(lo, IR_WORD), stat, limit;
	struct ir_block *outer = begin_statement(lo, f->hist->a, absent());
	ir_operands keys;
	struct around around;
	struct ir_op *op;

	lo->assigns |= f->limit != NULL;
	lo->effects |= f->limit != NULL;
	keys = lower_stat_keys(lo, f->hist->a);
	limit = lower_limit(lo, f);
	stat = lower_stat_at(lo, f->hist->a, &keys);
	lower_op(lo, IR_REWIND);
	op = lower_into(lo, IR_BUCKETS, i);
	op->symbol = f->hist->a->var->index;
	add_arg(op, stat);
	add_arg(op, limit);
	around = enter_loop(lo, op);
	enter(lo, op, 0);
	lower_variable(lo, f->keys.v[0], i);
	if (f->value)
		lower_variable(lo, f->value, of_round(op, IR_ELEMENT, 0, T_LONG));
	lower_step(lo, 1, s->then);
	lower_stmt(lo, s->then);
	leave_loop(lo, around);
	lo->at = outer;
}

/*
 * Lowers a slice's keys to values of their own: the cursor looks at them each round,
 * and the loop's body may change the variables that they come from.
 */
static struct ir_operand lower_slice(struct lowering *lo, struct foreach *f, unsigned *any)
{
	if (!f->slice.n)
		return absent();
	lo->assigns = lo->effects = true;
	return lower_keys(lo, f->slice.v, f->slice.n, any);
}

static const struct ir_order *order_of(const struct foreach *f)
{
	struct ir_order *o = arena_new(struct ir_order);

	o->by = f->sort_by;
	o->descending = f->descending;
	o->of = f->sort_stat < STAT_HIST_LOG ? (enum ir_extract)f->sort_stat : IR_COUNT;
	o->sorter = f->sorter;
	return o;
}

static void lower_foreach(struct lowering *lo, struct stmt *s)
{
	struct foreach *f = s->foreach;
	struct ir_block *outer = begin_statement(lo, NULL, absent());
	unsigned any = 0;
	struct ir_operand keys = lower_slice(lo, f, &any), limit = lower_limit(lo, f);
	struct ir_op *op = lower_op(lo, IR_FOREACH);
	struct around around = enter_loop(lo, op);

	op->symbol = f->var->index;
	op->n = any;
	op->order = order_of(f);
	set_near(op, arena_printf("identifier '%s'", f->array), f->array_loc);
	add_arg(op, limit);
	add_arg(op, keys);
	lo->on_error = op;
	enter(lo, op, 0);
	lower_variables(lo, f, op);
	lower_round(lo, s->then);
	lower_stmt(lo, s->then);
	leave_loop(lo, around);
	lo->at = outer;
}

/* Lowers a loop, with its stable calls made before it. */
void lower_loop(struct lowering *lo, struct stmt *s)
{
	if (lo->memos.n) {
		struct ir_block *outer = begin_statement(lo, NULL, absent());

		lower_memos_of(lo, s);
		lo->at = outer;
	}
	if (s->kind == S_LOOP)
		lower_while(lo, s);
	else if (s->foreach->hist)
		lower_buckets(lo, s);
	else
		lower_foreach(lo, s);
}
