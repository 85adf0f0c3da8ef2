// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lowers assignments to locals, globals, array elements and target variables.
 *
 * A global that concurrent handlers only add to is a counter per CPU
 * (variable.percpu).  Begin and end handlers, which run alone, can read and set
 * it like any other.
 */
#include "base/arena.h"
#include "lowering.h"

void lower_store(struct lowering *lo, const struct variable *v, struct ir_operand value)
{
	struct ir_op *op = lower_op(lo, v->is_global ? IR_STORE : IR_STORE_LOCAL);

	op->symbol = v->index;
	add_arg(op, value);
}

/*
 * Evaluates an assigned element's keys, before the value.  Returns absent if A is not an element.
 */
static struct ir_operand lower_assigned_keys(struct lowering *lo, const struct expr *a)
{
	unsigned any;

	return a->kind == E_INDEX ? lower_keys(lo, a->args.v, a->args.n, &any) : absent();
}

/* Changes the element with KEYS of A's array. */
static void change_element(struct lowering *lo, enum ir_opcode code, const struct expr *a,
			   struct ir_operand keys, struct ir_operand value)
{
	struct ir_op *op = lower_op(lo, code);

	op->symbol = a->var->index;
	add_arg(op, keys);
	add_arg(op, value);
	set_near(op, arena_printf("identifier '%s'", a->var->name), a->loc);
	check_error(lo);
}

/* Adds DELTA to a variable or, with KEYS, to an element; or subtracts it. */
static void lower_add(struct lowering *lo, struct expr *a, struct ir_operand keys,
		      struct ir_operand delta, bool minus)
{
	struct ir_op *op;

	if (keys.kind != IR_ABSENT) {
		change_element(lo, minus ? IR_MINUS_AT : IR_PLUS_AT, a, keys, delta);
		return;
	}
	op = lower_op(lo, a->var->is_global ? minus ? IR_MINUS : IR_PLUS
		      : minus ? IR_MINUS_LOCAL : IR_PLUS_LOCAL);
	op->symbol = a->var->index;
	add_arg(op, delta);
}

/* Lowers <<<. */
static struct ir_operand lower_record(struct lowering *lo, struct expr *e)
{
	struct ir_operand keys = lower_assigned_keys(lo, e->a), value = lower_expr(lo, e->b);
	struct ir_op *op;

	if (keys.kind != IR_ABSENT) {
		change_element(lo, IR_RECORD_AT, e->a, keys, value);
		return value;
	}
	op = lower_op(lo, IR_RECORD);
	op->symbol = e->a->var->index;
	add_arg(op, value);
	return value;
}

/* Returns the value of "OLD op= B". */
static struct ir_operand lower_new_value(struct lowering *lo, struct expr *e,
					 struct ir_operand old, struct ir_operand b)
{
	return e->op == OP_CONCAT ? lower_concat(lo, "operator '.='", e->loc, old, b)
				  : lower_arith(lo, e, old, b);
}

static struct ir_operand lower_old_element(struct lowering *lo, const struct expr *a,
					   struct ir_operand keys)
{
	struct ir_op *op = lower_value(lo, IR_GET, ir_type_of(a->var->type));

	add_arg(op, keys);
	access_global(lo, a, 0, op);
	return result_of(lo, op);
}

static struct ir_operand lower_assign_element(struct lowering *lo, struct expr *e)
{
	struct ir_operand keys = lower_assigned_keys(lo, e->a), b = lower_expr(lo, e->b);

	if (e->op != OP_NONE)
		b = lower_new_value(lo, e, lower_old_element(lo, e->a, keys), b);
	change_element(lo, IR_SET, e->a, keys, b);
	return b;
}

static struct ir_operand lower_assign_var(struct lowering *lo, struct expr *e)
{
	struct ir_operand b;

	if (e->a->var->literal)		/* a statement with nothing left to do */
		return absent();
	b = lower_expr(lo, e->b);
	if (e->op != OP_NONE)
		b = lower_new_value(lo, e, lower_read(lo, e->a->var), b);
	lower_store(lo, e->a->var, b);
	return b;
}

static struct ir_operand lower_assign_target(struct lowering *lo, struct expr *e, bool value_used)
{
	struct ir_operand b = lower_expr(lo, e->b);
	ir_operands inputs = lower_inputs(lo, e->a);
	const struct fetch *f = &e->a->access->fetch;

	if (e->op == OP_CONCAT && f->append) {
		lower_put(lo, e->a, &inputs, b, f->append);
		return value_used ? lower_target(lo, e->a, &inputs) : absent();
	}
	if (e->op != OP_NONE)
		b = lower_new_value(lo, e, lower_target(lo, e->a, &inputs), b);
	lower_put(lo, e->a, &inputs, b, f->store);
	return b;
}

struct ir_operand lower_assign(struct lowering *lo, struct expr *e, bool value_used)
{
	if (e->op == OP_STAT)
		return lower_record(lo, e);
	if (!value_used && (e->op == OP_ADD || e->op == OP_SUB) && e->a->kind != E_TARGET) {
		struct ir_operand keys = lower_assigned_keys(lo, e->a), b = lower_expr(lo, e->b);

		lower_add(lo, e->a, keys, b, e->op == OP_SUB);
		return absent();
	}
	if (e->a->kind == E_INDEX)
		return lower_assign_element(lo, e);
	if (e->a->kind == E_TARGET)
		return lower_assign_target(lo, e, value_used);
	return lower_assign_var(lo, e);
}

/* Returns a copy of a variable's value, which is about to change. */
static struct ir_operand lower_old_value(struct lowering *lo, const struct variable *v)
{
	return v->is_global ? lower_read(lo, v)
			    : lower_1(lo, IR_COPY, IR_WORD, variable_operand(v));
}

struct ir_operand lower_incdec(struct lowering *lo, struct expr *e, bool value_used)
{
	struct expr *a = e->a;
	struct ir_operand keys = lower_assigned_keys(lo, a), old, new;
	ir_operands inputs = { 0 };

	if (!value_used && a->kind != E_TARGET) {
		lower_add(lo, a, keys, number(e->delta), false);
		return absent();
	}
	if (a->kind == E_TARGET)
		inputs = lower_inputs(lo, a);
	old = a->kind == E_INDEX ? lower_old_element(lo, a, keys)
	    : a->kind == E_TARGET ? lower_target(lo, a, &inputs) : lower_old_value(lo, a->var);
	new = lower_2(lo, IR_ADD, IR_WORD, old, number(e->delta));
	if (a->kind == E_INDEX)
		change_element(lo, IR_SET, a, keys, new);
	else if (a->kind == E_TARGET)
		lower_put(lo, a, &inputs, new, a->access->fetch.store);
	else
		lower_store(lo, a->var, new);
	return e->prefix ? new : old;
}
