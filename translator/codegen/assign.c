// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Assignments: to locals, globals, array elements and target variables.
 *
 * A global that concurrent handlers only add to is a counter per CPU
 * (variable.percpu).  Begin and end handlers, which run alone, can read and set
 * it like any other.
 */
#include "base/arena.h"
#include "gen.h"

void gen_store_var(struct gen *g, const struct variable *v, const char *value)
{
	const char *name = v->is_global ? global_name(v) : local_name(v);

	if (v->type == T_STRING)
		gen_line(g, "st_assign(&%s, %s);", name, value);
	else if (v->is_global && v->percpu)
		gen_line(g, "st_counter_set(%s, %s);", name, value);
	else
		gen_line(g, "%s = %s;", name, value);
}

/* Evaluates an assigned element's keys, before the value.  NULL if it is no element. */
static const char *gen_assigned_keys(struct gen *g, const struct expr *a)
{
	unsigned any;

	return a->kind == E_INDEX ? gen_keys(g, a->args.v, a->args.n, &any) : NULL;
}

/* Adds the operand DELTA to a variable or, with keys K, to an element. */
static void gen_add(struct gen *g, struct expr *target, const char *k, const char *delta)
{
	const struct variable *v = target->var;

	if (k) {
		set_near(g, arena_printf("identifier '%s'", v->name), target->loc);
		gen_line(g, "st_map_add(c, %s, %s, %s);", global_name(v), k, delta);
		check_error(g);
	} else if (v->is_global && v->percpu) {
		gen_line(g, "st_counter_add(%s, %s);", global_name(v), delta);
	} else {
		gen_line(g, "%s += %s;", v->is_global ? global_name(v) : local_name(v), delta);
	}
}

static void gen_map_set(struct gen *g, const struct expr *e, const char *k, const char *value)
{
	set_near(g, arena_printf("identifier '%s'", e->name), e->loc);
	gen_line(g, "st_map_set%s(c, %s, %s, %s);", e->var->type == T_STRING ? "_str" : "",
	     global_name(e->var), k, value);
	check_error(g);
}

/* <<< */
static const char *gen_accumulate(struct gen *g, struct expr *e)
{
	const struct expr *a = e->a;
	const char *k = gen_assigned_keys(g, a), *value = gen_expr(g, e->b);

	if (k) {
		set_near(g, arena_printf("identifier '%s'", a->name), a->loc);
		gen_line(g, "st_map_add_stat(c, %s, %s, %s);", global_name(a->var), k, value);
		check_error(g);
	} else {
		gen_line(g, "st_agg_add(c, %s, %s);", global_name(a->var), value);
	}
	return value;
}

/* Returns the value of "OLD op= B". */
static const char *gen_new_value(struct gen *g, struct expr *e, const char *old, const char *b)
{
	const char *t;

	if (e->op != OP_CONCAT)
		return gen_arith(g, e, old, b);
	t = gen_temp(g);
	g->scratch_ops++;
	set_near(g, "operator '.='", e->loc);
	gen_line(g, "struct st_str %s = st_concat(c, %s, %s);", t, old, b);
	check_error(g);
	return t;
}

static const char *gen_old_element(struct gen *g, const struct expr *a, const char *k)
{
	const char *t = gen_temp(g);

	gen_line(g, "%s %s;", c_type(a->var->type), t);
	gen_lookup(g, a, t, 0, k);
	return t;
}

static const char *gen_assign_element(struct gen *g, struct expr *e)
{
	const char *k = gen_assigned_keys(g, e->a), *b = gen_expr(g, e->b);

	if (e->op != OP_NONE)
		b = gen_new_value(g, e, gen_old_element(g, e->a, k), b);
	gen_map_set(g, e->a, k, b);
	return b;
}

static const char *gen_assign_var(struct gen *g, struct expr *e)
{
	const char *b;

	if (e->a->var->literal)		/* a statement with nothing left to do */
		return "0";
	b = gen_expr(g, e->b);
	if (e->op != OP_NONE)
		b = gen_new_value(g, e, gen_read_var(g, e->a->var), b);
	gen_store_var(g, e->a->var, b);
	return b;
}

static const char *gen_assign_target(struct gen *g, struct expr *e, bool value_used)
{
	const char *b = gen_expr(g, e->b), *indexes = gen_indexes(g, e->a);

	if (e->op == OP_CONCAT && e->a->access->fetch.append) {
		gen_target_append(g, e->a, indexes, b);
		return value_used ? gen_target(g, e->a, indexes) : "0";
	}
	if (e->op != OP_NONE)
		b = gen_new_value(g, e, gen_target(g, e->a, indexes), b);
	gen_target_store(g, e->a, indexes, b);
	return b;
}

const char *gen_assign(struct gen *g, struct expr *e, bool value_used)
{
	if (e->op == OP_STAT)
		return gen_accumulate(g, e);
	if (!value_used && (e->op == OP_ADD || e->op == OP_SUB) && e->a->kind != E_TARGET) {
		const char *k = gen_assigned_keys(g, e->a), *b = gen_expr(g, e->b);

		gen_add(g, e->a, k, e->op == OP_SUB ? arena_printf("-(%s)", b) : b);
		return "0";
	}
	if (e->a->kind == E_INDEX)
		return gen_assign_element(g, e);
	if (e->a->kind == E_TARGET)
		return gen_assign_target(g, e, value_used);
	return gen_assign_var(g, e);
}

/* Returns a copy of a variable's value, which is about to change. */
static const char *gen_old_value(struct gen *g, const struct variable *v)
{
	const char *t;

	if (v->is_global)
		return gen_read_var(g, v);
	t = gen_temp(g);
	gen_line(g, "st_long %s = %s;", t, local_name(v));
	return t;
}

const char *gen_incdec(struct gen *g, struct expr *e, bool value_used)
{
	struct expr *a = e->a;
	const char *old, *new, *k = gen_assigned_keys(g, a), *indexes = "";

	if (!value_used && a->kind != E_TARGET) {
		gen_add(g, a, k, c_number(e->delta));
		return "0";
	}
	if (a->kind == E_TARGET)
		indexes = gen_indexes(g, a);
	old = k ? gen_old_element(g, a, k)
	    : a->kind == E_TARGET ? gen_target(g, a, indexes) : gen_old_value(g, a->var);
	new = gen_temp(g);
	gen_line(g, "st_long %s = %s + %s;", new, old, c_number(e->delta));
	if (k)
		gen_map_set(g, a, k, new);
	else if (a->kind == E_TARGET)
		gen_target_store(g, a, indexes, new);
	else
		gen_store_var(g, a->var, new);
	return e->prefix ? new : old;
}
