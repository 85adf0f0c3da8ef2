// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Brings user memory in before a handler takes its locks.
 *
 * A handler of a place in a program waits for memory that isn't resident, but not with
 * locks held: interrupts are off then.  So what statements under locks will read of
 * user memory is evaluated once before, for nothing but the wait.  In
 *
 *	probe process("a.out").function("f") { if (!seen[$id]++) last = user_string($name) }
 *
 * where both globals are locked, user_string($name) is evaluated ahead of the locks; its
 * value and its error, if any, are forgotten, and it is evaluated again in its place.
 *
 * Only an expression can be evaluated ahead that has no effects, and depends on nothing
 * that the statements under the locks change: on no globals, and on no locals that they
 * write.  One that can't be, and reads memory that isn't resident, is a script error.
 */
#include "base/arena.h"
#include "probes/family.h"
#include "program/uses.h"
#include "lowering.h"

typedef vec(struct expr *) expr_list;

struct toucher {
	struct stmt *const *stmts;	/* under the locks */
	size_t n;
	bool movable;			/* the expression looked at can be evaluated ahead */
	bool reads;			/* it reads user memory */
	vec(const struct function *) seen;	/* functions that it calls, directly or not */
	expr_list found;
};

static void look_at(struct toucher *t, struct expr *e);

static void look_at_child(struct expr **slot, void *arg)
{
	if (*slot)
		look_at(arg, *slot);
}

static void look_at_term(const struct term *term, void *arg)
{
	struct toucher *t = arg;

	t->reads |= term->kind == TERM_READ && term->user;
}

/* ---- functions --------------------------------------------------------- */

static void refuse_global(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct toucher *t = arg;

	(void)how, (void)e;
	t->movable &= !v->is_global;
}

static void look_at_read(struct expr **slot, void *arg)
{
	struct toucher *t = arg;
	const struct expr *e = *slot;

	if (e->kind == E_TARGET && e->access)
		term_walk(e->access->fetch.load, look_at_term, t);
	t->reads |= e->kind == E_DEREF && e->user;
}

static void look_at_function(struct function *f, void *arg)
{
	struct toucher *t = arg;

	if (f->effect[1] != EFFECT_NONE || !t->movable) {
		t->movable = false;
		return;
	}
	for (size_t i = 0; i < t->seen.n; i++)
		if (t->seen.v[i] == f)
			return;
	vec_push(&t->seen, f);
	find_function_uses(f, refuse_global, t);
	if (!f->body) {
		t->reads |= function_is(f, FN_USER);
		return;
	}
	walk_stmt(f->body, look_at_read, t);
	find_calls(f->body, look_at_function, t);
}

/* ---- expressions ------------------------------------------------------- */

struct writes {
	const struct variable *of;
	bool found;
};

static void find_write(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct writes *w = arg;

	(void)e;
	w->found |= v == w->of && how != USE_READ;
}

static bool changes(const struct toucher *t, const struct variable *v)
{
	struct writes w = { .of = v };

	for (size_t i = 0; i < t->n; i++)
		find_uses(t->stmts[i], find_write, &w);
	return v->is_global || w.found;
}

static void look_at(struct toucher *t, struct expr *e)
{
	switch (e->kind) {
	case E_NUM: case E_STR: case E_UNARY: case E_BINARY: case E_TERNARY:
		break;
	case E_SYMBOL:
		t->movable &= !changes(t, e->var);
		break;
	case E_TARGET:
		t->movable &= e->access != NULL;
		look_at_read(&e, t);
		break;
	case E_DEREF:
		look_at_read(&e, t);
		break;
	case E_CALL:
		for (struct function *f = e->func; f; f = f->next_overload)
			look_at_function(f, t);
		break;
	default:
		t->movable = false;
	}
	if (t->movable)
		expr_children(e, look_at_child, t);
}

static void collect(struct expr **slot, void *arg)
{
	struct toucher *t = arg;

	if (!*slot || (*slot)->kind == E_ENTRY)
		return;
	t->movable = true;
	t->reads = false;
	t->seen.n = 0;
	look_at(t, *slot);
	if (t->movable && t->reads)
		vec_push(&t->found, *slot);
	else if (!t->movable)
		expr_children(*slot, collect, t);
}

static void collect_stmt(struct stmt **slot, void *arg)
{
	if (*slot)
		stmt_children(*slot, collect, collect_stmt, arg);
}

/* ---- operations -------------------------------------------------------------- */

static void lower_touch(struct lowering *lo, struct expr *e)
{
	const struct ir_op *was_error = lo->on_error;
	unsigned long long called = lo->called;
	struct ir_op *op = lower_op(lo, IR_TOUCH);
	struct ir_block *outer = enter(lo, op, 0);

	lo->on_error = op;
	note_expression(lo, e);
	lower_expr(lo, e);
	lo->at = outer;
	lo->on_error = was_error;
	lo->called = called;
	check_error(lo);
}

/*
 * Evaluates expressions ahead.  That costs the script no statements, but takes no more than the
 * handler has left; if that runs out, the rest is not brought in.
 */
static void lower_all_touches(struct lowering *lo, const expr_list *found)
{
	const struct ir_op *was_error = lo->on_error;
	struct ir_op *op = lower_op(lo, IR_AHEAD);
	struct ir_block *outer = enter(lo, op, 0);

	lo->on_error = op;
	for (size_t i = 0; i < found->n; i++)
		lower_touch(lo, found->v[i]);
	lo->at = outer;
	lo->on_error = was_error;
	check_error(lo);
}

void lower_touches(struct lowering *lo, struct stmt *const *stmts, size_t n)
{
	struct toucher t = { .stmts = stmts, .n = n };

	if (!lo->probe->family->waits)
		return;
	for (size_t i = 0; i < n; i++) {
		struct stmt *s = stmts[i];

		collect_stmt(&s, &t);
	}
	if (t.found.n)
		lower_all_touches(lo, &t.found);
}
