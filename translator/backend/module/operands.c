// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints operands and results as C. */
#include "base/arena.h"
#include "gen.h"

const char *c_type_of(enum ir_type t)
{
	static const char *const types[] = {
		[IR_VOID] = "void", [IR_WORD] = "st_long", [IR_STRING] = "struct st_str",
		[IR_STATISTIC] = "const struct st_stat *",
	};

	return types[t];
}

const char *global_text(const struct gen *g, unsigned global)
{
	return arena_printf("g%u_%s", global, g->ir->globals.v[global].name);
}

const char *function_name(const struct gen *g, unsigned function)
{
	return arena_printf("f%u_%s", function, g->ir->functions.v[function].name);
}

const char *local_text(const struct gen *g, unsigned local)
{
	const char *area = g->in_area && local >= g->body->nparams ? "l->" : "";

	return arena_printf("%sv_%s", area, g->body->locals.v[local].name);
}

/* Returns a member of the probe's constant, a union st_arg. */
static const char *own_text(unsigned constant, const char *member)
{
	return arena_printf("st_consts[%u].%s", constant, member);
}

static const struct ir_op *loop_labelled(const struct gen *g, unsigned label)
{
	size_t i = g->loops.n;

	while (g->loops.v[i - 1]->label != label)
		i--;
	return g->loops.v[i - 1];
}

/* Returns a key or the element of a loop's current round. */
static const char *round_text(struct gen *g, const struct ir_operand *o)
{
	const struct ir_op *loop = loop_labelled(g, o->of);
	const char *string = o->type == IR_STRING ? "_str" : "";

	if (loop->code == IR_BUCKETS)
		return arena_printf("st_hist_bucket(%s, t%u)", operand_text(g, &loop->args.v[0]),
				    loop->result);
	if (o->kind == IR_KEY)
		return arena_printf("st_iter_key%s(&it%u, %u)", string, o->of, o->index);
	return arena_printf("st_iter_value%s(&it%u)", string, o->of);
}

const char *operand_text(struct gen *g, const struct ir_operand *o)
{
	const char *member = o->type == IR_STRING ? ".s" : "";

	switch (o->kind) {
	case IR_NUMBER:
		return c_number(o->number);
	case IR_LITERAL:
		return c_literal(o->text);
	case IR_OWN:
		return own_text(o->index, *member ? "s" : "i");
	case IR_VALUE:
		return arena_printf("t%u", o->index);
	case IR_LOCAL:
		return arena_printf("%s%s", local_text(g, o->index), member);
	case IR_GLOBAL:
		return arena_printf("%s%s", global_text(g, o->index), member);
	case IR_KEPT:
		return arena_printf("m%u%s", o->index, member);
	case IR_SLOT:
		return arena_printf("t%u[%u].%c", o->of, o->index, *member ? 's' : 'i');
	case IR_KEY:
	case IR_ELEMENT:
		return round_text(g, o);
	case IR_ABSENT:
		break;
	}
	return "0";
}

const char *operands_text(struct gen *g, const ir_operands *list, size_t from)
{
	struct sbuf b = { 0 };

	for (size_t i = from; i < list->n; i++)
		sbuf_printf(&b, "%s%s", i > from ? ", " : "", operand_text(g, &list->v[i]));
	return sbuf_take(&b);
}

const char *result_text(struct gen *g, const struct ir_op *op)
{
	const char *type = c_type_of(g->body->values.v[op->result]);
	const char *space = g->body->values.v[op->result] == IR_STATISTIC ? "" : " ";

	if (g->declared[op->result])
		return arena_printf("t%u", op->result);
	g->declared[op->result] = true;
	return arena_printf("%s%st%u", type, space, op->result);
}

void declare_result(struct gen *g, const struct ir_op *op)
{
	if (op->result != IR_NO_VALUE && !g->declared[op->result])
		gen_line(g, "%s;", result_text(g, op));
}

const char *near_text(const struct ir_op *op)
{
	return op->near == IR_NO_CONSTANT ? c_near(op->what, op->at) : own_text(op->near, "s.p");
}

const char *format_text(const struct ir_op *op)
{
	return op->format == IR_NO_CONSTANT ? c_string(op->text) : own_text(op->format, "s.p");
}

const char *format_id(const struct ir_op *op, unsigned number)
{
	return op->format == IR_NO_CONSTANT ? arena_printf("%u", number) : own_text(op->format, "i");
}

void gen_place(struct gen *g, const struct ir_op *op)
{
	if (op->what || op->near != IR_NO_CONSTANT)
		gen_line(g, "c->near = %s;", near_text(op));
}
