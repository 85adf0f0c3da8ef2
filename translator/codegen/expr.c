// SPDX-License-Identifier: GPL-2.0-or-later
/* Expressions, except assignments (assign.c) and printing (printf.c). */
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "lang/lang.h"
#include "gen.h"

/* ---- strings ----------------------------------------------------------- */

static const char *gen_copy(struct gen *g, const char *slice)
{
	const char *t = gen_temp(g);

	g->scratch_ops++;
	gen_line(g, "struct st_str %s = st_dup(c, %s);", t, slice);
	check_error(g);
	return t;
}

const char *gen_stable(struct gen *g, const char *slice)
{
	return g->effects ? gen_copy(g, slice) : slice;
}

static const char *gen_read_local(struct gen *g, const struct variable *v)
{
	const char *t, *slice;

	if (v->type == T_STRING) {
		slice = arena_printf("%s.s", local_name(v));
		return g->assigns ? gen_copy(g, slice) : slice;
	}
	if (!g->assigns)
		return local_name(v);
	t = gen_temp(g);
	gen_line(g, "st_long %s = %s;", t, local_name(v));
	return t;
}

/* Calls a string function of the runtime: the result is in scratch, and it may fail. */
static const char *gen_string_op(struct gen *g, const char *call)
{
	const char *t = gen_temp(g);

	g->scratch_ops++;
	gen_line(g, "struct st_str %s = %s;", t, call);
	check_error(g);
	return t;
}

/* ---- operators --------------------------------------------------------- */

static const char *gen_checked(struct gen *g, const char *fn, const char *a, const char *b,
			       const char *what, struct loc at)
{
	const char *t = gen_temp(g);

	set_near(g, what, at);
	gen_line(g, "st_long %s = %s(c, %s, %s);", t, fn, a, b);
	check_error(g);
	return t;
}

const char *gen_arith(struct gen *g, const struct expr *e, const char *a, const char *b)
{
	enum op op = e->op;
	const char *t;

	if ((op == OP_DIV || op == OP_MOD) && !safe_divisor(e->b))
		return gen_checked(g, op == OP_DIV ? "st_div" : "st_mod", a, b,
				   op == OP_DIV ? "operator '/'" : "operator '%'", e->loc);
	t = gen_temp(g);
	if (op == OP_SHL || op == OP_SHR)
		gen_line(g, "st_long %s = st_sh%c(%s, %s);", t, op == OP_SHL ? 'l' : 'r', a, b);
	else if ((op == OP_DIV || op == OP_MOD) && e->b->num == -1)	/* INT64_MIN / -1 traps */
		gen_line(g, op == OP_DIV ? "st_long %s = 0 - %s;" : "st_long %s = 0 * %s;", t, a);
	else
		gen_line(g, "st_long %s = %s %s %s;", t, a, op_text(op), b);
	return t;
}

static const char *gen_compare(struct gen *g, struct expr *e)
{
	const char *a = gen_expr(g, e->a), *b = gen_expr(g, e->b), *t = gen_temp(g);

	if (e->a->type != T_STRING)
		gen_line(g, "st_long %s = %s %s %s;", t, a, op_text(e->op), b);
	else if (e->op == OP_EQ || e->op == OP_NE)
		gen_line(g, "st_long %s = %sst_equal(%s, %s);", t, e->op == OP_NE ? "!" : "", a, b);
	else
		gen_line(g, "st_long %s = st_compare(%s, %s) %s 0;", t, a, b, op_text(e->op));
	return t;
}

/* && and ||: the right operand runs only if the left one doesn't decide. */
static const char *gen_logical(struct gen *g, struct expr *e)
{
	const char *t = gen_temp(g);
	const char *a = gen_expr(g, e->a);
	unsigned long long called = g->called;

	gen_line(g, "st_long %s = %s != 0;", t, a);
	gen_line(g, "if (%s%s) {", e->op == OP_LAND ? "" : "!", t);
	g->indent++;
	gen_line(g, "%s = %s != 0;", t, gen_expr(g, e->b));
	g->indent--;
	gen_line(g, "}");
	g->called = called;
	return t;
}

static const char *gen_binary(struct gen *g, struct expr *e)
{
	switch (e->op) {
	case OP_LAND: case OP_LOR:
		return gen_logical(g, e);
	case OP_EQ: case OP_NE: case OP_LT: case OP_GT: case OP_LE: case OP_GE:
		return gen_compare(g, e);
	case OP_CONCAT: {
		const char *a = gen_expr(g, e->a), *b = gen_expr(g, e->b);

		set_near(g, "operator '.'", e->loc);
		return gen_string_op(g, arena_printf("st_concat(c, %s, %s)", a, b));
	}
	default: {
		const char *a = gen_expr(g, e->a), *b = gen_expr(g, e->b);

		return gen_arith(g, e, a, b);
	}
	}
}

static const char *gen_unary(struct gen *g, struct expr *e)
{
	const char *a = gen_expr(g, e->a), *t;

	if (e->op == UOP_PLUS)
		return a;
	t = gen_temp(g);
	gen_line(g, "st_long %s = %s%s;", t, op_text(e->op), a);
	return t;
}

/* Generates an alternative of '?:', and the assignment of its value if it has one. */
static void gen_alternative(struct gen *g, const char *t, struct expr *e)
{
	const char *value;

	g->indent++;
	value = gen_expr(g, e);
	if (e->type != T_VOID)
		gen_line(g, "%s = %s;", t, value);
	g->indent--;
}

static const char *gen_ternary(struct gen *g, struct expr *e)
{
	const char *t = e->type == T_VOID ? "0" : gen_temp(g), *cond = gen_expr(g, e->a);
	unsigned long long called = g->called;

	if (e->type != T_VOID)
		gen_line(g, "%s %s;", c_type(e->type), t);
	gen_line(g, "if (%s) {", cond);
	gen_alternative(g, t, e->b);
	gen_line(g, "} else {");
	g->called = called;
	gen_alternative(g, t, e->c);
	gen_line(g, "}");
	g->called = called;
	return t;
}

/* ---- variables and arrays ---------------------------------------------- */

const char *gen_read_var(struct gen *g, const struct variable *v)
{
	const char *t;

	if (v->literal)
		return gen_literal(g, v->literal);
	if (!v->is_global)
		return gen_read_local(g, v);
	if (v->type == T_STRING)
		return gen_stable(g, arena_printf("%s.s", global_name(v)));
	t = gen_temp(g);
	if (v->percpu)
		gen_line(g, "st_long %s = st_counter_sum(%s);", t, global_name(v));
	else
		gen_line(g, "st_long %s = %s;", t, global_name(v));
	return t;
}

void gen_key_values(struct gen *g, struct expr *const *args, size_t n, struct keys *k)
{
	*k = (struct keys){ .n = n };
	for (size_t i = 0; i < n; i++) {
		k->values[i] = args[i] ? gen_expr(g, args[i]) : "0";
		k->strings[i] = args[i] && args[i]->type == T_STRING;
		k->any |= (unsigned)!args[i] << i;
	}
}

const char *gen_keys(struct gen *g, struct expr *const *args, size_t n, unsigned *any)
{
	struct keys k;

	gen_key_values(g, args, n, &k);
	*any = k.any;
	return gen_args(g, k.values, k.strings, n);
}

/* Long keys take long to look up: the handler's time may be over. */
static bool has_string_key(const struct expr *e)
{
	for (size_t i = 0; i < e->args.n; i++)
		if (e->args.v[i] && e->args.v[i]->type == T_STRING)
			return true;
	return false;
}

void gen_access(struct gen *g, const struct expr *e, unsigned any, const char *call)
{
	bool may_fail = e->var->percpu || any || has_string_key(e);

	if (may_fail)
		set_near(g, arena_printf("identifier '%s'", e->var->name), e->loc);
	gen_line(g, "%s", call);
	if (may_fail)
		check_error(g);
}

void gen_lookup(struct gen *g, const struct expr *e, const char *t, unsigned any, const char *k)
{
	gen_access(g, e, any, arena_printf("%s = st_map_get%s(c, %s, %s);", t,
					   e->var->type == T_STRING ? "_str" : "",
					   global_name(e->var), k));
}

/* The keys are in a block of their own, so that the next element's can use the same stack. */
static const char *gen_index(struct gen *g, struct expr *e)
{
	const char *t = gen_temp(g), *k;
	unsigned any;

	gen_line(g, "%s %s;", c_type(e->var->type), t);
	gen_line(g, "{");
	g->indent++;
	k = gen_keys(g, e->args.v, e->args.n, &any);
	gen_lookup(g, e, t, any, k);
	g->indent--;
	gen_line(g, "}");
	return e->var->type == T_STRING ? gen_stable(g, t) : t;
}

static const char *gen_in(struct gen *g, struct expr *e)
{
	const char *k, *t = gen_temp(g);
	unsigned any;

	gen_line(g, "st_long %s;", t);
	gen_line(g, "{");
	g->indent++;
	k = gen_keys(g, e->args.v, e->args.n, &any);
	gen_access(g, e, any, arena_printf("%s = st_map_has(c, %s, %s, %#x);", t,
					   global_name(e->var), k, any));
	g->indent--;
	gen_line(g, "}");
	return t;
}

/* ---- statistics -------------------------------------------------------- */

const char *gen_stat_at(struct gen *g, struct expr *e, const struct keys *k)
{
	const char *t = gen_temp(g), *call;

	gen_line(g, "const struct st_stat *%s;", t);
	gen_line(g, "{");
	g->indent++;
	if (e->kind == E_INDEX)
		call = arena_printf("st_map_get_stat(c, %s, %s)", global_name(e->var),
				    gen_args(g, k->values, k->strings, k->n));
	else
		call = arena_printf("st_agg_merge(c, %s)", global_name(e->var));
	gen_access(g, e, k->any, arena_printf("%s = %s;", t, call));
	g->indent--;
	gen_line(g, "}");
	return t;
}

const char *gen_stat(struct gen *g, struct expr *e)
{
	struct keys k = { 0 };

	if (e->kind == E_INDEX)
		gen_key_values(g, e->args.v, e->args.n, &k);
	return gen_stat_at(g, e, &k);
}

static const char *gen_stat_op(struct gen *g, struct expr *e)
{
	static const char *const ops[] = {
		[STAT_COUNT] = "ST_COUNT", [STAT_SUM] = "ST_SUM", [STAT_MIN] = "ST_MIN",
		[STAT_MAX] = "ST_MAX", [STAT_AVG] = "ST_AVG", [STAT_VARIANCE] = "ST_VARIANCE",
	};
	static const char *const names[] = {
		[STAT_COUNT] = "operator '@count'", [STAT_SUM] = "operator '@sum'",
		[STAT_MIN] = "operator '@min'", [STAT_MAX] = "operator '@max'",
		[STAT_AVG] = "operator '@avg'", [STAT_VARIANCE] = "operator '@variance'",
	};
	const char *st = gen_stat(g, e->a), *t = gen_temp(g);

	set_near(g, names[e->stat], e->loc);
	gen_line(g, "st_long %s = st_stat_get(c, %s, %s);", t, st, ops[e->stat]);
	check_error(g);
	return t;
}

static const char *gen_hist_index(struct gen *g, struct expr *e)
{
	const char *st = gen_stat(g, e->a->a), *i = gen_expr(g, e->b), *t = gen_temp(g);

	set_near(g, "histogram index", e->loc);
	gen_line(g, "st_long %s = st_hist_count(c, %s, &%s_decl, %s);", t, st,
	     global_name(e->a->a->var), i);
	check_error(g);
	return t;
}

/* ---- calls ------------------------------------------------------------- */

static const char *call_text(const struct function *f, const char *const *args, size_t n)
{
	struct sbuf b = { 0 };

	sbuf_printf(&b, "%s(c", f->builtin ? f->builtin->symbol : function_name(f));
	if (f->builtin && f->builtin->constant)
		sbuf_printf(&b, ", %s", f->builtin->constant);
	for (size_t i = 0; i < n; i++)
		sbuf_printf(&b, ", %s", args[i]);
	sbuf_putc(&b, ')');
	return sbuf_take(&b);
}

/* check_error() after a call, which adds the caller's position to the error. */
static void check_called(struct gen *g, const struct function *f, const struct expr *e)
{
	gen_line(g, "if (st_unlikely(c->error != 0)) {");
	if (f->embedded)
		gen_line(g, "\tc->near = %s;", near_string(g, arena_printf("identifier '%s'", f->name),
						       f->loc));
	gen_line(g, "\tst_called(c, %s);",
	     near_string(g, arena_printf("identifier '%s'", e->name), e->loc));
	gen_line(g, "\tgoto %s;", g->on_error);
	gen_line(g, "}");
}

/* A builtin that is pure never fails: failing would be an effect.  One that walks over text may use up
 * the handler's time. */
static bool never_fails(const struct function *f)
{
	return f->builtin && function_is(f, FN_PURE) && !function_is(f, FN_WALKS);
}

/* Calls F, and if it executes 'next', the next overload. */
static void gen_chain(struct gen *g, struct function *f, const char *t, const char *const *args,
		      const struct expr *e)
{
	const char *call = call_text(f, args, e->args.n), *type = c_type(f->type);
	bool declare = f == e->func;	/* the first declares T */

	if (f->type == T_VOID || !t)
		gen_line(g, "%s;", call);
	else
		gen_line(g, "%s%s%s = %s;", declare ? type : "", declare ? " " : "", t, call);
	if (never_fails(f))
		return;
	if (f->builtin)
		check_error(g);
	else
		check_called(g, f, e);
	if (!f->nexts)
		return;
	gen_line(g, "if (c->by_next) {");
	g->indent++;
	gen_line(g, "c->by_next = 0;");
	if (f->next_overload) {
		gen_chain(g, f->next_overload, t, args, e);
	} else {
		gen_line(g, "st_error(c, \"all functions exhausted\");");
		check_error(g);
	}
	g->indent--;
	gen_line(g, "}");
}

const char *gen_plain_call(struct gen *g, struct expr *e)
{
	const char **args = arena_alloc((e->args.n + 1) * sizeof(*args)), *t = NULL;

	for (size_t i = 0; i < e->args.n; i++)
		args[i] = gen_expr(g, e->args.v[i]);
	if (!never_fails(e->func))
		set_near(g, arena_printf("identifier '%s'", e->name), e->loc);
	g->scratch_ops += e->func->body ? 1 : 3;
	if (e->func->type != T_VOID)
		t = gen_temp(g);
	if (e->func->nexts)
		gen_line(g, "c->by_next = 0;");
	gen_chain(g, e->func, t, args, e);
	return t ? t : "0";
}

static const char *gen_call(struct gen *g, struct expr *e)
{
	const char *kept = gen_memo(g, e);

	return kept ? kept : gen_plain_call(g, e);
}

/* ---- target variables ------------------------------------------------------ */

const char *gen_indexes(struct gen *g, struct expr *e)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < e->access->indexes.n; i++)
		sbuf_printf(&b, "%s%s", i ? ", " : "", gen_expr(g, e->access->indexes.v[i]));
	return sbuf_take(&b);
}

/* Opens a block and declares ix[] in it. */
static void begin_block(struct gen *g, struct expr *e, const char *indexes)
{
	set_near(g, target_name(e->target), e->loc);
	gen_line(g, "{");
	g->indent++;
	if (*indexes)
		gen_line(g, "const st_long ix[] = { %s };", indexes);
}

static void end_block(struct gen *g)
{
	g->indent--;
	gen_line(g, "}");
	check_error(g);
}

const char *gen_target(struct gen *g, struct expr *e, const char *indexes)
{
	const char *t = gen_temp(g);

	if (e->type == T_STRING)
		g->scratch_ops += e->access->fetch.load->strings;
	gen_line(g, "%s %s;", c_type(e->type), t);
	begin_block(g, e, indexes);
	gen_line(g, "%s = %s;", t, fetch_text(e->access->fetch.load));
	end_block(g);
	return t;
}

static void store_target(struct gen *g, struct expr *e, const char *indexes, const char *value,
			 const struct term *store)
{
	begin_block(g, e, indexes);
	gen_line(g, "%s v = %s;", c_type(e->type), value);
	gen_line(g, "%s", fetch_text(store));
	end_block(g);
}

void gen_target_store(struct gen *g, struct expr *e, const char *indexes, const char *value)
{
	store_target(g, e, indexes, value, e->access->fetch.store);
}

void gen_target_append(struct gen *g, struct expr *e, const char *indexes, const char *value)
{
	store_target(g, e, indexes, value, e->access->fetch.append);
}

static const char *gen_entry_value(struct gen *g, struct expr *e)
{
	const char *t = gen_temp(g);
	unsigned p = e->saved->probe->index, i = e->saved->index;

	if (e->saved->type == T_STRING)
		gen_line(g, "struct st_str %s = { ((struct st_saved_%u *)c->saved)->v%u.b, "
		     "((struct st_saved_%u *)c->saved)->v%u.len };", t, p, i, p, i);
	else
		gen_line(g, "st_long %s = ((struct st_saved_%u *)c->saved)->v%u;", t, p, i);
	return t;
}

static const char *gen_deref(struct gen *g, struct expr *e)
{
	const char *size = gen_expr(g, e->a), *addr = gen_expr(g, e->b), *t = gen_temp(g);

	set_near(g, e->user ? "operator '@uderef'" : "operator '@kderef'", e->loc);
	if (e->a->kind != E_NUM) {
		gen_line(g, "if (%s != 1 && %s != 2 && %s != 4 && %s != 8)", size, size, size, size);
		gen_line(g, "\tst_error(c, \"%%lld is not a size of 1, 2, 4 or 8 bytes\", %s);", size);
	}
	gen_line(g, "st_long %s = %s(c, (unsigned long)%s, (unsigned int)%s);", t,
	     e->user ? "st_uread" : "st_kread", addr, size);
	check_error(g);
	return t;
}

static const char *gen_register(struct gen *g, struct expr *e)
{
	const struct arch *arch = arch_find(g->s->kernel->arch);
	const char *t = gen_temp(g);

	set_near(g, e->user ? "operator '@uregister'" : "operator '@kregister'", e->loc);
	gen_line(g, "st_long %s = (st_long)%s(c, %d);", t, e->user ? "st_ureg" : "st_reg",
	     arch->dwarf_reg(e->a->num));
	check_error(g);
	return t;
}

static const char *gen_counter(struct gen *g, struct expr *e)
{
	const char *t = gen_temp(g);

	set_near(g, "operator '@perf'", e->loc);
	gen_line(g, "st_long %s = st_perf_count(c, %uU);", t, e->counter);
	check_error(g);
	return t;
}

/* The C may be any expression. */
static const char *gen_const(struct gen *g, struct expr *e)
{
	const char *t = gen_temp(g);

	gen_line(g, "st_long %s = (st_long)(%s);", t, e->str);
	return t;
}

/* ---- all expressions --------------------------------------------------------- */

const char *gen_expr(struct gen *g, struct expr *e)
{
	if (e->type == T_STRING)
		gen_text(g, e);
	switch (e->kind) {
	case E_NUM:
		return c_number(e->num);
	case E_STR:
		return gen_literal(g, e->str);
	case E_SYMBOL:
		return gen_read_var(g, e->var);
	case E_INDEX:
		return gen_index(g, e);
	case E_TARGET:
		return gen_target(g, e, gen_indexes(g, e));
	case E_CALL:
		return gen_call(g, e);
	case E_UNARY:
		return gen_unary(g, e);
	case E_BINARY:
		return gen_binary(g, e);
	case E_TERNARY:
		return gen_ternary(g, e);
	case E_ASSIGN:
		return gen_assign(g, e, true);
	case E_INCDEC:
		return gen_incdec(g, e, true);
	case E_IN:
		return gen_in(g, e);
	case E_PRINT:
		return gen_print(g, e);
	case E_STAT:
		return gen_stat_op(g, e);
	case E_HIST_INDEX:
		return gen_hist_index(g, e);
	case E_ENTRY:
		return gen_entry_value(g, e);
	case E_DEREF:
		return gen_deref(g, e);
	case E_REGISTER:
		return gen_register(g, e);
	case E_CONST:
		return gen_const(g, e);
	case E_EMBEDDED:
		return gen_embedded_expr(g, e->embedded);
	case E_PROBEWRITE:
		return c_number(e->var && e->var->is_written);
	case E_REGEX:
		return gen_match(g, e);
	case E_PERF:
		return gen_counter(g, e);
	case E_HIST: case E_DEFINED:
		break;
	}
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "this operator is not supported yet");
	return "0";
}

void gen_effect(struct gen *g, struct expr *e)
{
	if (e->kind == E_ASSIGN)
		gen_assign(g, e, false);
	else if (e->kind == E_INCDEC)
		gen_incdec(g, e, false);
	else
		gen_expr(g, e);
}
