// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds reads and writes of variables.
 *
 * An increment, '+=' or '<<<' whose own value is unused only adds.  It doesn't
 * count as reading, and a global that is only added to can be kept per CPU
 * (locks.c).
 */
#include "uses.h"
#include "walk.h"

struct finder {
	use_fn fn;
	void *arg;
};

static void find_in_expr(struct finder *f, struct expr *e, bool value_used);

static void find_child(struct expr **slot, void *arg)
{
	if (*slot)
		find_in_expr(arg, *slot, true);
}

static void report(struct finder *f, struct variable *v, unsigned how, const struct expr *e)
{
	if (v)
		f->fn(v, how, e, f->arg);
}

/* Finds uses in the target of an assignment, which is written, and whose keys are read. */
static void find_in_target(struct finder *f, struct expr *target, unsigned how)
{
	if (target->kind != E_SYMBOL && target->kind != E_INDEX) {
		find_in_expr(f, target, true);
		return;
	}
	expr_children(target, find_child, f);
	report(f, target->var, how, target);
}

/*
 * Embedded C names the globals it touches in pragmas; a written one may be set
 * to anything.
 */
static void find_in_embedded(struct finder *f, const struct embedded *em)
{
	for (size_t i = 0; i < em->read_vars.n; i++)
		report(f, em->read_vars.v[i], USE_READ, NULL);
	for (size_t i = 0; i < em->write_vars.n; i++)
		report(f, em->write_vars.v[i], USE_WRITE | USE_SET, NULL);
}

static unsigned assign_use(const struct expr *e, bool value_used)
{
	if (e->op == OP_NONE)
		return USE_WRITE | USE_SET;
	if (!value_used && (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_STAT))
		return USE_ADD;
	return USE_WRITE | USE_SET | (value_used ? USE_READ : 0);
}

static void find_in_expr(struct finder *f, struct expr *e, bool value_used)
{
	switch (e->kind) {
	case E_ASSIGN:
		find_in_target(f, e->a, assign_use(e, value_used));
		find_in_expr(f, e->b, true);
		break;
	case E_INCDEC:
		find_in_target(f, e->a, value_used ? USE_READ | USE_WRITE | USE_SET : USE_ADD);
		break;
	case E_SYMBOL:
		report(f, e->var, USE_READ, e);
		break;
	case E_INDEX:
	case E_IN:
		expr_children(e, find_child, f);
		report(f, e->var, USE_READ, e);
		break;
	case E_EMBEDDED:
		find_in_embedded(f, e->embedded);
		break;
	default:
		expr_children(e, find_child, f);
	}
}

static void find_in_stmt(struct finder *f, struct stmt *s);

static void find_sub(struct stmt **slot, void *arg)
{
	if (*slot)
		find_in_stmt(arg, *slot);
}

static void find_void(struct expr **slot, void *arg)
{
	if (*slot)
		find_in_expr(arg, *slot, false);
}

static void find_none(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void find_in_foreach(struct finder *f, struct stmt *s)
{
	struct foreach *fe = s->foreach;

	for (size_t i = 0; i < fe->keys.n; i++)
		report(f, fe->keys.v[i]->var, USE_WRITE | USE_SET, fe->keys.v[i]);
	if (fe->value)
		report(f, fe->value->var, USE_WRITE | USE_SET, fe->value);
	for (size_t i = 0; i < fe->slice.n; i++)
		find_child(&fe->slice.v[i], f);
	find_child(&fe->limit, f);
	if (fe->hist)
		find_in_expr(f, fe->hist, true);
	report(f, fe->var, USE_READ | (fe->sort_by ? USE_SORT : 0), NULL);
}

/* Visits the statement's own expressions, but not the statements in it. */
static void find_in_own(struct finder *f, struct stmt *s)
{
	switch (s->kind) {
	case S_EXPR:
		find_in_expr(f, s->expr, false);
		break;
	case S_LOOP:
		find_void(&s->init, f);
		find_child(&s->expr, f);
		find_void(&s->step, f);
		break;
	case S_FOREACH:
		find_in_foreach(f, s);
		break;
	case S_DELETE:
		expr_children(s->expr, find_child, f);
		report(f, s->expr->var, USE_WRITE | (s->expr->kind == E_SYMBOL ? USE_CLEAR : 0),
		       s->expr);
		break;
	case S_TRY:
		report(f, s->var, USE_WRITE | USE_SET, NULL);
		break;
	case S_EMBEDDED:
		find_in_embedded(f, s->embedded);
		break;
	default:
		find_child(&s->expr, f);
	}
}

static void find_in_stmt(struct finder *f, struct stmt *s)
{
	find_in_own(f, s);
	stmt_children(s, find_none, find_sub, f);
}

void find_uses(struct stmt *s, use_fn fn, void *arg)
{
	struct finder f = { fn, arg };

	if (s)
		find_in_stmt(&f, s);
}

void find_function_uses(struct function *f, use_fn fn, void *arg)
{
	struct finder finder = { fn, arg };

	if (f->embedded)
		find_in_embedded(&finder, f->embedded);
	else if (f->body)
		find_in_stmt(&finder, f->body);
}

void find_own_uses(struct stmt *s, use_fn fn, void *arg)
{
	struct finder f = { fn, arg };

	find_in_own(&f, s);
}

void find_expr_uses(struct expr *e, use_fn fn, void *arg)
{
	struct finder f = { fn, arg };

	if (e)
		find_in_expr(&f, e, true);
}

void find_void_uses(struct expr *e, use_fn fn, void *arg)
{
	struct finder f = { fn, arg };

	if (e)
		find_in_expr(&f, e, false);
}

static void mark(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	(void)e, (void)arg;
	v->is_read |= (how & USE_READ) != 0;
	v->is_written |= (how & (USE_WRITE | USE_ADD)) != 0;
}

static void forget(struct variable *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i]->is_read = v[i]->is_written = false;
}

static void forget_all(struct program *prog)
{
	forget(prog->globals.v, prog->globals.n);
	for (size_t i = 0; i < prog->functions.n; i++) {
		forget(prog->functions.v[i]->params.v, prog->functions.v[i]->params.n);
		forget(prog->functions.v[i]->locals.v, prog->functions.v[i]->locals.n);
	}
	for (size_t i = 0; i < prog->probes.n; i++)
		forget(prog->probes.v[i]->locals.v, prog->probes.v[i]->locals.n);
}

void mark_uses(struct program *prog)
{
	forget_all(prog);
	for (size_t i = 0; i < prog->functions.n; i++)
		find_function_uses(prog->functions.v[i], mark, NULL);
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		find_uses(p->body, mark, NULL);
		find_expr_uses(p->condition, mark, NULL);
		for (size_t j = 0; j < p->saved.n; j++)
			find_expr_uses(p->saved.v[j]->expr, mark, NULL);
	}
}

/* ---- calls ---- */

struct callees {
	void (*fn)(struct function *, void *);
	void *arg;
};

static void find_call(struct expr **slot, void *arg)
{
	struct callees *c = arg;

	if ((*slot)->kind == E_CALL)
		for (struct function *f = (*slot)->func; f; f = f->next_overload)
			c->fn(f, c->arg);
}

void find_calls(struct stmt *s, void (*fn)(struct function *, void *), void *arg)
{
	struct callees c = { fn, arg };

	walk_stmt(s, find_call, &c);
}

void find_expr_calls(struct expr *e, void (*fn)(struct function *, void *), void *arg)
{
	struct callees c = { fn, arg };

	walk_expr(&e, find_call, &c);
}
