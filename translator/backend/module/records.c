// SPDX-License-Identifier: GPL-2.0-or-later
/* PRINT: an output record, a format's number and values.  Reserves room, then stores each value. */
#include "gen.h"

/* The size of the values, as C: "12ul + (t1).len". */
static const char *size_text(struct gen *g, const struct ir_op *op)
{
	struct sbuf size = { 0 };
	unsigned fixed = 0;

	for (size_t i = 0; i < op->args.n; i++)
		fixed += op->args.v[i].type == IR_STRING ? 4 : 8;
	sbuf_printf(&size, "%uul", fixed);
	for (size_t i = 0; i < op->args.n; i++)
		if (op->args.v[i].type == IR_STRING)
			sbuf_printf(&size, " + (%s).len", operand_text(g, &op->args.v[i]));
	return sbuf_take(&size);
}

static void put_values(struct gen *g, const struct ir_op *op)
{
	if (!op->args.n) {
		gen_line(g, "(void)o;");
		return;
	}
	gen_line(g, "if (st_likely(o != 0)) {");
	for (size_t i = 0; i < op->args.n; i++)
		gen_line(g, "\to = st_emit_%s(o, %s);",
			 op->args.v[i].type == IR_STRING ? "str" : "long",
			 operand_text(g, &op->args.v[i]));
	gen_line(g, "}");
}

void gen_print(struct gen *g, const struct ir_op *op)
{
	const char *id = gen_format_id(g, op->text);

	if (op->args.n == 1 && op->args.v[0].type == IR_STRING) {
		gen_line(g, "st_emit_one(c, %s, %s);", id, operand_text(g, &op->args.v[0]));
		return;
	}
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "char *o = st_emit(c, %s, %s);", id, size_text(g, op));
	put_values(g, op);
	g->indent--;
	gen_line(g, "}");
}
