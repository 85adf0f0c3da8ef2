// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls stable functions once.
 *
 * A function without parameters that is marked pure and stable has one value
 * during a run of a handler.  If a body calls it more than once, or in a loop,
 * the first call's value is kept in a variable.
 *
 * Code is generated in the order of execution, so the first call generated is
 * the first executed, except in code that may not run: calls inside a branch, a
 * loop or a try are forgotten behind it.  A loop's calls are made before the
 * loop.
 */
#include "base/arena.h"
#include "gen.h"

/* bits of gen.called */
enum { MOST_MEMOS = 16 };

static bool is_stable(const struct expr *e)
{
	const struct function *f = e->kind == E_CALL ? e->func : NULL;

	return f && function_is(f, FN_PURE) && function_is(f, FN_STABLE) && !f->params.n &&
	       !f->nexts && f->type != T_VOID;
}

static unsigned find_memo(const struct gen *g, const struct function *f)
{
	unsigned i = 0;

	while (i < g->memos.n && g->memos.v[i].func != f)
		i++;
	return i;
}

struct counter {
	struct gen *g;
	unsigned each;			/* the number that a call counts as: 2 in loops */
};

static void count_call(struct expr **slot, void *arg)
{
	struct counter *c = arg;
	unsigned i;

	if (!is_stable(*slot))
		return;
	i = find_memo(c->g, (*slot)->func);
	if (i == c->g->memos.n)
		vec_push(&c->g->memos, ((struct memo){ .func = (*slot)->func }));
	c->g->memos.v[i].calls += c->each;
}

static void count_expr(struct expr **slot, void *arg)
{
	walk_expr(slot, count_call, arg);
}

static void count_stmt(struct stmt **slot, void *arg)
{
	const struct counter *c = arg;
	struct counter inside = *c;

	if (!*slot)
		return;
	if ((*slot)->kind == S_LOOP || (*slot)->kind == S_FOREACH)
		inside.each = 2;
	stmt_children(*slot, count_expr, count_stmt, &inside);
}

void find_memos(struct gen *g, struct stmt *body)
{
	struct counter c = { g, 1 };
	size_t kept = 0;

	g->memos.n = 0;
	g->called = 0;
	count_stmt(&body, &c);
	for (size_t i = 0; i < g->memos.n && kept < MOST_MEMOS; i++)
		if (g->memos.v[i].calls > 1)
			g->memos.v[kept++] = g->memos.v[i];
	g->memos.n = kept;
}

unsigned gen_memos(struct gen *g)
{
	unsigned strings = 0;

	for (size_t i = 0; i < g->memos.n; i++) {
		if (g->memos.v[i].func->type != T_STRING) {
			gen_line(g, "st_long m%zu;", i);
			continue;
		}
		strings++;
		gen_line(g, "struct st_strvar m%zu = { ST_LIT(\"\"), st_scratch(c, ST_MAXSTR - 1) };", i);
		check_error(g);
	}
	return strings;
}

const char *gen_memo(struct gen *g, struct expr *e)
{
	unsigned i = find_memo(g, e->func);
	bool string = e->func->type == T_STRING;

	if (i == g->memos.n)
		return NULL;
	if (!(g->called & 1ull << i)) {
		const char *value = gen_plain_call(g, e);

		gen_line(g, string ? "st_assign(&m%u, %s);" : "m%u = %s;", i, value);
		g->called |= 1ull << i;
	}
	return arena_printf(string ? "m%u.s" : "m%u", i);
}

static void call_now(struct expr **slot, void *arg)
{
	if ((*slot)->kind == E_CALL)
		gen_memo(arg, *slot);
}

void gen_memos_of(struct gen *g, struct stmt *loop)
{
	walk_stmt(loop, call_now, g);
}
