// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Infers types to a fixed point.
 *
 * A type flows both ways: from a value to the variable it is assigned to, and
 * from a use that requires a type to the variable used.  In "x = y . \"a\""
 * both x and y become strings.  All known types are propagated until nothing
 * changes.  Contradictions are reported on the way; a type that stays unknown
 * is an error if it matters.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "lang/lang.h"
#include "text/format.h"
#include "sema.h"

struct typing {
	struct session *s;
	struct program *prog;
	struct function *func;		/* whose body this is; NULL in a handler */
	bool changed;
	bool settled;			/* all types are known; this is the last round, which
					   reports errors */
	int failed;
};

static enum type infer(struct typing *t, struct expr *e, enum type want);
static enum type infer_wanted(struct typing *t, struct expr *e, enum type want, struct loc first);

const char *type_text(enum type t)
{
	static const char *const names[] = {
		[T_UNKNOWN] = "unknown", [T_LONG] = "long", [T_STRING] = "string",
		[T_STATS] = "stats", [T_VOID] = "void",
	};

	return names[t];
}

/* ---- names of expressions in messages ------------------------------------------ */

const char *describe_expr(const struct expr *e)
{
	switch (e->kind) {
	case E_NUM:
		return arena_printf("number '%lld'", (long long)e->num);
	case E_STR:
		return arena_printf("string '%s'", e->str);
	case E_SYMBOL: case E_INDEX: case E_CALL: case E_IN:
		return arena_printf("identifier '%s'", e->name);
	case E_TARGET:
		return target_name(e->target);
	case E_BINARY: case E_UNARY:
		return arena_printf("operator '%s'", op_text(e->op));
	case E_ASSIGN:
		return arena_printf("operator '%s%s'", op_text(e->op),
				    e->op == OP_STAT ? "" : "=");
	case E_INCDEC:
		return e->delta > 0 ? "operator '++'" : "operator '--'";
	case E_STAT: {
		static const char *const names[] = { "count", "sum", "min", "max", "avg",
						     "variance" };

		return arena_printf("operator '@%s'", names[e->stat]);
	}
	default:
		return "expression";
	}
}

static void mismatch(struct typing *t, const struct expr *e, enum type got, enum type want,
		     struct loc first)
{
	/* the 20 first errors say enough */
	if (t->failed > 20)
		return;
	t->failed++;
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "type mismatch (%s, where %s is expected): %s",
		type_text(got), type_text(want), describe_expr(e));
	if (first.src)
		diag_also(first, "type was first inferred here (%s)", type_text(want));
}

/* Sets an unknown type, or compares a known one.  Returns whether they agree. */
static bool unify(struct typing *t, enum type *held, enum type with)
{
	if (with == T_UNKNOWN || *held == with)
		return true;
	if (*held == T_UNKNOWN) {
		*held = with;
		t->changed = true;
		return true;
	}
	return false;
}

static enum type variable_type(struct typing *t, struct variable *v, const struct expr *e,
			       enum type want)
{
	bool was_unknown = v->type == T_UNKNOWN;

	if (!unify(t, &v->type, want)) {
		mismatch(t, e, v->type, want, (struct loc){ NULL });
		if (v->type_loc.src)
			diag_also(v->type_loc, "type was first inferred here (%s)",
				  type_text(v->type));
	} else if (was_unknown && v->type != T_UNKNOWN)
		v->type_loc = e->loc;
	return v->type;
}

/* Unifies a key, or the variable a foreach puts it in, with the array's key type. */
static void infer_key(struct typing *t, struct variable *v, size_t i, struct expr *key)
{
	enum type got = infer_wanted(t, key, v->key_types.v[i], v->key_locs.v[i]);

	if (v->key_types.v[i] == T_UNKNOWN && got != T_UNKNOWN)
		v->key_locs.v[i] = key->loc;
	unify(t, &v->key_types.v[i], got);
}

static void infer_keys(struct typing *t, struct variable *v, struct expr *const *keys, size_t n)
{
	for (size_t i = 0; i < n && i < v->key_types.n; i++)
		if (keys[i])
			infer_key(t, v, i, keys[i]);
}

/* ---- printing ---------------------------------------------------------- */

static void infer_printf(struct typing *t, struct expr *e)
{
	struct print *p = e->print;
	const char *fmt = p->format;
	struct st_directive d;
	size_t used = 0;

	while (st_format_next(&fmt, &d)) {
		size_t stars = d.width_arg + d.precision_arg;

		if (!d.conversion)
			continue;
		/* a * takes a number first; %m's length is its precision */
		for (size_t i = 0; i < stars && used < p->args.n; i++)
			infer(t, p->args.v[used++], T_LONG);
		if (used < p->args.n)
			infer(t, p->args.v[used], d.conversion == 's' ? T_STRING : T_LONG);
		used++;
	}
}

static enum type infer_print(struct typing *t, struct expr *e)
{
	struct print *p = e->print;

	if (p->kind == PRINT_PRINTF)
		infer_printf(t, e);
	else
		for (size_t i = 0; i < p->args.n; i++)
			infer(t, p->args.v[i], T_UNKNOWN);
	return p->to_string ? T_STRING : T_VOID;
}

/* ---- statistics -------------------------------------------------------- */

static struct variable *stat_variable(struct typing *t, struct expr *e)
{
	if (e->a->kind != E_SYMBOL && e->a->kind != E_INDEX) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, e->a->loc,
			"only a statistic variable or array element can be extracted from");
		return NULL;
	}
	infer(t, e->a, T_STATS);
	return e->a->var;
}

static bool same_hist(const struct expr *a, const struct expr *b)
{
	return a->stat == b->stat && !memcmp(a->params, b->params, sizeof(a->params));
}

/*
 * Checks a linear histogram's start, end and step.  Each element allocates all
 * buckets.
 */
static void check_hist(struct typing *t, const struct expr *e)
{
	unsigned long long span = (unsigned long long)e->params[1] - e->params[0];
	const char *wrong = e->params[2] <= 0 ? "its step must be positive" :
			    e->params[1] <= e->params[0] ? "its end must be above its start" :
			    span / e->params[2] >= ST_BUCKETS_MOST ? "it has too many buckets" : NULL;

	if (e->stat != STAT_HIST_LINEAR || !wrong)
		return;
	t->failed++;
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "bad histogram: %s", wrong);
}

/*
 * Checks that all uses of @variance(v, shift) agree on the shift.  @variance(v) takes the
 * others' shift, or 0 if no use has one.
 */
static void note_shift(struct typing *t, struct variable *v, const struct expr *e)
{
	int64_t shift = e->nparams ? e->params[0] : 0;

	if (!e->nparams)
		return;
	if (!v->variance)
		v->variance = e;
	if (shift < 0 || shift > ST_SHIFT_MOST) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, e->loc, "bit shift (%" PRId64 ") out of range <0..%d>: "
			"operator '@variance'", shift, ST_SHIFT_MOST);
	} else if (v->variance != e && v->variance_shift != shift) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, e->loc, "conflicting bit shifts declared (previously "
			"%" PRId64 "): operator '@variance'", v->variance_shift);
		diag_also(v->variance->loc, "another was asked for here");
	}
	if (v->variance == e)
		v->variance_shift = shift;
}

static void note_extraction(struct typing *t, struct expr *e)
{
	struct variable *v = stat_variable(t, e);

	if (!v)
		return;
	v->stat_ops |= 1u << e->stat;
	if (e->stat == STAT_VARIANCE)
		note_shift(t, v, e);
	if (e->kind != E_HIST)
		return;
	if (!v->hist) {
		v->hist = e;
		check_hist(t, e);
	} else if (!same_hist(v->hist, e)) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"a statistic has one histogram shape: identifier '%s'", v->name);
		diag_also(v->hist->loc, "another was asked for here");
	}
}

/* ---- calls ------------------------------------------------------------- */

static enum type infer_call(struct typing *t, struct expr *e, enum type want)
{
	enum type result = T_UNKNOWN;

	if (!e->func)
		return T_LONG;		/* reported as unresolved */
	for (struct function *f = e->func; f; f = f->next_overload) {
		for (size_t i = 0; i < e->args.n; i++) {
			struct variable *p = f->params.v[i];
			enum type got = infer_wanted(t, e->args.v[i], p->type,
						     p->type_loc.src ? p->type_loc : p->loc);

			if (p->type == T_UNKNOWN)
				variable_type(t, p, e->args.v[i], got);
		}
		if (f->type == T_UNKNOWN && want != T_UNKNOWN && !f->type_declared)
			unify(t, &f->type, want);
		if (result == T_UNKNOWN)
			result = f->type;
	}
	for (struct function *f = e->func; f; f = f->next_overload)
		if (!unify(t, &f->type, result))	/* a declared type wins */
			mismatch(t, e, f->type, result, e->func->loc);
	return result;
}

/* ---- expressions ------------------------------------------------------- */

/* Returns the position that determined an expression's type. */
static struct loc type_origin(const struct expr *e)
{
	if ((e->kind == E_SYMBOL || e->kind == E_INDEX) && e->var && e->var->type_loc.src)
		return e->var->type_loc;
	return e->loc;
}

static enum type infer_pair(struct typing *t, struct expr *a, struct expr *b, enum type want)
{
	enum type ta = infer(t, a, want);
	enum type tb = infer_wanted(t, b, ta != T_UNKNOWN ? ta : want, type_origin(a));

	if (ta == T_UNKNOWN && tb != T_UNKNOWN)
		ta = infer(t, a, tb);
	return ta;
}

/* Unifies a variable's and a value's type; an error is at the value and shows the variable. */
static enum type infer_assigned(struct typing *t, struct expr *a, struct expr *b, enum type want)
{
	enum type ta = infer(t, a, want);
	enum type tb = infer_wanted(t, b, ta, a->var ? a->var->type_loc : (struct loc){ NULL });

	return ta != T_UNKNOWN || tb == T_UNKNOWN ? ta : infer(t, a, tb);
}

static enum type refuse_statistic(struct typing *t, const struct expr *e, enum type got)
{
	if (got != T_STATS)
		return got;
	t->failed++;
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "a statistic can't be assigned, only added to with "
		"'<<<': operator '='");
	return T_LONG;
}

/* a . b, or a .= b */
static enum type infer_join(struct typing *t, struct expr *e)
{
	int failed = t->failed;

	infer(t, e->a, T_STRING);
	infer(t, e->b, T_STRING);
	if (failed != t->failed && e->a->kind == E_TARGET && e->b->kind == E_SYMBOL)
		diag_hint("members are read by '->': %s->%s", expr_text(e->a), e->b->name);
	else if (failed != t->failed && e->a->kind == E_NUM && e->b->kind == E_NUM)
		diag_hint("a floating-point number is made of text: string_to_fp(\"%s.%s\")",
			  expr_text(e->a), expr_text(e->b));
	return T_STRING;
}

static bool is_text(const struct expr *e)
{
	return e->kind == E_STR || e->type == T_STRING;
}

/* Infers operators on numbers, and assignments with one ("+="). */
static enum type infer_arithmetic(struct typing *t, struct expr *e)
{
	int failed = t->failed;

	infer(t, e->a, T_LONG);
	infer(t, e->b, T_LONG);
	if (failed != t->failed && e->op == OP_ADD && is_text(e->a) && is_text(e->b))
		diag_hint("strings are joined by '.': a . b");
	return T_LONG;
}

static enum type infer_assign(struct typing *t, struct expr *e, enum type want)
{
	switch (e->op) {
	case OP_STAT:
		infer(t, e->a, T_STATS);
		infer(t, e->b, T_LONG);
		return T_LONG;
	case OP_CONCAT:
		return infer_join(t, e);
	case OP_NONE:
		return refuse_statistic(t, e, infer_assigned(t, e->a, e->b, want));
	default:
		return infer_arithmetic(t, e);
	}
}

static enum type infer_binary(struct typing *t, struct expr *e)
{
	switch (e->op) {
	case OP_EQ: case OP_NE: case OP_LT: case OP_GT: case OP_LE: case OP_GE:
		infer_pair(t, e->a, e->b, T_UNKNOWN);
		return T_LONG;
	case OP_CONCAT:
		return infer_join(t, e);
	default:
		return infer_arithmetic(t, e);
	}
}

static enum type infer_target(struct typing *t, struct expr *e)
{
	if (!e->access)
		return T_LONG;		/* reported as missing */
	for (size_t i = 0; i < e->access->indexes.n; i++)
		infer(t, e->access->indexes.v[i], T_LONG);
	return e->access->type;
}

/* Refuses a statistic where a value is needed: it can only be added to or extracted from. */
static enum type refuse_value(struct typing *t, const struct expr *e, enum type got, enum type want)
{
	if (t->settled && got == T_STATS && want == T_UNKNOWN) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, e->loc, "a statistic has no value of its own: %s",
			describe_expr(e));
		diag_hint("@count, @sum, @avg and the like extract one");
	}
	return got;
}

static enum type infer_kind(struct typing *t, struct expr *e, enum type want)
{
	switch (e->kind) {
	case E_NUM: case E_PERF: case E_PROBEWRITE: case E_CONST: case E_DEFINED:
		return T_LONG;
	case E_STR:
		return T_STRING;
	case E_SYMBOL:
		return e->var ? refuse_value(t, e, variable_type(t, e->var, e, want), want) : T_LONG;
	case E_INDEX:
		if (!e->var)
			return want;
		infer_keys(t, e->var, e->args.v, e->args.n);
		return refuse_value(t, e, variable_type(t, e->var, e, want), want);
	case E_IN:
		if (e->var)
			infer_keys(t, e->var, e->args.v, e->args.n);
		return T_LONG;
	case E_TARGET:
		return infer_target(t, e);
	case E_CALL:
		return infer_call(t, e, want);
	case E_UNARY:
	case E_INCDEC:
		infer(t, e->a, T_LONG);
		return T_LONG;
	case E_REGISTER:
		infer(t, e->a, T_LONG);
		return T_LONG;
	case E_DEREF:
	case E_HIST_INDEX:
		infer(t, e->a, e->kind == E_DEREF ? T_LONG : T_STATS);
		infer(t, e->b, T_LONG);
		return T_LONG;
	case E_BINARY:
		return infer_binary(t, e);
	case E_TERNARY:
		infer(t, e->a, T_LONG);
		return infer_pair(t, e->b, e->c, want);
	case E_ASSIGN:
		return infer_assign(t, e, want);
	case E_REGEX:
		infer(t, e->a, T_STRING);
		infer(t, e->b, T_STRING);
		return T_LONG;
	case E_PRINT:
		return infer_print(t, e);
	case E_STAT:
		note_extraction(t, e);
		return T_LONG;
	case E_HIST:
		note_extraction(t, e);
		return T_STATS;
	case E_ENTRY:
		if (!e->saved)
			return infer(t, e->a, want);
		infer(t, e->saved->expr, want);
		e->saved->type = e->saved->expr->type;
		return e->saved->type;
	case E_EMBEDDED:
		return e->embedded->string ? T_STRING : T_LONG;
	}
	return T_LONG;
}

/* FIRST is the position that determined the wanted type, if known. */
static enum type infer_wanted(struct typing *t, struct expr *e, enum type want, struct loc first)
{
	enum type got = infer_kind(t, e, want);

	if (e->type != got && got != T_UNKNOWN) {
		e->type = got;
		t->changed = true;
	}
	/* variables report mismatches themselves, with the origin of their types */
	if (want != T_UNKNOWN && got != T_UNKNOWN && got != want &&
	    e->kind != E_SYMBOL && e->kind != E_INDEX)
		mismatch(t, e, got, want, first);
	return got;
}

static enum type infer(struct typing *t, struct expr *e, enum type want)
{
	return infer_wanted(t, e, want, (struct loc){ NULL });
}

/* ---- statements -------------------------------------------------------- */

static void infer_stmt(struct typing *t, struct stmt *s);

static void infer_foreach(struct typing *t, struct stmt *s)
{
	struct foreach *f = s->foreach;
	struct variable *a = f->var;

	if (f->hist) {
		infer(t, f->hist, T_STATS);
		for (size_t i = 0; i < f->keys.n; i++)
			infer(t, f->keys.v[i], T_LONG);
		if (f->value)
			infer(t, f->value, T_LONG);
	}
	if (f->limit)
		infer(t, f->limit, T_LONG);
	if (!a)
		return;
	for (size_t i = 0; i < f->keys.n && i < a->key_types.n; i++)
		infer_key(t, a, i, f->keys.v[i]);
	infer_keys(t, a, f->slice.v, f->slice.n);
	if (f->value && a->type == T_STATS && t->settled && f->value->var->is_global) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, f->value->loc,
			"a statistic can't be assigned to a variable: identifier '%s'",
			f->value->name);
	}
	if (f->value && a->type != T_STATS)
		unify(t, &a->type, infer(t, f->value, a->type));
	if (f->sort_stat != STAT_NONE) {
		if (!unify(t, &a->type, T_STATS)) {
			t->failed++;
			diag_at(DIAG_SEMANTIC_ERROR, f->array_loc, "only an array of statistics "
				"can be sorted this way: identifier '%s'", a->name);
		}
		a->stat_ops |= 1u << f->sort_stat;
	} else if (f->sort_by < 0 && a->type == T_STATS) {
		a->stat_ops |= 1u << STAT_COUNT;
	}
}

static void infer_return(struct typing *t, struct stmt *s)
{
	struct function *f = t->func;

	if (!s->expr) {
		if (t->settled && f && f->type != T_VOID) {
			t->failed++;
			diag_at(DIAG_SEMANTIC_ERROR, s->loc,
				"function '%s' returns a %s, but not here: keyword 'return'",
				f->name, type_text(f->type));
			if (f->type_loc.src)
				diag_also(f->type_loc, "type was first inferred here (%s)",
					  type_text(f->type));
		}
		return;
	}
	if (!f) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, s->loc,
			"a probe handler returns no value: keyword 'return'");
		return;
	}
	enum type got = infer_wanted(t, s->expr, f->type, f->type_loc);

	if (got == T_STATS) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, s->expr->loc,
			"a function can't return a statistic: keyword 'return'");
		return;
	}
	if (f->type == T_UNKNOWN && got != T_UNKNOWN)
		f->type_loc = s->expr->loc;
	unify(t, &f->type, got);
}

static void infer_sub(struct stmt **slot, void *arg)
{
	if (*slot)
		infer_stmt(arg, *slot);
}

static void ignore_expr(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void infer_delete(struct typing *t, struct expr *e)
{
	if (e->kind == E_INDEX && e->var)
		infer_keys(t, e->var, e->args.v, e->args.n);
}

static void infer_stmt(struct typing *t, struct stmt *s)
{
	switch (s->kind) {
	case S_EXPR:
		infer(t, s->expr, T_UNKNOWN);
		break;
	case S_IF:
		infer(t, s->expr, T_LONG);
		break;
	case S_LOOP:
		if (s->init)
			infer(t, s->init, T_UNKNOWN);
		if (s->expr)
			infer(t, s->expr, T_LONG);
		if (s->step)
			infer(t, s->step, T_UNKNOWN);
		break;
	case S_FOREACH:
		infer_foreach(t, s);
		break;
	case S_RETURN:
		infer_return(t, s);
		break;
	case S_DELETE:
		infer_delete(t, s->expr);
		break;
	case S_TRY:
		if (s->var && !unify(t, &s->var->type, T_STRING)) {
			t->failed++;
			diag_at(DIAG_SEMANTIC_ERROR, s->loc,
				"type mismatch (%s, where string is expected): identifier '%s'",
				type_text(s->var->type), s->name);
			if (s->var->type_loc.src)
				diag_also(s->var->type_loc, "type was first inferred here (%s)",
					  type_text(s->var->type));
		}
		break;
	default:
		break;
	}
	stmt_children(s, ignore_expr, infer_sub, t);
}

/* ---- after the fixed point --------------------------------------------- */

/*
 * Makes a variable a number if no use determined its type, as for keys and elements that
 * are only deleted or tested.
 */
static void default_variable(struct typing *t, struct variable *v, bool is_array)
{
	for (size_t i = 0; i < v->key_types.n; i++)
		if (v->key_types.v[i] == T_UNKNOWN)
			v->key_types.v[i] = T_LONG;
	if (v->nkeys < 0)
		v->nkeys = 0;
	if (v->nkeys && v->init) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, v->loc,
			"only a scalar can have an initial value: identifier '%s'", v->name);
	}
	if (v->type == T_STATS && !v->is_global) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, v->loc,
			"a statistic must be a global variable: identifier '%s'", v->name);
	}
	if (v->type == T_STATS && v->in_embedded) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, v->loc,
			"Aggregates not available in embedded-C: identifier '%s'", v->name);
	}
	if (v->type != T_UNKNOWN)
		return;
	if (!is_array && v->is_read) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, v->loc, "unresolved type: identifier '%s'", v->name);
		return;
	}
	v->type = T_LONG;
}

/* Refuses an expression without a value where one is needed. */
static void check_value(struct expr **slot, void *arg)
{
	struct typing *t = arg;
	struct expr *e = *slot;

	if (e->kind == E_CALL && e->type == T_UNKNOWN)
		e->type = T_VOID;
	if (e->kind == E_ASSIGN && e->b->kind == E_CALL && e->b->func &&
	    e->b->type == T_VOID) {
		t->failed++;
		diag_at(DIAG_SEMANTIC_ERROR, e->b->loc,
			"function '%s' returns no value: identifier '%s'", e->b->name, e->b->name);
	}
}

static void infer_all(struct typing *t)
{
	for (size_t i = 0; i < t->prog->globals.n; i++) {
		struct variable *v = t->prog->globals.v[i];

		if (v->init)
			variable_type(t, v, v->init, infer(t, v->init, v->type));
	}
	for (size_t i = 0; i < t->prog->functions.n; i++) {
		t->func = t->prog->functions.v[i];
		if (t->func->body)
			infer_stmt(t, t->func->body);
	}
	t->func = NULL;
	for (size_t i = 0; i < t->prog->probes.n; i++) {
		struct probe *p = t->prog->probes.v[i];

		for (size_t j = 0; j < p->saved.n; j++)
			infer(t, p->saved.v[j]->expr, T_UNKNOWN);
		if (p->condition)
			infer(t, p->condition, T_LONG);
		infer_stmt(t, p->body);
	}
}

static void finish_function(struct typing *t, struct function *f)
{
	for (size_t i = 0; i < f->params.n; i++) {
		struct variable *v = f->params.v[i];

		if (f->embedded && v->type == T_UNKNOWN) {
			t->failed++;
			diag_at(DIAG_SEMANTIC_ERROR, v->loc,
				"a parameter of an embedded-C function needs a type: identifier '%s'",
				v->name);
		} else {
			default_variable(t, v, false);
		}
	}
	for (size_t i = 0; i < f->locals.n; i++)
		default_variable(t, f->locals.v[i], false);
	if (f->type == T_UNKNOWN)
		f->type = T_VOID;
}

static bool any_untyped(struct variable *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]->type == T_UNKNOWN && v[i]->is_read)
			return true;
	return false;
}

static bool is_typed(const struct program *prog)
{
	bool untyped = any_untyped(prog->globals.v, prog->globals.n);

	for (size_t i = 0; i < prog->functions.n; i++) {
		const struct function *f = prog->functions.v[i];

		untyped |= any_untyped(f->params.v, f->params.n) ||
			   any_untyped(f->locals.v, f->locals.n);
	}
	for (size_t i = 0; i < prog->probes.n; i++)
		untyped |= any_untyped(prog->probes.v[i]->locals.v, prog->probes.v[i]->locals.n);
	return !untyped;
}

static void infer_until_known(struct typing *t)
{
	do {
		t->changed = false;
		infer_all(t);
	} while (t->changed && !t->failed && !session_interrupted());
}

int infer_types(struct session *s, struct program *prog)
{
	struct typing t = { .s = s, .prog = prog, .failed = check_formats(prog) };

	infer_until_known(&t);
	if (!t.failed && !s->options.unoptimized && !is_typed(prog)) {
		elide_decided(s, prog);	/* the code that needs the type may go */
		infer_until_known(&t);
	}
	if (t.failed || session_interrupted())
		return -1;
	for (size_t i = 0; i < prog->globals.n; i++)
		default_variable(&t, prog->globals.v[i], prog->globals.v[i]->nkeys != 0);
	for (size_t i = 0; i < prog->functions.n; i++)
		finish_function(&t, prog->functions.v[i]);
	for (size_t i = 0; i < prog->probes.n; i++)
		for (size_t j = 0; j < prog->probes.v[i]->locals.n; j++)
			default_variable(&t, prog->probes.v[i]->locals.v[j], false);
	t.settled = true;
	if (!t.failed)
		infer_all(&t);		/* propagate the defaults to expressions */
	if (!t.failed)
		t.failed = finish_formats(prog);
	walk_exprs(prog, check_value, &t);
	return t.failed ? -1 : 0;
}
