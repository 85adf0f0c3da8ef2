// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes operations and operands. */
#include "base/arena.h"
#include "lowering.h"

struct ir_op *lower_op(struct lowering *lo, enum ir_opcode code)
{
	struct ir_op *op = ir_append(lo->at, code);
	unsigned traits = ir_opcodes[code].traits;

	if (traits & IR_TAKES_WAY)
		op->way = lo->on_error;
	if (traits & (IR_LOOPS | IR_CATCHES))
		op->label = lo->labels++;
	return op;
}

struct ir_op *lower_into(struct lowering *lo, enum ir_opcode code, struct ir_operand result)
{
	struct ir_op *op = lower_op(lo, code);

	if (result.kind == IR_VALUE)
		op->result = result.index;
	return op;
}

struct ir_op *lower_value(struct lowering *lo, enum ir_opcode code, enum ir_type type)
{
	return lower_into(lo, code, new_value(lo, type));
}

struct ir_operand lower_1(struct lowering *lo, enum ir_opcode code, enum ir_type type,
			  struct ir_operand a)
{
	struct ir_op *op = lower_value(lo, code, type);

	add_arg(op, a);
	return result_of(lo, op);
}

struct ir_operand lower_2(struct lowering *lo, enum ir_opcode code, enum ir_type type,
			  struct ir_operand a, struct ir_operand b)
{
	struct ir_op *op = lower_value(lo, code, type);

	add_arg(op, a);
	add_arg(op, b);
	return result_of(lo, op);
}

struct ir_operand new_value(struct lowering *lo, enum ir_type type)
{
	vec_push(&lo->body->values, type);
	return (struct ir_operand){ IR_VALUE, type, .index = lo->body->values.n - 1 };
}

void add_arg(struct ir_op *op, struct ir_operand o)
{
	vec_push(&op->args, o);
}

struct ir_operand result_of(const struct lowering *lo, const struct ir_op *op)
{
	return (struct ir_operand){ IR_VALUE, lo->body->values.v[op->result], .index = op->result };
}

static void add_once(ir_numbers *list, unsigned n)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == n)
			return;
	vec_push(list, n);
}

struct ir_foreign *foreign_of(const struct embedded *e)
{
	struct ir_foreign *f = arena_new(struct ir_foreign);

	*f = (struct ir_foreign){
		.code = e->code, .file = e->loc.src ? e->loc.src->name : NULL, .line = e->loc.line,
		.col = e->loc.col, .unmangled = e->unmangled,
		.unmodified_fnargs = e->unmodified_fnargs, .catches_faults = e->catches_faults,
	};
	for (size_t i = 0; i < e->read_vars.n; i++)
		add_once(&f->reads, e->read_vars.v[i]->index);
	for (size_t i = 0; i < e->write_vars.n; i++)
		add_once(&f->writes, e->write_vars.v[i]->index);
	return f;
}

struct ir_operand absent(void)
{
	return (struct ir_operand){ .kind = IR_ABSENT };
}

struct ir_operand number(int64_t n)
{
	return (struct ir_operand){ IR_NUMBER, IR_WORD, .number = n };
}

struct ir_operand literal(const char *text)
{
	return (struct ir_operand){ IR_LITERAL, IR_STRING, .text = text };
}

struct ir_operand variable_operand(const struct variable *v)
{
	return (struct ir_operand){ v->is_global ? IR_GLOBAL : IR_LOCAL, ir_type_of(v->type),
				    .index = v->index };
}

enum ir_type ir_type_of(enum type t)
{
	return t == T_STRING ? IR_STRING : t == T_VOID ? IR_VOID
	       : t == T_STATS ? IR_STATISTIC : IR_WORD;
}

void set_near(struct ir_op *op, const char *what, struct loc at)
{
	op->what = what;
	op->at = loc_text(at);
}

void check_error(struct lowering *lo)
{
	lower_op(lo, IR_CHECK);
}

struct ir_block *enter(struct lowering *lo, struct ir_op *region, int i)
{
	struct ir_block *outer = lo->at;

	if (!region->blocks[i])
		region->blocks[i] = arena_new(struct ir_block);
	lo->at = region->blocks[i];
	return outer;
}
