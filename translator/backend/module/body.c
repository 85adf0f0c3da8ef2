// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints blocks, regions and ways out.
 *
 * A statement's strings are in scratch above 'frame', and are freed behind it.  A jump out
 * of a foreach must end its iterator: errors jump to a label of the loop that does, 'return'
 * and 'next' end each that is open.
 */
#include "base/arena.h"
#include "gen.h"

void begin_body(struct gen *g, const struct ir_body *body)
{
	g->body = body;
	g->declared = arena_alloc(body->values.n + 1);
	g->in_area = false;
	g->loops.n = 0;
	g->texts = 0;
}

static const char *label(const char *what, const struct ir_op *region)
{
	return arena_printf("%s_%u", what, region->label);
}

static void put_label(struct gen *g, const char *what, const struct ir_op *region)
{
	gen_line(g, "%s: __attribute__((unused));", label(what, region));
}

const char *way_label(const struct ir_op *way)
{
	if (!way)
		return "out";
	switch (way->code) {
	case IR_TRY:
		return label("catch", way);
	case IR_FOREACH:
		return label("failed", way);
	case IR_TOUCH:
		return label("touched", way);
	default:			/* IR_AHEAD */
		return label("ahead", way);
	}
}

static void gen_inside(struct gen *g, const struct ir_block *block)
{
	g->indent++;
	gen_block(g, block);
	g->indent--;
}

/* ---- statements -------------------------------------------------------- */

/* From so many globals on, a frame may overflow if the compiler keeps values between statements. */
enum { MANY_GLOBALS = 32 };

/* Frees the strings that the statement has made. */
static void free_strings(struct gen *g, bool reached)
{
	if (g->texts && reached)
		gen_line(g, "c->sp = frame;");
	if (g->texts > g->most_texts)
		g->most_texts = g->texts;
	g->texts = 0;
}

/* Can control reach the end of the block? */
static bool is_open(const struct ir_block *block)
{
	size_t n = block->ops.n;

	return !n || !(ir_opcodes[block->ops.v[n - 1]->code].traits & IR_LEAVES);
}

static void gen_statement(struct gen *g, const struct ir_op *op)
{
	declare_result(g, op);
	g->texts = 0;
	gen_line(g, "{");
	if (g->ir->globals.n > MANY_GLOBALS)
		gen_line(g, "\tST_SETTLE();");
	g->indent++;
	gen_block(g, op->blocks[0]);
	free_strings(g, is_open(op->blocks[0]));
	g->indent--;
	gen_line(g, "}");
}

static void gen_nested(struct gen *g, const struct ir_op *op)
{
	declare_result(g, op);
	gen_line(g, "{");
	gen_inside(g, op->blocks[0]);
	gen_line(g, "}");
}

static void gen_if(struct gen *g, const struct ir_op *op)
{
	declare_result(g, op);
	gen_line(g, "if (%s) {", operand_text(g, &op->args.v[0]));
	gen_inside(g, op->blocks[0]);
	if (op->blocks[1]) {
		gen_line(g, "} else {");
		gen_inside(g, op->blocks[1]);
	}
	gen_line(g, "}");
}

static void gen_logical(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "%s = %s != 0;", result_text(g, op), operand_text(g, &op->args.v[0]));
	gen_line(g, "if (%st%u) {", op->code == IR_AND_THEN ? "" : "!", op->result);
	gen_inside(g, op->blocks[0]);
	gen_line(g, "}");
}

static void gen_passed(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "if (c->by_next) {");
	gen_line(g, "\tc->by_next = 0;");
	g->passed = true;
	gen_inside(g, op->blocks[0]);
	g->passed = false;
	gen_line(g, "}");
}

/* ---- loops ------------------------------------------------------------- */

/* Prints a loop's body, up to where 'continue' leads. */
static void gen_round(struct gen *g, const struct ir_op *op)
{
	vec_push(&g->loops, op);
	gen_inside(g, op->blocks[0]);
	gen_line(g, "\t%s: __attribute__((unused));", label("continue", op));
	if (op->blocks[1])
		gen_inside(g, op->blocks[1]);
	g->loops.n--;
}

static void gen_loop(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "for (;;) {");
	gen_round(g, op);
	gen_line(g, "}");
	put_label(g, "break", op);
}

/* Returns the most rounds of a loop, -1 for all. */
static const char *limit_text(struct gen *g, const struct ir_operand *limit)
{
	return limit->kind == IR_ABSENT ? "-1" : operand_text(g, limit);
}

static void gen_buckets(struct gen *g, const struct ir_op *op)
{
	unsigned i = op->result;

	g->declared[i] = true;
	gen_line(g, "unsigned int t%u; st_long t%u_left = %s;", i, i,
		 limit_text(g, &op->args.v[1]));
	gen_line(g, "for (t%u = 0; t%u < st_hist_buckets(&%s_decl) && t%u_left--; t%u++) {", i, i,
		 global_text(g, op->symbol), i, i);
	gen_round(g, op);
	gen_line(g, "}");
	put_label(g, "break", op);
}

static const char *extract_text(enum ir_extract extract)
{
	static const char *const texts[] = {
		[IR_COUNT] = "ST_COUNT", [IR_SUM] = "ST_SUM", [IR_MIN] = "ST_MIN",
		[IR_MAX] = "ST_MAX", [IR_AVG] = "ST_AVG", [IR_VARIANCE] = "ST_VARIANCE",
	};

	return texts[extract];
}

static void begin_cursor(struct gen *g, const struct ir_op *op)
{
	bool sliced = op->args.v[1].kind != IR_ABSENT;
	unsigned n = op->label;

	gen_line(g, "const struct st_order order%u = { %d, %d, %s, %u, %s };", n, op->order->by,
		 op->order->descending, extract_text(op->order->of), op->order->sorter,
		 limit_text(g, &op->args.v[0]));
	gen_line(g, "struct st_iter it%u;", n);
	gen_place(g, op);
	gen_line(g, "st_iter_begin(c, &it%u, %s, &order%u, %s, %#x);", n,
		 global_text(g, op->symbol), n, operand_text(g, &op->args.v[1]),
		 sliced ? op->n : ~0u);
	gen_line(g, "ST_CHECK(c, %s);", way_label(op));
}

static void gen_foreach(struct gen *g, const struct ir_op *op)
{
	unsigned n = op->label;
	unsigned held = g->texts;	/* a slice's keys last until the loop ends */

	begin_cursor(g, op);
	gen_line(g, "while (st_iter_next(c, &it%u)) {", n);
	if (held)
		gen_line(g, "\tchar *frame = c->sp;");
	gen_round(g, op);
	gen_line(g, "}");
	if (op->args.v[1].kind != IR_ABSENT) {
		gen_place(g, op);
		gen_line(g, "ST_CHECK(c, %s);", way_label(op));
	}
	put_label(g, "break", op);
	gen_line(g, "st_iter_end(&it%u);", n);
	gen_line(g, "if (0) {");
	put_label(g, "failed", op);
	gen_line(g, "\tst_iter_end(&it%u);", n);
	gen_line(g, "\tgoto %s;", way_label(op->way));
	gen_line(g, "}");
	g->most_texts += held;
	g->texts = held;
}

/* ---- errors, locks ----------------------------------------------------- */

/* Returns the variable to which a caught message is assigned. */
static const char *catcher_text(struct gen *g, const struct ir_op *op)
{
	const struct ir_operand *o = op->args.n ? &op->args.v[0] : NULL;

	if (!o)
		return "0";
	return arena_printf("&%s", o->kind == IR_GLOBAL ? global_text(g, o->index)
						       : local_text(g, o->index));
}

static void gen_try(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "{");
	gen_inside(g, op->blocks[0]);
	gen_line(g, "}");
	gen_line(g, "goto %s;", label("done", op));
	put_label(g, "catch", op);
	gen_line(g, "st_catch(c, %s);", catcher_text(g, op));
	gen_line(g, "c->sp = frame;");
	gen_line(g, "{");
	gen_inside(g, op->blocks[1]);
	gen_line(g, "}");
	put_label(g, "done", op);
}

static void gen_touch(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "{");
	gen_line(g, "char *%s = c->sp;", label("mark", op));
	gen_block(g, op->blocks[0]);
	put_label(g, "touched", op);
	gen_line(g, "if (c->error) st_catch(c, (void *)0);");
	gen_line(g, "c->sp = %s;", label("mark", op));
	gen_line(g, "}");
}

static void gen_ahead(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "{");
	gen_line(g, "long budget = c->budget, reserve = c->reserve;");
	gen_block(g, op->blocks[0]);
	put_label(g, "ahead", op);
	gen_line(g, "c->budget = budget;");
	gen_line(g, "c->reserve = reserve;");
	gen_line(g, "if (c->error) st_catch(c, (void *)0);");
	gen_line(g, "}");
}

static void gen_locked(struct gen *g, const struct ir_op *op)
{
	gen_lock(g, "goto out");
	gen_line(g, "locked = 1;");
	gen_block(g, op->blocks[0]);
	gen_line(g, "locked = 0;");
	gen_unlock(g);
}

/* ---- ways out ---------------------------------------------------------- */

/* Leaves the body, with its iterators ended. */
static void gen_leave(struct gen *g)
{
	for (size_t i = g->loops.n; i > 0; i--)
		if (g->loops.v[i - 1]->code == IR_FOREACH)
			gen_line(g, "st_iter_end(&it%u);", g->loops.v[i - 1]->label);
	gen_line(g, "goto out;");
}

static void gen_return(struct gen *g, const struct ir_op *op)
{
	if (op->args.n)
		gen_line(g, "ret = %s;", operand_text(g, &op->args.v[0]));
	gen_leave(g);
}

static void gen_next(struct gen *g)
{
	if (g->body->kind == IR_FUNCTION)
		gen_line(g, "c->by_next = 1;");
	gen_leave(g);
}

/* ---- all --------------------------------------------------------------- */

static void gen_any(struct gen *g, const struct ir_op *op)
{
	switch (op->code) {
	case IR_STATEMENT:
		gen_statement(g, op);
		break;
	case IR_REWIND:
		free_strings(g, true);
		break;
	case IR_BLOCK:
		gen_nested(g, op);
		break;
	case IR_IF:
		gen_if(g, op);
		break;
	case IR_AND_THEN:
	case IR_OR_ELSE:
		gen_logical(g, op);
		break;
	case IR_PASSED:
		gen_passed(g, op);
		break;
	case IR_LOOP:
		gen_loop(g, op);
		break;
	case IR_FOREACH:
		gen_foreach(g, op);
		break;
	case IR_BUCKETS:
		gen_buckets(g, op);
		break;
	case IR_TRY:
		gen_try(g, op);
		break;
	case IR_TOUCH:
		gen_touch(g, op);
		break;
	case IR_AHEAD:
		gen_ahead(g, op);
		break;
	case IR_LOCKED:
		gen_locked(g, op);
		break;
	case IR_BREAK:
		gen_line(g, "goto %s;", label("break", op->way));
		break;
	case IR_CONTINUE:
		gen_line(g, "goto %s;", label("continue", op->way));
		break;
	case IR_EXIT_UNLESS:
		gen_line(g, "if (!%s) break;", operand_text(g, &op->args.v[0]));
		break;
	case IR_RETURN:
		gen_return(g, op);
		break;
	case IR_NEXT:
		gen_next(g);
		break;
	default:
		gen_op(g, op);
	}
}

void gen_block(struct gen *g, const struct ir_block *block)
{
	for (size_t i = 0; i < block->ops.n; i++)
		gen_any(g, block->ops.v[i]);
}
