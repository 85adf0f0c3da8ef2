// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints PRINT and PRINT_HIST as output records: a format's number and values.  The C reserves
 * room, then stores each value.
 */
#include "base/arena.h"
#include "gen.h"

/* Returns the size of the values from argument FIRST on, as C: "12ul + (t1).len". */
static const char *size_text(struct gen *g, const struct ir_op *op, size_t first)
{
	struct sbuf size = { 0 };
	unsigned fixed = 0;

	for (size_t i = first; i < op->args.n; i++)
		fixed += op->args.v[i].type == IR_STRING ? 4 : 8;
	sbuf_printf(&size, "%uul", fixed);
	for (size_t i = first; i < op->args.n; i++)
		if (op->args.v[i].type == IR_STRING)
			sbuf_printf(&size, " + (%s).len", operand_text(g, &op->args.v[i]));
	return sbuf_take(&size);
}

static void put_values(struct gen *g, const struct ir_op *op, size_t first)
{
	for (size_t i = first; i < op->args.n; i++)
		gen_line(g, "\to = st_emit_%s(o, %s);",
			 op->args.v[i].type == IR_STRING ? "str" : "long",
			 operand_text(g, &op->args.v[i]));
}

void gen_print(struct gen *g, const struct ir_op *op)
{
	const char *id = format_id(op, op->symbol);

	if (op->args.n == 1 && op->args.v[0].type == IR_STRING) {
		gen_line(g, "st_emit_one(c, %s, %s);", id, operand_text(g, &op->args.v[0]));
		return;
	}
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "char *o = st_emit(c, %s, %s);", id, size_text(g, op, 0));
	if (op->args.n) {
		gen_line(g, "if (st_likely(o != 0)) {");
		put_values(g, op, 0);
		gen_line(g, "}");
	} else {
		gen_line(g, "(void)o;");
	}
	g->indent--;
	gen_line(g, "}");
}

void gen_print_hist(struct gen *g, const struct ir_op *op)
{
	const char *stat = arena_printf("%s, &%s_decl", operand_text(g, &op->args.v[0]),
					global_text(g, op->symbol));

	gen_line(g, "{");
	g->indent++;
	gen_line(g, "char *o = st_print_hist(c, %s, %s, %s);", stat,
		 format_id(op, op->n), size_text(g, op, 1));
	gen_line(g, "if (st_likely(o != 0)) {");
	put_values(g, op, 1);
	gen_line(g, "\tst_print_buckets(c, %s);", stat);
	gen_line(g, "}");
	g->indent--;
	gen_line(g, "}");
}
