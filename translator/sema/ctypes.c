// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C types of script values, and paths through them.
 *
 * A number from the probed code has a C type, given by the debug information of
 * $file, or by @cast, @var or &.  It travels with the value, through assignments, array
 * elements and keys, arguments, results, ?: and foreach.  So in
 *
 *	f = $file; println(f->f_mode)
 *
 * f->f_mode is read as $file->f_mode would be.  A number without a type (a
 * literal, a sum, a void pointer) adds nothing; a variable that gets values of
 * two types has none.
 *
 * Types are propagated until nothing changes.  A path has a type itself, so
 * paths are resolved as their types become known.  If a variable turns out to
 * have two types, conclusions from the first are dropped and propagation starts
 * again.  It also starts again when an @defined on such a path is decided,
 * because that may remove code and the types in it.
 */
#include <string.h>

#include "base/arena.h"
#include "probes/variables.h"
#include "sema.h"

struct flow {
	struct session *s;
	struct program *prog;
	struct function *func;		/* whose body this is; NULL in a handler */
	bool changed, conflict;
};

static const struct ctype *flow_expr(struct flow *f, struct expr *e);

/* ---- holders ----------------------------------------------------------- */

static const struct ctype *held(const struct ctyped *c)
{
	return c->other ? NULL : c->is;
}

static void hold(struct flow *f, struct ctyped *c, const struct ctype *t, struct loc at)
{
	if (!t || c->other || c->is == t || ctype_says_nothing(t))
		return;
	if (!c->is) {
		c->is = t;
		c->at = at;
		f->changed = true;
	} else if (!ctype_same(c->is, t)) {
		c->other = t;
		c->other_at = at;
		f->changed = f->conflict = true;
	}
}

static void hold_key(struct flow *f, struct variable *v, size_t i, struct expr *key)
{
	const struct ctype *t = key ? flow_expr(f, key) : NULL;

	if (!t)
		return;
	while (v->key_c.n <= i)
		vec_push(&v->key_c, (struct ctyped){ NULL });
	hold(f, &v->key_c.v[i], t, key->loc);
}

/* Returns the variable or function that holds an expression's value, or NULL. */
static struct ctyped *holder(struct expr *e)
{
	switch (e->kind) {
	case E_SYMBOL:
	case E_INDEX:
		return e->var ? &e->var->c : NULL;
	case E_CALL:
		for (struct function *f = e->func; f; f = f->next_overload)
			if (f->c.other)
				return &f->c;
		return NULL;
	default:
		return NULL;
	}
}

/* ---- paths ------------------------------------------------------------- */

static bool is_auto(const struct expr *e)
{
	return e->kind == E_TARGET && needs_ctype(e->target);
}

/*
 * Joins paths: (f[2])->x becomes f[2]->x, because only the whole path leads to
 * a number.
 */
static void join_paths(struct target_var *tv)
{
	while (tv->value->kind == E_TARGET && tv->value->target->kind == TV_AUTO &&
	       !tv->value->target->address) {
		struct target_var *inner = tv->value->target;
		vec(struct component) path = { 0 };

		if (inner->path.n && inner->path.v[inner->path.n - 1].kind == C_PRETTY)
			return;
		for (size_t i = 0; i < inner->path.n; i++)
			vec_push(&path, inner->path.v[i]);
		for (size_t i = 0; i < tv->path.n; i++)
			vec_push(&path, tv->path.v[i]);
		memcpy(&tv->path, &path, sizeof(path));
		tv->value = inner->value;
	}
}

static int through(struct session *s, struct target_var *tv, const struct ctype *type,
		   struct access *acc, struct fetch *got, struct problem *why)
{
	struct step *steps;
	size_t n;

	if (tv->kind == TV_ENUMNAME)
		return target_enum_name_of(type, got, why);
	n = target_steps(tv, acc, &steps);
	return target_through(s->target, type, steps, n, tv->address, got, why);
}

/* Resolves a path through VALUE's type, or @enumname of it.  Returns NULL with *WHY set. */
static struct access *access_through(struct session *s, struct target_var *tv,
				     const struct ctype *type, struct problem *why)
{
	struct access *acc = arena_new(struct access);
	struct fetch got;

	vec_push(&acc->indexes, tv->value);
	if (through(s, tv, type, acc, &got, why) < 0)
		return NULL;
	access_set_fetch(acc, got);
	return acc;
}

static const struct ctype *flow_target(struct flow *f, struct expr *e)
{
	struct target_var *tv = e->target;
	struct problem why = { 0 };

	if (tv->kind == TV_AUTO)
		join_paths(tv);

	const struct ctype *type = tv->value ? flow_expr(f, tv->value) : NULL;

	for (size_t i = 0; i < tv->path.n; i++)
		if (tv->path.v[i].index)
			flow_expr(f, tv->path.v[i].index);
	if (is_auto(e) && type && !e->access) {
		e->access = access_through(f->s, tv, type, &why);
		if (e->access) {
			e->type = e->access->type;
			f->changed = true;
		}
	}
	return e->access && e->access->type == T_LONG ? e->access->fetch.ctype : NULL;
}

/* ---- expressions ------------------------------------------------------- */

static const struct ctype *flow_call(struct flow *f, struct expr *e)
{
	const struct ctype *result = NULL;

	for (size_t i = 0; i < e->args.n; i++) {
		const struct ctype *t = flow_expr(f, e->args.v[i]);

		for (struct function *fn = e->func; fn; fn = fn->next_overload)
			hold(f, &fn->params.v[i]->c, t, e->args.v[i]->loc);
	}
	for (struct function *fn = e->func; fn; fn = fn->next_overload) {
		const struct ctype *t = held(&fn->c);

		if (fn->c.other || (t && result && !ctype_same(t, result)))
			return NULL;
		result = result ? result : t;
	}
	return result;
}

static const struct ctype *flow_ternary(struct flow *f, struct expr *e)
{
	const struct ctype *b, *c;

	flow_expr(f, e->a);
	b = flow_expr(f, e->b);
	c = flow_expr(f, e->c);
	if (!b || !c)
		return b ? b : c;
	return ctype_same(b, c) ? b : NULL;
}

static const struct ctype *flow_assign(struct flow *f, struct expr *e)
{
	const struct ctype *t = flow_expr(f, e->b);
	struct expr *to = e->a;

	flow_expr(f, to);
	for (size_t i = 0; to->kind == E_INDEX && to->var && i < to->args.n; i++)
		hold_key(f, to->var, i, to->args.v[i]);
	if (e->op != OP_NONE)
		return NULL;
	if (holder(to))
		hold(f, holder(to), t, e->b->loc);
	return t;
}

static void flow_child(struct expr **slot, void *arg)
{
	if (*slot)
		flow_expr(arg, *slot);
}

static const struct ctype *flow_expr(struct flow *f, struct expr *e)
{
	switch (e->kind) {
	case E_TARGET:
		return flow_target(f, e);
	case E_CALL:
		return flow_call(f, e);
	case E_TERNARY:
		return flow_ternary(f, e);
	case E_ASSIGN:
		return flow_assign(f, e);
	case E_ENTRY:
		return flow_expr(f, e->saved ? e->saved->expr : e->a);
	case E_INCDEC:
		for (size_t i = 0; e->a->kind == E_INDEX && e->a->var && i < e->a->args.n; i++)
			hold_key(f, e->a->var, i, e->a->args.v[i]);
		flow_expr(f, e->a);
		return NULL;
	default:
		expr_children(e, flow_child, f);
		return holder(e) ? held(holder(e)) : NULL;
	}
}

/* ---- statements -------------------------------------------------------- */

static void flow_stmt(struct flow *f, struct stmt *s);

static void flow_sub(struct stmt **slot, void *arg)
{
	if (*slot)
		flow_stmt(arg, *slot);
}

/* Gives the loop's variables the types of the array's keys and elements. */
static void flow_foreach(struct flow *f, const struct foreach *fe)
{
	const struct variable *a = fe->var;

	for (size_t i = 0; a && i < fe->keys.n && i < a->key_c.n; i++)
		if (fe->keys.v[i]->var)
			hold(f, &fe->keys.v[i]->var->c, held(&a->key_c.v[i]), fe->keys.v[i]->loc);
	if (a && fe->value && fe->value->var)
		hold(f, &fe->value->var->c, held(&a->c), fe->value->loc);
}

static void flow_stmt(struct flow *f, struct stmt *s)
{
	if (s->kind == S_FOREACH)
		flow_foreach(f, s->foreach);
	if (s->kind == S_RETURN && s->expr && f->func)
		hold(f, &f->func->c, flow_expr(f, s->expr), s->expr->loc);
	stmt_children(s, flow_child, flow_sub, f);
}

static void flow_function(struct flow *f, struct function *fn)
{
	f->func = fn;
	if (fn->body)
		flow_stmt(f, fn->body);
	else if (fn->builtin && fn->builtin->points_to && !fn->c.is)
		hold(f, &fn->c, ctype_pointer(f->s->target, intern(fn->builtin->points_to)),
		     fn->loc);
}

static void flow_all(struct flow *f)
{
	for (size_t i = 0; i < f->prog->functions.n; i++)
		flow_function(f, f->prog->functions.v[i]);
	f->func = NULL;
	for (size_t i = 0; i < f->prog->probes.n; i++) {
		struct probe *p = f->prog->probes.v[i];

		for (size_t j = 0; j < p->saved.n; j++)
			flow_expr(f, p->saved.v[j]->expr);
		if (p->condition)
			flow_expr(f, p->condition);
		flow_stmt(f, p->body);
	}
}

/* ---- starting again -------------------------------------------------------- */

static void forget_access(struct expr **slot, void *arg)
{
	(void)arg;
	if (is_auto(*slot))
		(*slot)->access = NULL;
}

/*
 * Forgets a holder's type.  A conflict of types stays, unless ALL, because then code was
 * removed that may have caused it.
 */
static void forget_held(struct ctyped *c, bool all)
{
	if (all || !c->other)
		*c = (struct ctyped){ NULL };
}

static void forget_variables(struct variable *const *v, size_t n, bool all)
{
	for (size_t i = 0; i < n; i++) {
		forget_held(&v[i]->c, all);
		for (size_t k = 0; k < v[i]->key_c.n; k++)
			forget_held(&v[i]->key_c.v[k], all);
	}
}

static void forget(struct program *prog, bool all)
{
	forget_variables(prog->globals.v, prog->globals.n, all);
	for (size_t i = 0; i < prog->functions.n; i++) {
		struct function *fn = prog->functions.v[i];

		forget_held(&fn->c, all);
		forget_variables(fn->params.v, fn->params.n, all);
		forget_variables(fn->locals.v, fn->locals.n, all);
	}
	for (size_t i = 0; i < prog->probes.n; i++)
		forget_variables(prog->probes.v[i]->locals.v, prog->probes.v[i]->locals.n, all);
	walk_exprs(prog, forget_access, NULL);
}

static void settle(struct flow *f)
{
	do {
		f->conflict = false;
		do {
			f->changed = false;
			flow_all(f);
		} while (f->changed);
		if (f->conflict)
			forget(f->prog, false);
	} while (f->conflict);
}

/* ---- @defined ---------------------------------------------------------- */

enum answer { YES, NO, UNKNOWN };	/* UNKNOWN: the path's value has no type yet */

struct judge {
	struct flow *f;
	enum answer answer;
	bool folded, unknown;		/* for any @defined */
	bool guess;			/* an unknown path counts as not defined */
};

static void judge_path(struct expr **slot, void *arg)
{
	struct judge *j = arg;

	if (!is_auto(*slot) || (*slot)->access)
		return;
	if (!flow_expr(j->f, (*slot)->target->value))
		j->answer = UNKNOWN;
	else if (j->answer == YES)
		j->answer = NO;
}

static void judge_defined(struct expr **slot, void *arg)
{
	struct judge *j = arg;
	struct expr *e = *slot;

	if (e->kind != E_DEFINED)
		return;
	j->answer = YES;
	walk_expr(&e->a, judge_path, j);
	if (j->answer == UNKNOWN && !j->guess) {
		j->unknown = true;
		return;
	}
	/* in place: a target variable's access refers to the nodes of its indexes */
	*e = *expr_num(j->answer == YES, e->loc);
	j->folded = true;
}

/*
 * Decides @defined operators.  Those whose value has a type come first: the
 * code they remove may give another value its type.  Returns whether any was
 * decided.
 */
static bool fold_defined(struct flow *f)
{
	struct judge j = { .f = f };

	walk_exprs(f->prog, judge_defined, &j);
	if (!j.folded && j.unknown) {
		j.guess = true;
		walk_exprs(f->prog, judge_defined, &j);
	}
	return j.folded;
}

static int prune(struct flow *f)
{
	int failed = 0;

	for (size_t i = 0; i < f->prog->functions.n; i++)
		if (f->prog->functions.v[i]->body)
			failed |= resolve_function_targets(f->s, f->prog->functions.v[i]);
	for (size_t i = 0; i < f->prog->probes.n; i++)
		failed |= resolve_targets(f->s, f->prog->probes.v[i], NULL);
	return failed;
}

/* ---- errors ------------------------------------------------------------------- */

struct report {
	struct flow *f;
	vec(const struct ctyped *) said;	/* holders reported, each once */
	int failed;
};

static bool say_once(struct report *r, const struct ctyped *c)
{
	for (size_t i = 0; c && i < r->said.n; i++)
		if (r->said.v[i] == c)
			return false;
	if (c)
		vec_push(&r->said, c);
	return true;
}

static const char *what_is(const struct expr *e)
{
	switch (e->kind) {
	case E_SYMBOL:
		return arena_printf("'%s'", e->name);
	case E_INDEX:
		return arena_printf("an element of '%s'", e->name);
	case E_CALL:
		return arena_printf("what '%s' returns", e->name);
	default:
		return "this value";
	}
}

static const char *operator_of(const struct target_var *tv)
{
	if (tv->kind == TV_ENUMNAME)
		return "@enumname";
	if (!tv->path.n)
		return "&";
	return tv->path.v[0].kind == C_INDEX ? "[" : tv->path.v[0].kind == C_PRETTY ? "$" : "->";
}

static void suggest_cast(const struct expr *value)
{
	diag_hint("name the type: @cast(%s, \"type\")",
		  value->kind == E_SYMBOL ? value->name : "value");
}

/* Reports a variable with two types, at both positions. */
static void report_conflict(struct expr **slot, void *arg)
{
	struct expr *e = *slot, *value;
	struct report *r = arg;
	struct ctyped *c;

	if (!is_auto(e) || e->access)
		return;
	value = e->target->value;
	c = holder(value);
	if (!c || !c->other)
		return;
	r->failed = -1;
	if (!say_once(r, c))
		return;
	diag_at(DIAG_SEMANTIC_ERROR, e->loc,
		"unknown type in dereference: %s has values of two C types: operator '%s'",
		what_is(value), operator_of(e->target));
	diag_also(c->at, "here it is of C type '%s'", ctype_text(c->is));
	diag_also(c->other_at, "here of '%s'", ctype_text(c->other));
	suggest_cast(value);
}

static void report_untyped(struct report *r, struct expr *e)
{
	struct expr *value = e->target->value;

	if (!say_once(r, holder(value)))
		return;
	if (e->target->path.v[0].kind == C_INDEX && value->kind == E_SYMBOL)
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"inconsistent arity: scalar used as an array, and not known to be the "
			"address of one: identifier '%s'", value->name);
	else
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"unknown type in dereference: the C type of %s is not known: operator '%s'",
			what_is(value), operator_of(e->target));
	suggest_cast(value);
}

static void report_path(struct report *r, struct expr *e)
{
	struct target_var *tv = e->target;
	const struct ctype *type = flow_expr(r->f, tv->value);
	struct problem why = { 0 };

	r->failed = -1;
	if (tv->kind == TV_ENUMNAME && !type) {
		diag_at(DIAG_SEMANTIC_ERROR, e->loc, "the value has no C type: operator '@enumname'");
		diag_hint("@enumname(value, \"enum type\") says which it is");
	} else if (!tv->path.n && tv->kind == TV_AUTO) {
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"a script value has no address, only what '->' and '[' lead to: "
			"operator '&'");
	} else if (!type) {
		report_untyped(r, e);
	} else {
		access_through(r->f->s, tv, type, &why);
		diag_at(DIAG_SEMANTIC_ERROR, e->loc, "%s: operator '%s'", why.text, operator_of(tv));
		if (why.hint)
			diag_hint("%s", why.hint);
	}
}

static void check_path(struct expr **slot, void *arg)
{
	struct report *r = arg;
	struct expr *e = *slot, *to = e->a;

	if (is_auto(e) && !e->access)
		report_path(r, e);
	if ((e->kind == E_ASSIGN || e->kind == E_INCDEC) && is_auto(to) && to->access)
		r->failed |= check_target_write(r->f->s, to);
}

static void find_auto(struct expr **slot, void *found)
{
	*(bool *)found |= is_auto(*slot);
}

int resolve_ctypes(struct session *s, struct program *prog)
{
	struct flow f = { .s = s, .prog = prog };
	struct report r = { .f = &f };
	bool needed = false;

	/* most scripts need no types, and pay nothing */
	walk_exprs(prog, find_auto, &needed);
	if (!needed)
		return 0;
	settle(&f);
	while (fold_defined(&f)) {
		if (prune(&f) < 0)
			return -1;
		drop_unused_saved(prog);
		forget(prog, true);
		settle(&f);
	}
	/* most other errors follow from these */
	walk_exprs(prog, report_conflict, &r);
	if (!r.failed)
		walk_exprs(prog, check_path, &r);
	return r.failed;
}
