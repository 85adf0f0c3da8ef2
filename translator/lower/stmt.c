// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lowers statements.
 *
 * A block's statements are counted against the budget at its start, so a loop
 * pays once per round.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "lowering.h"

/* Returns the token that a statement begins with, as messages name it. */
static const char *token_at(struct loc at)
{
	static const char *const keywords[] = {
		"if", "while", "for", "foreach", "return", "next", "break", "continue", "delete",
		"try", NULL,
	};
	const char *word = loc_word(at);
	bool name = isalpha((unsigned char)*word) || *word == '_';

	for (const char *const *k = keywords; *k; k++)
		if (!strcmp(*k, word))
			return arena_printf("keyword '%s'", word);
	return arena_printf("%s '%s'", name ? "identifier" : "operator", word);
}

/* Returns where an expression begins; its own position is its operator's. */
static struct loc expr_start(const struct expr *e)
{
	while (e->kind == E_ASSIGN || e->kind == E_BINARY || e->kind == E_TERNARY ||
	       e->kind == E_REGEX || (e->kind == E_INCDEC && !e->prefix))
		e = e->a;
	return e->loc;
}

/* Counts the assignments, calls and strings in an expression. */
struct noted {
	int assigns, calls;		/* calls of functions in the script's language */
	unsigned texts;			/* strings it looks at or copies */
};

static void note_node(struct expr **slot, void *arg)
{
	struct noted *n = arg;
	const struct expr *e = *slot;

	n->assigns += e->kind == E_ASSIGN || e->kind == E_INCDEC;
	n->calls += e->kind == E_CALL && e->func && e->func->body;
	n->texts += e->type == T_STRING;
}

/*
 * A handler checks its time limit every thousand statements.  With a few short strings in each
 * statement that is soon enough; with hundreds of strings, or long ones, seconds would pass.  So in
 * a statement with more than a few strings each counts as a step, and so does every long string
 * (the runtime's ST_WALK_SLICE).  Going through 64 KB takes some microseconds, so a slice of 256
 * strings takes a millisecond or two.  Example: of 600 strings, 88 are counted before the
 * statement, and 256 each when it gets to the 256th and the 512th.
 */
#define FEW_TEXTS 3
#define LONG_TEXT 4096
#define SLICE_TEXTS 256
#define TEXT_STEPS 4

static void lower_walk(struct lowering *lo, unsigned texts, const struct expr *e)
{
	struct loc at = expr_start(e);
	struct ir_op *op = lower_op(lo, IR_WALK);

	op->n = texts * TEXT_STEPS;
	set_near(op, token_at(at), at);
}

void lower_text(struct lowering *lo, const struct expr *e)
{
	if (++lo->texts % SLICE_TEXTS == 0)
		lower_walk(lo, SLICE_TEXTS, e);
}

unsigned note_expression(struct lowering *lo, struct expr *e)
{
	struct noted n = { 0 };

	if (e)
		walk_expr(&e, note_node, &n);
	/* a single assignment at the top changes its target last */
	lo->assigns = n.assigns > (e && (e->kind == E_ASSIGN || e->kind == E_INCDEC));
	lo->effects = lo->assigns || n.calls;
	lo->texts = 0;
	return n.texts;
}

struct ir_block *begin_statement(struct lowering *lo, struct expr *e, struct ir_operand result)
{
	unsigned texts = note_expression(lo, e);
	struct ir_block *outer = enter(lo, lower_into(lo, IR_STATEMENT, result), 0);

	if (texts % SLICE_TEXTS > (session_maxstring(lo->s) > LONG_TEXT ? 0 : FEW_TEXTS))
		lower_walk(lo, texts % SLICE_TEXTS, e);
	return outer;
}

struct ir_block *begin_value(struct lowering *lo, struct expr *e)
{
	struct ir_block *outer = begin_statement(lo, e, absent());

	if (e->kind == E_ASSIGN)
		lo->assigns = lo->effects = true;
	return outer;
}

static void lower_effect_alone(struct lowering *lo, struct expr *e)
{
	struct ir_block *outer = begin_statement(lo, e, absent());

	lower_effect(lo, e);
	lo->at = outer;
}

struct ir_operand lower_condition(struct lowering *lo, struct expr *e)
{
	struct ir_operand t = new_value(lo, IR_WORD);
	struct ir_block *outer = begin_statement(lo, e, t);
	struct ir_operand value = lower_expr(lo, e);

	add_arg(lower_into(lo, IR_COPY, t), value);
	lo->at = outer;
	return t;
}

/* Counts the statements that a block runs itself; nested blocks count their own. */
static unsigned count_statements(const struct stmt *s)
{
	unsigned n = 0;

	if (s->kind != S_BLOCK)
		return s->kind != S_EMPTY;
	for (size_t i = 0; i < s->body.n; i++)
		n += s->body.v[i]->kind != S_EMPTY && s->body.v[i]->kind != S_BLOCK;
	return n;
}

/* Returns the first of the statements that a block runs itself. */
static const struct stmt *first_statement(const struct stmt *s)
{
	for (size_t i = 0; i < s->body.n; i++)
		if (s->body.v[i]->kind != S_EMPTY && s->body.v[i]->kind != S_BLOCK)
			return s->body.v[i];
	return s;
}

void lower_step(struct lowering *lo, unsigned n, const struct stmt *first)
{
	struct loc at = first->kind == S_EXPR ? expr_start(first->expr) : first->loc;
	struct ir_op *op = lower_op(lo, IR_STEP);

	op->n = n;
	set_near(op, token_at(at), at);
}

void lower_round(struct lowering *lo, const struct stmt *body)
{
	if (body->kind != S_BLOCK || !count_statements(body))
		lower_step(lo, 1, body);
}

/* Lowers a statement that is a block of its own, counted against the budget. */
static void lower_body(struct lowering *lo, struct stmt *s)
{
	if (s->kind != S_BLOCK)
		lower_step(lo, 1, s);
	lower_stmt(lo, s);
}

static void lower_block(struct lowering *lo, struct stmt *s)
{
	unsigned n = count_statements(s);

	if (n)
		lower_step(lo, n, first_statement(s));
	for (size_t i = 0; i < s->body.n; i++)
		lower_stmt(lo, s->body.v[i]);
}

void lower_branches(struct lowering *lo, struct stmt *s,
		    void (*body)(struct lowering *, struct stmt *))
{
	struct ir_operand condition = lower_condition(lo, s->expr);
	unsigned long long called = lo->called;
	struct ir_op *op = lower_op(lo, IR_IF);
	struct ir_block *outer = enter(lo, op, 0);

	add_arg(op, condition);
	body(lo, s->then);
	lo->called = called;
	if (s->els) {
		enter(lo, op, 1);
		body(lo, s->els);
	}
	lo->at = outer;
	lo->called = called;
}

/* ---- leaving ----------------------------------------------------------- */

static void lower_return(struct lowering *lo, struct stmt *s)
{
	struct ir_block *outer;
	struct ir_operand value;

	if (!s->expr) {
		lower_op(lo, IR_RETURN);
		return;
	}
	outer = begin_value(lo, s->expr);
	if (lo->func->type == T_VOID) {
		lower_effect(lo, s->expr);	/* a result without a type */
		lower_op(lo, IR_RETURN);
	} else {
		value = lower_expr(lo, s->expr);
		add_arg(lower_op(lo, IR_RETURN), value);
	}
	lo->at = outer;
}

static void lower_jump(struct lowering *lo, struct stmt *s)
{
	const char *word = s->kind == S_BREAK ? "break" : "continue";

	if (lo->loop)
		lower_op(lo, s->kind == S_BREAK ? IR_BREAK : IR_CONTINUE)->way = lo->loop;
	else
		diag_at(DIAG_SEMANTIC_ERROR, s->loc, "'%s' outside of a loop: keyword '%s'", word,
			word);
}

static void lower_try(struct lowering *lo, struct stmt *s)
{
	const struct ir_op *was_error = lo->on_error;
	unsigned long long called = lo->called;
	struct ir_op *op = lower_op(lo, IR_TRY);
	struct ir_block *outer = enter(lo, op, 0);

	if (s->var)
		add_arg(op, variable_operand(s->var));
	lo->on_error = op;
	lower_body(lo, s->then);
	lo->called = called;
	lo->on_error = was_error;
	enter(lo, op, 1);
	check_error(lo);	/* for errors that can't be caught */
	lower_body(lo, s->els);
	lo->called = called;
	lo->at = outer;
}

static void lower_delete(struct lowering *lo, struct expr *e)
{
	struct ir_block *outer = begin_statement(lo, e, absent());
	struct ir_op *op;
	unsigned any = ~0u;

	if (e->kind == E_INDEX) {
		struct ir_operand keys = lower_keys(lo, e->args.v, e->args.n, &any);

		op = lower_op(lo, IR_DELETE);
		op->n = any;
		add_arg(op, keys);
		access_global(lo, e, any, op);
	} else if (e->var->nkeys > 0) {
		access_global(lo, e, any, lower_op(lo, IR_CLEAR));
	} else if (e->var->type == T_STATS) {
		access_global(lo, e, 0, lower_op(lo, IR_CLEAR_STAT));
	} else {
		lower_store(lo, e->var, e->var->type == T_STRING ? literal("") : number(0));
	}
	lo->at = outer;
}

/* ---- all --------------------------------------------------------------- */

static void lower_embedded(struct lowering *lo, const struct embedded *e)
{
	struct ir_op *op = lower_op(lo, IR_FOREIGN);

	op->text = e->code;
	op->foreign = foreign_of(e);
	check_error(lo);
}

void lower_stmt(struct lowering *lo, struct stmt *s)
{
	switch (s->kind) {
	case S_BLOCK:
		lower_block(lo, s);
		break;
	case S_EXPR:
		lower_effect_alone(lo, s->expr);
		break;
	case S_IF:
		lower_branches(lo, s, lower_body);
		break;
	case S_LOOP: case S_FOREACH:
		lower_loop(lo, s);
		break;
	case S_RETURN:
		lower_return(lo, s);
		break;
	case S_DELETE:
		lower_delete(lo, s->expr);
		break;
	case S_NEXT:
		lower_op(lo, IR_NEXT);
		break;
	case S_BREAK:
	case S_CONTINUE:
		lower_jump(lo, s);
		break;
	case S_TRY:
		lower_try(lo, s);
		break;
	case S_EMBEDDED:
		lower_embedded(lo, s->embedded);
		break;
	case S_EMPTY:
		break;
	}
}
