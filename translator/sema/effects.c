// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides whether expressions and functions have effects.
 *
 * An effect is anything observable: output, a variable that keeps a new value,
 * and failing.  An expression that may cause a run-time error stays even if its
 * value is unused, because the error can be caught or ends the session.  So a
 * division has no effect only if the divisor is a literal other than 0.  Extracting
 * from a statistic has none only if the operator works on an empty one.  A target
 * variable always has one, because its memory may be unreadable, unless there is
 * no such variable.
 *
 * A function has an effect if its body has one beyond its own locals, or if it
 * may exceed the limits of statements or nesting: if it has loops or recursion.
 * Builtins and embedded C have one unless they are pure.
 *
 * A lasting effect is any except failing.  Unused variables of a tapset alias must neither cost
 * anything nor end the session.
 */
#include "text/format.h"
#include "sema.h"

struct look {
	bool locals_too;		/* assigning to a local is an effect */
	bool lasting;			/* failing is no effect */
	bool found;
};

static void look_at_expr(struct expr **slot, void *arg);
static bool function_effect(struct function *f, bool lasting);

static bool reads_memory(const struct print *p)
{
	const char *fmt = p->format;
	struct st_directive d;

	if (p->kind != PRINT_PRINTF)
		return false;
	while (st_format_next(&fmt, &d))
		if (d.conversion == 'm' || d.conversion == 'M')
			return true;
	return false;
}

static bool divides(enum op op)
{
	return op == OP_DIV || op == OP_MOD;
}

static bool may_divide_by_0(const struct look *l, const struct expr *e)
{
	return !l->lasting && divides(e->op) && !safe_divisor(e->b);
}

static bool call_has_effect(const struct look *l, struct function *f)
{
	for (; f; f = f->next_overload)
		if (function_effect(f, l->lasting))
			return true;
	return false;
}

static bool assigning_is_effect(const struct look *l, const struct expr *e)
{
	const struct variable *v = e->a->kind == E_SYMBOL ? e->a->var : NULL;

	return l->locals_too || !v || v->is_global ||
	       (e->kind == E_ASSIGN && may_divide_by_0(l, e));
}

static bool is_pure(const struct look *l, unsigned traits)
{
	return traits & (l->lasting ? FN_PURE | FN_FALLIBLE : FN_PURE);
}

static bool has_impure_code(const struct look *l, const struct embedded *em)
{
	return !is_pure(l, em->traits) || em->write_vars.n;
}

/* Does the node itself have an effect, its operands aside? */
static bool is_effect(const struct look *l, const struct expr *e)
{
	switch (e->kind) {
	case E_NUM: case E_STR: case E_SYMBOL: case E_INDEX: case E_IN: case E_UNARY:
	case E_TERNARY: case E_CONST: case E_ENTRY: case E_PROBEWRITE:
	case E_PERF: case E_HIST:
		return false;
	case E_BINARY:
		return may_divide_by_0(l, e);
	case E_ASSIGN: case E_INCDEC:
		return assigning_is_effect(l, e);
	case E_CALL:
		return call_has_effect(l, e->func);
	case E_PRINT:
		return !e->print->to_string || (!l->lasting && reads_memory(e->print));
	case E_STAT:
		return !l->lasting && e->stat != STAT_COUNT && e->stat != STAT_SUM;
	case E_TARGET:
		return !l->lasting && !(e->access && !e->access->defined);
	case E_DEREF: case E_REGISTER:
		return !l->lasting;
	case E_EMBEDDED:
		return has_impure_code(l, e->embedded);
	default:
		return true;
	}
}

static void look_at_expr(struct expr **slot, void *arg)
{
	struct look *l = arg;

	if (!*slot || l->found)
		return;
	l->found = is_effect(l, *slot);
	/* evaluated at the function's entry, not here */
	if (!l->found && (*slot)->kind != E_ENTRY)
		expr_children(*slot, look_at_expr, l);
}

bool has_effect(struct expr *e)
{
	struct look l = { .locals_too = true };

	look_at_expr(&e, &l);
	return l.found;
}

bool has_lasting_effect(struct expr *e)
{
	struct look l = { .locals_too = true, .lasting = true };

	look_at_expr(&e, &l);
	return l.found;
}

bool acts_itself(const struct expr *e, bool lasting)
{
	struct look l = { .locals_too = true, .lasting = lasting };

	return is_effect(&l, e);
}

bool assignment_may_fail(const struct expr *e)
{
	return e->kind == E_ASSIGN && divides(e->op) && !safe_divisor(e->b);
}

static void look_at_stmt(struct stmt **slot, void *arg)
{
	struct look *l = arg;

	if (!*slot || l->found)
		return;
	switch ((*slot)->kind) {
	case S_BLOCK: case S_EXPR: case S_IF: case S_RETURN: case S_EMPTY:
		stmt_children(*slot, look_at_expr, look_at_stmt, l);
		break;
	case S_LOOP: case S_FOREACH: case S_BREAK: case S_CONTINUE: case S_TRY:
		l->found = !l->lasting;
		stmt_children(*slot, look_at_expr, look_at_stmt, l);
		break;
	default:
		l->found = true;
	}
}

/* Does calling the function have an effect? */
static bool function_effect(struct function *f, bool lasting)
{
	struct look l = { .lasting = lasting, .found = f->nexts };

	if (f->effect[lasting] == EFFECT_UNKNOWN && !f->body) {
		l.found |= f->builtin ? !is_pure(&l, f->builtin->traits)
				      : has_impure_code(&l, f->embedded);
		f->effect[lasting] = l.found ? EFFECT_SOME : EFFECT_NONE;
	}
	if (f->effect[lasting] == EFFECT_UNKNOWN) {
		/* what a recursive call sees: it may exceed the nesting limit */
		f->effect[lasting] = lasting ? EFFECT_NONE : EFFECT_SOME;
		look_at_stmt(&f->body, &l);
		f->effect[lasting] = l.found ? EFFECT_SOME : EFFECT_NONE;
	}
	return f->effect[lasting] == EFFECT_SOME;
}

void note_effects(struct program *prog)
{
	for (size_t i = 0; i < prog->functions.n; i++)
		for (int lasting = 0; lasting < 2; lasting++)
			function_effect(prog->functions.v[i], lasting);
}
