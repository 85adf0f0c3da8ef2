// SPDX-License-Identifier: GPL-2.0-or-later
/* Operands: reading and assigning. */
#include "core/walk.h"
#include "internal.h"

static struct st_str text_of(const char *s)
{
	return (struct st_str){ s, strlen(s) };
}

static struct run_loop *loop_labelled(const struct run_frame *f, unsigned label)
{
	struct run_loop *l = f->loop;

	while (l->op->label != label)
		l = l->outer;
	return l;
}

/* Returns a key or the element of a loop's current round. */
static union run_value of_round(const struct run_frame *f, const struct ir_operand *o)
{
	const struct run_loop *l = loop_labelled(f, o->of);
	union run_value v = { 0 };

	if (l->op->code == IR_BUCKETS)
		v.i = st_hist_bucket(run_operand(f, &l->op->args.v[0]).stat, l->bucket);
	else if (o->kind == IR_KEY && o->type == IR_STRING)
		v.s = st_iter_key_str(&l->it, o->index);
	else if (o->kind == IR_KEY)
		v.i = st_iter_key(&l->it, o->index);
	else if (o->type == IR_STRING)
		v.s = st_iter_value_str(&l->it);
	else if (o->type == IR_STATISTIC)
		v.stat = st_iter_value_stat(&l->it);
	else
		v.i = st_iter_value(&l->it);
	return v;
}

union run_variable *run_variable(const struct run_frame *f, const struct ir_operand *o)
{
	return o->kind == IR_GLOBAL ? &run_globals[o->index]
	       : o->kind == IR_LOCAL ? &f->locals[o->index] : &f->kept[o->index];
}

static union run_value of_variable(const union run_variable *v, enum ir_type type)
{
	return type == IR_STRING ? (union run_value){ .s = v->s.s } : (union run_value){ .i = v->i };
}

const struct ir_constant *run_own(const struct run_frame *f, unsigned constant)
{
	return &run_program->ir->probes.v[f->c->point->probe->index].constants.v[constant];
}

const char *run_near(const struct run_frame *f, const struct ir_op *op)
{
	return op->near == IR_NO_CONSTANT ? op->what : run_own(f, op->near)->text;
}

static union run_value of_constant(const struct ir_constant *constant)
{
	return constant->type == IR_STRING ? (union run_value){ .s = text_of(constant->text) }
					   : (union run_value){ .i = constant->number };
}

union run_value run_operand(const struct run_frame *f, const struct ir_operand *o)
{
	union st_arg slot;

	switch (o->kind) {
	case IR_NUMBER:
		return (union run_value){ .i = o->number };
	case IR_LITERAL: {
		struct st_str s = text_of(o->text);

		st_walk_text(f->c, s.len);	/* a literal may be longer than a string */
		return (union run_value){ .s = s };
	}
	case IR_OWN:
		return of_constant(run_own(f, o->index));
	case IR_VALUE:
		return f->values[o->index];
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_KEPT:
		return of_variable(run_variable(f, o), o->type);
	case IR_SLOT:
		slot = f->values[o->of].tuple[o->index];
		return o->type == IR_STRING ? (union run_value){ .s = slot.s }
					    : (union run_value){ .i = slot.i };
	case IR_KEY:
	case IR_ELEMENT:
		return of_round(f, o);
	case IR_ABSENT:
		break;
	}
	return (union run_value){ .tuple = NULL };
}

void run_assign(union run_variable *v, enum ir_type type, union run_value value)
{
	if (type == IR_STRING)
		st_assign(&v->s, value.s);
	else
		v->i = value.i;
}
