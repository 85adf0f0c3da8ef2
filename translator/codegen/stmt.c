// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statements.
 *
 * A block's statements are counted against the budget at its start, so a loop
 * pays once per round.  Strings of a statement are in scratch above 'frame' and
 * are freed behind it.  A jump out of a foreach must end its iterator: 'break'
 * and errors jump to labels of the loop that do, 'return' and 'next' end each
 * open one.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"

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

/* Returns where an expression begins; its own position is that of its operator. */
static struct loc expr_start(const struct expr *e)
{
	while (e->kind == E_ASSIGN || e->kind == E_BINARY || e->kind == E_TERNARY ||
	       e->kind == E_REGEX || (e->kind == E_INCDEC && !e->prefix))
		e = e->a;
	return e->loc;
}

/* What an expression does. */
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
 * A thousand statements run between two looks at the clock.  Each of a few strings takes some
 * hundred microseconds then, unless they may be long; hundreds in each statement take seconds.  So
 * those of a statement with more than a few, and all long ones, count as steps (ST_WALK_SLICE of the
 * runtime): 64 KB are looked at in some microseconds, so a slice of 256 strings takes a millisecond
 * or two.  Of 600 strings, 88 are counted before the statement, and 256 as it gets to the 256th and
 * to the 512th.
 */
#define FEW_TEXTS 3
#define LONG_TEXT 4096
#define SLICE_TEXTS 256
#define TEXT_STEPS 4

static void gen_walk(struct gen *g, unsigned texts, const struct expr *e)
{
	struct loc at = expr_start(e);

	gen_line(g, "ST_WALK(c, %u, %s, %s);", texts * TEXT_STEPS, near_string(g, token_at(at), at),
		 g->on_error);
}

void gen_text(struct gen *g, const struct expr *e)
{
	if (++g->texts % SLICE_TEXTS == 0)
		gen_walk(g, SLICE_TEXTS, e);
}

unsigned note_expression(struct gen *g, struct expr *e)
{
	struct noted n = { 0 };

	if (e)
		walk_expr(&e, note_node, &n);
	/* a single assignment at the top changes its target last */
	g->assigns = n.assigns > (e && (e->kind == E_ASSIGN || e->kind == E_INCDEC));
	g->effects = g->assigns || n.calls;
	g->texts = 0;
	return n.texts;
}

/* So many globals may fill a frame, if the compiler keeps their values from statement to statement. */
enum { MANY_GLOBALS = 32 };

void begin_statement(struct gen *g, struct expr *e)
{
	unsigned texts = note_expression(g, e);

	g->scratch_ops = 0;
	gen_line(g, "{");
	g->indent++;
	if (g->prog->globals.n > MANY_GLOBALS)
		gen_line(g, "ST_SETTLE();");
	if (texts % SLICE_TEXTS > (session_maxstring(g->s) > LONG_TEXT ? 0 : FEW_TEXTS))
		gen_walk(g, texts % SLICE_TEXTS, e);
}

static void note_scratch(struct gen *g)
{
	if (g->scratch_ops > g->max_scratch_ops)
		g->max_scratch_ops = g->scratch_ops;
}

/* Frees the strings that the statement has made. */
static void free_strings(struct gen *g)
{
	if (g->scratch_ops)
		gen_line(g, "c->sp = frame;");
	note_scratch(g);
	g->scratch_ops = 0;
}

void end_statement(struct gen *g)
{
	free_strings(g);
	g->indent--;
	gen_line(g, "}");
}

/* Generates a condition; its strings are freed before the operand is used. */
static const char *gen_condition(struct gen *g, struct expr *e)
{
	const char *t = gen_temp(g);

	gen_line(g, "st_long %s;", t);
	begin_statement(g, e);
	gen_line(g, "%s = %s;", t, gen_expr(g, e));
	end_statement(g);
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

/* Returns the first of these. */
static const struct stmt *first_statement(const struct stmt *s)
{
	for (size_t i = 0; i < s->body.n; i++)
		if (s->body.v[i]->kind != S_EMPTY && s->body.v[i]->kind != S_BLOCK)
			return s->body.v[i];
	return s;
}

void gen_step(struct gen *g, unsigned n, const struct stmt *first)
{
	struct loc at = first->kind == S_EXPR ? expr_start(first->expr) : first->loc;

	gen_line(g, "ST_STEP(c, %u, %s, %s);", n, near_string(g, token_at(at), at), g->on_error);
}

/* Counts a round of a loop whose body doesn't count itself. */
static void gen_round(struct gen *g, const struct stmt *body)
{
	if (body->kind != S_BLOCK || !count_statements(body))
		gen_step(g, 1, body);
}

/* Generates a statement in braces of its own, counted against the budget. */
static void gen_body(struct gen *g, struct stmt *s)
{
	if (s->kind != S_BLOCK)
		gen_step(g, 1, s);
	gen_stmt(g, s);
}

static void gen_block(struct gen *g, struct stmt *s)
{
	unsigned n = count_statements(s);

	if (n)
		gen_step(g, n, first_statement(s));
	for (size_t i = 0; i < s->body.n; i++)
		gen_stmt(g, s->body.v[i]);
}

void gen_branches(struct gen *g, struct stmt *s, void (*body)(struct gen *, struct stmt *))
{
	const char *cond = gen_condition(g, s->expr);
	unsigned long long called = g->called;

	gen_line(g, "if (%s) {", cond);
	g->indent++;
	body(g, s->then);
	g->indent--;
	g->called = called;
	if (s->els) {
		gen_line(g, "} else {");
		g->indent++;
		body(g, s->els);
		g->indent--;
	}
	gen_line(g, "}");
	g->called = called;
}

static void gen_loop(struct gen *g, struct stmt *s)
{
	const char *was_break = g->on_break, *was_continue = g->on_continue;
	size_t was_iters = g->loop_iters;
	unsigned label = g->labels++;

	g->on_break = gen_label("break", label);
	g->on_continue = gen_label("continue", label);
	g->loop_iters = g->iters.n;
	if (s->init) {
		begin_statement(g, s->init);
		gen_effect(g, s->init);
		end_statement(g);
	}
	gen_line(g, "for (;;) {");
	g->indent++;
	if (s->expr) {
		const char *more = gen_condition(g, s->expr);

		gen_line(g, "if (!%s) break;", more);
	}
	gen_round(g, s->then);
	gen_stmt(g, s->then);
	gen_line(g, "%s: __attribute__((unused));", g->on_continue);
	if (s->step) {
		begin_statement(g, s->step);
		gen_effect(g, s->step);
		end_statement(g);
	}
	g->indent--;
	gen_line(g, "}");
	gen_line(g, "%s: __attribute__((unused));", g->on_break);
	g->on_break = was_break;
	g->on_continue = was_continue;
	g->loop_iters = was_iters;
}

/* ---- foreach ----------------------------------------------------------- */

/*
 * Generates a slice's keys as values of their own: the iterator looks at them each round,
 * and the loop's body may change the variables that they come from.
 */
static const char *gen_slice(struct gen *g, struct foreach *f, unsigned *any)
{
	if (!f->slice.n)
		return "0";
	g->assigns = g->effects = true;
	return gen_keys(g, f->slice.v, f->slice.n, any);
}

/* A negative limit means 0. */
static const char *gen_limit(struct gen *g, struct foreach *f)
{
	const char *limit, *t;

	if (!f->limit)
		return "-1";
	note_expression(g, f->limit);
	limit = gen_expr(g, f->limit);
	t = gen_temp(g);
	gen_line(g, "st_long %s = %s < 0 ? 0 : %s;", t, limit, limit);
	return t;
}

static const char *gen_order(struct gen *g, struct foreach *f, unsigned label)
{
	static const char *const ops[] = {
		[STAT_COUNT] = "ST_COUNT", [STAT_SUM] = "ST_SUM", [STAT_MIN] = "ST_MIN",
		[STAT_MAX] = "ST_MAX", [STAT_AVG] = "ST_AVG", [STAT_VARIANCE] = "ST_VARIANCE",
	};
	const char *limit = gen_limit(g, f), *t = arena_printf("order%u", label);
	const char *stat = f->sort_stat < STAT_HIST_LOG ? ops[f->sort_stat] : "ST_COUNT";

	gen_line(g, "const struct st_order %s = { %d, %d, %s, %u, %s };", t, f->sort_by,
	     f->descending, stat, f->sorter, limit);
	return t;
}

/* A loop variable that nothing reads is not declared. */
static void gen_loop_var(struct gen *g, const struct expr *key, const char *value)
{
	if (key->var->used)
		gen_store_var(g, key->var, value);
}

static void gen_foreach_vars(struct gen *g, struct foreach *f, const char *it)
{
	for (size_t i = 0; i < f->keys.n; i++) {
		bool string = f->keys.v[i]->type == T_STRING;

		gen_loop_var(g, f->keys.v[i], arena_printf("st_iter_key%s(&%s, %zu)",
							    string ? "_str" : "", it, i));
	}
	if (f->value)
		gen_loop_var(g, f->value, arena_printf("st_iter_value%s(&%s)",
						       f->value->type == T_STRING ? "_str" : "", it));
}

/* foreach over a histogram: the key is the bucket's number. */
static void gen_foreach_bucket(struct gen *g, struct stmt *s)
{
	struct foreach *f = s->foreach;
	const char *was_break = g->on_break, *was_continue = g->on_continue;
	const char *stat, *decl = global_name(f->hist->a->var), *i = gen_temp(g), *limit;
	size_t was_iters = g->loop_iters;
	unsigned label = g->labels++;

	begin_statement(g, f->hist->a);
	stat = gen_stat(g, f->hist->a);
	limit = gen_limit(g, f);
	g->on_break = gen_label("break", label);
	g->on_continue = gen_label("continue", label);
	g->loop_iters = g->iters.n;
	free_strings(g);
	gen_line(g, "unsigned int %s; st_long %s_left = %s;", i, i, limit);
	gen_line(g, "for (%s = 0; %s < st_hist_buckets(&%s_decl) && %s_left--; %s++) {", i, i, decl, i,
	     i);
	g->indent++;
	gen_loop_var(g, f->keys.v[0], i);
	if (f->value)
		gen_loop_var(g, f->value,
			     arena_printf("st_hist_bucket(%s, %s)", stat, i));
	gen_step(g, 1, s->then);
	gen_stmt(g, s->then);
	gen_line(g, "%s: __attribute__((unused));", g->on_continue);
	g->indent--;
	gen_line(g, "}");
	gen_line(g, "%s: __attribute__((unused));", g->on_break);
	g->on_break = was_break;
	g->on_continue = was_continue;
	g->loop_iters = was_iters;
	end_statement(g);
}

static void gen_foreach(struct gen *g, struct stmt *s)
{
	struct foreach *f = s->foreach;
	const char *was_break = g->on_break, *was_continue = g->on_continue;
	const char *was_error = g->on_error;
	size_t was_iters = g->loop_iters;
	unsigned label = g->labels++;
	const char *it = arena_printf("it%u", label), *keys, *order;
	unsigned any = ~0u;

	begin_statement(g, NULL);
	keys = gen_slice(g, f, &any);
	order = gen_order(g, f, label);
	gen_line(g, "struct st_iter %s;", it);
	set_near(g, arena_printf("identifier '%s'", f->array), f->array_loc);
	gen_line(g, "st_iter_begin(c, &%s, %s, &%s, %s, %#x);", it, global_name(f->var), order, keys,
	     any);
	g->on_error = gen_label("failed", label);
	check_error(g);
	g->on_break = gen_label("break", label);
	g->on_continue = gen_label("continue", label);
	vec_push(&g->iters, it);
	g->loop_iters = g->iters.n;

	gen_line(g, "while (st_iter_next(c, &%s)) {", it);
	g->indent++;
	/* a slice's keys may be in scratch, which must last until the loop ends */
	unsigned held = g->scratch_ops;

	if (held)
		gen_line(g, "char *frame = c->sp;");
	gen_foreach_vars(g, f, it);
	gen_round(g, s->then);
	gen_stmt(g, s->then);
	gen_line(g, "%s: __attribute__((unused));", g->on_continue);
	g->indent--;
	gen_line(g, "}");
	if (f->slice.n) {
		set_near(g, arena_printf("identifier '%s'", f->array), f->array_loc);
		check_error(g);
	}
	gen_line(g, "%s: __attribute__((unused));", g->on_break);
	gen_line(g, "st_iter_end(&%s);", it);
	gen_line(g, "if (0) {");
	gen_line(g, "%s: __attribute__((unused));", g->on_error);
	gen_line(g, "\tst_iter_end(&%s);", it);
	gen_line(g, "\tgoto %s;", was_error);
	gen_line(g, "}");

	g->iters.n--;
	g->on_break = was_break;
	g->on_continue = was_continue;
	g->on_error = was_error;
	g->loop_iters = was_iters;
	g->max_scratch_ops += held;
	g->scratch_ops = held;
	end_statement(g);
}

/* ---- leaving ----------------------------------------------------------- */

/* Ends the iterators opened after the first KEPT. */
static void end_iters(struct gen *g, size_t kept)
{
	for (size_t i = g->iters.n; i > kept; i--)
		gen_line(g, "st_iter_end(&%s);", g->iters.v[i - 1]);
}

static void leave(struct gen *g)
{
	end_iters(g, 0);
	gen_line(g, "goto out;");
}

static void gen_return(struct gen *g, struct stmt *s)
{
	if (!s->expr) {
		leave(g);
		return;
	}
	begin_statement(g, s->expr);
	if (g->func->type == T_VOID)
		gen_effect(g, s->expr);		/* a result without a type */
	else
		gen_line(g, "ret = %s;", gen_expr(g, s->expr));
	leave(g);
	note_scratch(g);
	g->indent--;
	gen_line(g, "}");
}

static void gen_next(struct gen *g)
{
	if (g->func)
		gen_line(g, "c->by_next = 1;");
	leave(g);
}

static void gen_jump(struct gen *g, struct stmt *s)
{
	const char *label = s->kind == S_BREAK ? g->on_break : g->on_continue;

	if (!label) {
		diag_at(DIAG_SEMANTIC_ERROR, s->loc, "'%s' outside of a loop: keyword '%s'",
			s->kind == S_BREAK ? "break" : "continue",
			s->kind == S_BREAK ? "break" : "continue");
		return;
	}
	end_iters(g, g->loop_iters);
	gen_line(g, "goto %s;", label);
}

static void gen_try(struct gen *g, struct stmt *s)
{
	const char *was_error = g->on_error;
	unsigned label = g->labels++;
	const char *caught = gen_label("catch", label), *done = gen_label("done", label);
	unsigned long long called = g->called;

	g->on_error = caught;
	gen_line(g, "{");
	g->indent++;
	gen_body(g, s->then);
	g->indent--;
	gen_line(g, "}");
	g->called = called;
	g->on_error = was_error;
	gen_line(g, "goto %s;", done);
	gen_line(g, "%s: __attribute__((unused));", caught);
	if (!s->var)
		gen_line(g, "st_catch(c, 0);");
	else if (s->var->is_global)
		gen_line(g, "st_catch(c, &%s);", global_name(s->var));
	else
		gen_line(g, "st_catch(c, &%s);", local_name(s->var));
	gen_line(g, "c->sp = frame;");
	gen_line(g, "{");
	g->indent++;
	check_error(g);
	gen_body(g, s->els);
	g->indent--;
	gen_line(g, "}");
	g->called = called;
	gen_line(g, "%s: __attribute__((unused));", done);
}

static void gen_delete(struct gen *g, struct expr *e)
{
	const char *name = global_name(e->var);
	unsigned any;

	begin_statement(g, e);
	if (e->kind == E_INDEX) {
		const char *k = gen_keys(g, e->args.v, e->args.n, &any);

		gen_access(g, e, any, arena_printf("st_map_delete(c, %s, %s, %#x);", name, k, any));
	} else if (e->var->nkeys > 0) {
		gen_access(g, e, ~0u, arena_printf("st_map_clear(c, %s);", name));
	} else if (e->var->type == T_STATS) {
		gen_access(g, e, 0, arena_printf("st_agg_clear(c, %s);", name));
	} else {
		gen_store_var(g, e->var, e->var->type == T_STRING ? "ST_LIT(\"\")" : "0LL");
	}
	end_statement(g);
}

/* Makes the loop's stable calls before it. */
static void gen_any_loop(struct gen *g, struct stmt *s)
{
	if (g->memos.n) {
		begin_statement(g, NULL);
		gen_memos_of(g, s);
		end_statement(g);
	}
	if (s->kind == S_LOOP)
		gen_loop(g, s);
	else if (s->foreach->hist)
		gen_foreach_bucket(g, s);
	else
		gen_foreach(g, s);
}

void gen_stmt(struct gen *g, struct stmt *s)
{
	switch (s->kind) {
	case S_BLOCK:
		gen_block(g, s);
		break;
	case S_EXPR:
		begin_statement(g, s->expr);
		gen_effect(g, s->expr);
		end_statement(g);
		break;
	case S_IF:
		gen_branches(g, s, gen_body);
		break;
	case S_LOOP: case S_FOREACH:
		gen_any_loop(g, s);
		break;
	case S_RETURN:
		gen_return(g, s);
		break;
	case S_DELETE:
		gen_delete(g, s->expr);
		break;
	case S_NEXT:
		gen_next(g);
		break;
	case S_BREAK:
	case S_CONTINUE:
		gen_jump(g, s);
		break;
	case S_TRY:
		gen_try(g, s);
		break;
	case S_EMBEDDED:
		gen_embedded_stmt(g, s->embedded);
		break;
	case S_EMPTY:
		break;
	}
}
