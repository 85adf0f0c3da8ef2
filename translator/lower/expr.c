// SPDX-License-Identifier: GPL-2.0-or-later
/* Lowers expressions, except assignments (assign.c) and printing (print.c). */
#include "base/arena.h"
#include "lang/lang.h"
#include "lowering.h"

/* ---- strings ----------------------------------------------------------- */

static struct ir_operand lower_copy(struct lowering *lo, struct ir_operand slice)
{
	struct ir_operand t = lower_1(lo, IR_DUP, IR_STRING, slice);

	check_error(lo);
	return t;
}

/* Copies a slice if its source, part of a global, may change while it is used. */
static struct ir_operand lower_stable(struct lowering *lo, struct ir_operand slice)
{
	return lo->effects ? lower_copy(lo, slice) : slice;
}

static struct ir_operand lower_read_local(struct lowering *lo, const struct variable *v)
{
	struct ir_operand local = variable_operand(v);

	if (!lo->assigns)
		return local;
	return v->type == T_STRING ? lower_copy(lo, local) : lower_1(lo, IR_COPY, IR_WORD, local);
}

struct ir_operand lower_concat(struct lowering *lo, const char *what, struct loc at,
			       struct ir_operand a, struct ir_operand b)
{
	struct ir_op *op = lower_value(lo, IR_CONCAT, IR_STRING);

	set_near(op, what, at);
	add_arg(op, a);
	add_arg(op, b);
	check_error(lo);
	return result_of(lo, op);
}

/* ---- operators --------------------------------------------------------- */

struct ir_operand lower_arith(struct lowering *lo, const struct expr *e, struct ir_operand a,
			      struct ir_operand b)
{
	static const enum ir_opcode codes[] = {
		[OP_ADD] = IR_ADD, [OP_SUB] = IR_SUB, [OP_MUL] = IR_MUL, [OP_DIV] = IR_DIV,
		[OP_MOD] = IR_MOD, [OP_SHL] = IR_SHL, [OP_SHR] = IR_SHR, [OP_AND] = IR_AND,
		[OP_OR] = IR_OR, [OP_XOR] = IR_XOR,
	};
	struct ir_op *op = lower_value(lo, codes[e->op], IR_WORD);

	add_arg(op, a);
	add_arg(op, b);
	op->may_fail = (e->op == OP_DIV || e->op == OP_MOD) && !safe_divisor(e->b);
	if (op->may_fail) {
		set_near(op, e->op == OP_DIV ? "operator '/'" : "operator '%'", e->loc);
		check_error(lo);
	}
	return result_of(lo, op);
}

static struct ir_operand lower_compare(struct lowering *lo, struct expr *e)
{
	static const enum ir_opcode codes[2][OP_GE + 1] = {
		{ [OP_EQ] = IR_EQ, [OP_NE] = IR_NE, [OP_LT] = IR_LT, [OP_GT] = IR_GT,
		  [OP_LE] = IR_LE, [OP_GE] = IR_GE },
		{ [OP_EQ] = IR_STREQ, [OP_NE] = IR_STRNE, [OP_LT] = IR_STRLT, [OP_GT] = IR_STRGT,
		  [OP_LE] = IR_STRLE, [OP_GE] = IR_STRGE },
	};
	struct ir_operand a = lower_expr(lo, e->a), b = lower_expr(lo, e->b);

	return lower_2(lo, codes[e->a->type == T_STRING][e->op], IR_WORD, a, b);
}

/* Lowers && and ||, whose right operand runs only if the left one doesn't decide. */
static struct ir_operand lower_logical(struct lowering *lo, struct expr *e)
{
	struct ir_operand t = new_value(lo, IR_WORD), a = lower_expr(lo, e->a), b;
	unsigned long long called = lo->called;
	struct ir_op *op = lower_into(lo, e->op == OP_LAND ? IR_AND_THEN : IR_OR_ELSE, t);
	struct ir_block *outer = enter(lo, op, 0);

	add_arg(op, a);
	b = lower_expr(lo, e->b);
	add_arg(lower_into(lo, IR_TRUTH, t), b);
	lo->at = outer;
	lo->called = called;
	return t;
}

static struct ir_operand lower_binary(struct lowering *lo, struct expr *e)
{
	struct ir_operand a, b;

	switch (e->op) {
	case OP_LAND: case OP_LOR:
		return lower_logical(lo, e);
	case OP_EQ: case OP_NE: case OP_LT: case OP_GT: case OP_LE: case OP_GE:
		return lower_compare(lo, e);
	default:
		a = lower_expr(lo, e->a);
		b = lower_expr(lo, e->b);
		return e->op == OP_CONCAT ? lower_concat(lo, "operator '.'", e->loc, a, b)
					  : lower_arith(lo, e, a, b);
	}
}

static struct ir_operand lower_unary(struct lowering *lo, struct expr *e)
{
	struct ir_operand a = lower_expr(lo, e->a);

	switch (e->op) {
	case UOP_PLUS:
		return a;
	case UOP_NEG:
		return lower_1(lo, IR_NEG, IR_WORD, a);
	case UOP_NOT:
		return lower_1(lo, IR_NOT, IR_WORD, a);
	default:
		return lower_1(lo, IR_COMPLEMENT, IR_WORD, a);
	}
}

/* Lowers an alternative of '?:', and the assignment of its value if it has one. */
static void lower_alternative(struct lowering *lo, struct ir_operand t, struct expr *e)
{
	struct ir_operand value = lower_expr(lo, e);

	if (e->type != T_VOID)
		add_arg(lower_into(lo, IR_COPY, t), value);
}

static struct ir_operand lower_ternary(struct lowering *lo, struct expr *e)
{
	struct ir_operand t = e->type == T_VOID ? absent() : new_value(lo, ir_type_of(e->type));
	struct ir_operand condition = lower_expr(lo, e->a);
	unsigned long long called = lo->called;
	struct ir_op *op = lower_into(lo, IR_IF, t);
	struct ir_block *outer = enter(lo, op, 0);

	add_arg(op, condition);
	lower_alternative(lo, t, e->b);
	lo->called = called;
	enter(lo, op, 1);
	lower_alternative(lo, t, e->c);
	lo->at = outer;
	lo->called = called;
	return t;
}

/* ---- variables and arrays ---------------------------------------------- */

struct ir_operand lower_read(struct lowering *lo, const struct variable *v)
{
	struct ir_op *op;

	if (v->literal)
		return literal(v->literal);
	if (!v->is_global)
		return lower_read_local(lo, v);
	if (v->type == T_STRING)
		return lower_stable(lo, variable_operand(v));
	op = lower_value(lo, IR_LOAD, IR_WORD);
	op->symbol = v->index;
	return result_of(lo, op);
}

ir_operands lower_key_values(struct lowering *lo, struct expr *const *args, size_t n,
			     unsigned *any)
{
	ir_operands values = { 0 };

	*any = 0;
	for (size_t i = 0; i < n; i++) {
		struct ir_operand value = args[i] ? lower_expr(lo, args[i]) : absent();

		vec_push(&values, value);
		*any |= (unsigned)!args[i] << i;
	}
	return values;
}

struct ir_operand lower_tuple(struct lowering *lo, const ir_operands *values)
{
	struct ir_op *op = lower_value(lo, IR_TUPLE_OF, IR_TUPLE);

	op->args = *values;
	return result_of(lo, op);
}

struct ir_operand lower_keys(struct lowering *lo, struct expr *const *args, size_t n,
			     unsigned *any)
{
	ir_operands values = lower_key_values(lo, args, n, any);

	return lower_tuple(lo, &values);
}

/* Is any key a string?  Long keys take long to look up, and the handler's time may be over. */
static bool has_string_key(const struct expr *e)
{
	for (size_t i = 0; i < e->args.n; i++)
		if (e->args.v[i] && e->args.v[i]->type == T_STRING)
			return true;
	return false;
}

void access_global(struct lowering *lo, const struct expr *e, unsigned any, struct ir_op *op)
{
	op->symbol = e->var->index;
	op->may_fail = e->var->percpu || any || has_string_key(e);
	if (!op->may_fail)
		return;
	set_near(op, arena_printf("identifier '%s'", e->var->name), e->loc);
	check_error(lo);
}

/*
 * Lowers an array element.  The keys end with the block, so that the next element's can use the
 * same stack.
 */
static struct ir_operand lower_index(struct lowering *lo, struct expr *e)
{
	struct ir_operand t = new_value(lo, ir_type_of(e->var->type)), keys;
	struct ir_block *outer = enter(lo, lower_into(lo, IR_BLOCK, t), 0);
	struct ir_op *op;
	unsigned any;

	keys = lower_keys(lo, e->args.v, e->args.n, &any);
	op = lower_into(lo, IR_GET, t);
	add_arg(op, keys);
	access_global(lo, e, any, op);
	lo->at = outer;
	return e->var->type == T_STRING ? lower_stable(lo, t) : t;
}

static struct ir_operand lower_in(struct lowering *lo, struct expr *e)
{
	struct ir_operand t = new_value(lo, IR_WORD), keys;
	struct ir_block *outer = enter(lo, lower_into(lo, IR_BLOCK, t), 0);
	struct ir_op *op;
	unsigned any;

	keys = lower_keys(lo, e->args.v, e->args.n, &any);
	op = lower_into(lo, IR_HAS, t);
	op->n = any;
	add_arg(op, keys);
	access_global(lo, e, any, op);
	lo->at = outer;
	return t;
}

/* ---- statistics -------------------------------------------------------- */

struct ir_operand lower_stat_at(struct lowering *lo, struct expr *e, const ir_operands *keys)
{
	struct ir_operand t = new_value(lo, IR_STATISTIC), tuple = absent();
	struct ir_block *outer = enter(lo, lower_into(lo, IR_BLOCK, t), 0);
	bool is_element = e->kind == E_INDEX;
	struct ir_op *op;

	if (is_element)
		tuple = lower_tuple(lo, keys);
	op = lower_into(lo, is_element ? IR_STAT_AT : IR_STAT, t);
	if (is_element)
		add_arg(op, tuple);
	access_global(lo, e, 0, op);
	lo->at = outer;
	return t;
}

ir_operands lower_stat_keys(struct lowering *lo, struct expr *e)
{
	unsigned any;

	return e->kind == E_INDEX ? lower_key_values(lo, e->args.v, e->args.n, &any)
				  : (ir_operands){ 0 };
}

struct ir_operand lower_stat(struct lowering *lo, struct expr *e)
{
	ir_operands keys = lower_stat_keys(lo, e);

	return lower_stat_at(lo, e, &keys);
}

static struct ir_operand lower_extract(struct lowering *lo, struct expr *e)
{
	static const char *const names[] = {
		[STAT_COUNT] = "operator '@count'", [STAT_SUM] = "operator '@sum'",
		[STAT_MIN] = "operator '@min'", [STAT_MAX] = "operator '@max'",
		[STAT_AVG] = "operator '@avg'", [STAT_VARIANCE] = "operator '@variance'",
	};
	struct ir_operand stat = lower_stat(lo, e->a);
	struct ir_op *op = lower_value(lo, IR_EXTRACT, IR_WORD);

	op->n = e->stat;
	add_arg(op, stat);
	set_near(op, names[e->stat], e->loc);
	check_error(lo);
	return result_of(lo, op);
}

/*
 * Lowers a histogram's bucket.  Its number may come from a function that changes the statistic, so
 * the statistic is looked up last.
 */
static struct ir_operand lower_bucket(struct lowering *lo, struct expr *e)
{
	ir_operands keys = lower_stat_keys(lo, e->a->a);
	struct ir_operand i = lower_expr(lo, e->b), stat = lower_stat_at(lo, e->a->a, &keys);
	struct ir_op *op = lower_value(lo, IR_BUCKET, IR_WORD);

	op->symbol = e->a->a->var->index;
	add_arg(op, stat);
	add_arg(op, i);
	set_near(op, "histogram index", e->loc);
	check_error(lo);
	return result_of(lo, op);
}

/* ---- calls ------------------------------------------------------------- */

/*
 * Can the function never fail?  A pure builtin can't, because failing would be an effect, unless it
 * walks over text, which may use up the handler's time.
 */
static bool never_fails(const struct function *f)
{
	return f->builtin && function_is(f, FN_PURE) && !function_is(f, FN_WALKS);
}

/*
 * Appends a check behind a call.  For functions that scripts define, it adds the caller's position
 * to the error.
 */
static void check_called(struct lowering *lo, const struct function *f, const struct expr *e)
{
	struct ir_op *op;

	if (f->builtin) {
		check_error(lo);
		return;
	}
	op = lower_op(lo, IR_CHECK_CALL);
	op->symbol = f->index;
	set_near(op, arena_printf("identifier '%s'", e->name), e->loc);
}

static void lower_exhausted(struct lowering *lo, const struct expr *e)
{
	struct ir_op *op = lower_op(lo, IR_RAISE);

	op->text = "all functions exhausted";
	set_near(op, arena_printf("identifier '%s'", e->name), e->loc);
	check_error(lo);
}

/* Calls F, and if it executes 'next', the next overload. */
static void lower_chain(struct lowering *lo, struct function *f, struct ir_operand t,
			const ir_operands *args, const struct expr *e)
{
	struct ir_op *op = lower_into(lo, IR_CALL, f->type == T_VOID ? absent() : t);
	struct ir_block *outer;

	op->symbol = f->index;
	op->args = *args;
	op->may_fail = !never_fails(f);
	if (!op->may_fail)
		return;
	if (f == e->func)
		set_near(op, arena_printf("identifier '%s'", e->name), e->loc);
	check_called(lo, f, e);
	if (!f->nexts)
		return;
	outer = enter(lo, lower_into(lo, IR_PASSED, t), 0);
	if (f->next_overload)
		lower_chain(lo, f->next_overload, t, args, e);
	else
		lower_exhausted(lo, e);
	lo->at = outer;
}

struct ir_operand lower_plain_call(struct lowering *lo, struct expr *e)
{
	struct ir_operand t = absent();
	ir_operands args = { 0 };

	for (size_t i = 0; i < e->args.n; i++) {
		struct ir_operand arg = lower_expr(lo, e->args.v[i]);

		vec_push(&args, arg);
	}
	if (e->func->type != T_VOID)
		t = new_value(lo, ir_type_of(e->func->type));
	lower_chain(lo, e->func, t, &args, e);
	return t;
}

static struct ir_operand lower_call(struct lowering *lo, struct expr *e)
{
	struct ir_operand kept = lower_memo(lo, e);

	return kept.kind == IR_KEPT ? kept : lower_plain_call(lo, e);
}

/* ---- target variables ------------------------------------------------------ */

ir_operands lower_inputs(struct lowering *lo, struct expr *e)
{
	ir_operands inputs = { 0 };

	for (size_t i = 0; i < e->access->indexes.n; i++) {
		struct ir_operand input = lower_expr(lo, e->access->indexes.v[i]);

		vec_push(&inputs, input);
	}
	return inputs;
}

struct ir_operand lower_target(struct lowering *lo, struct expr *e, const ir_operands *inputs)
{
	struct ir_op *op = lower_value(lo, IR_FETCH, ir_type_of(e->type));

	op->term = e->access->fetch.load;
	op->args = *inputs;
	set_near(op, target_name(e->target), e->loc);
	check_error(lo);
	return result_of(lo, op);
}

void lower_put(struct lowering *lo, struct expr *e, const ir_operands *inputs,
	       struct ir_operand value, const struct term *how)
{
	struct ir_op *op = lower_op(lo, IR_PUT);

	op->term = how;
	add_arg(op, value);
	for (size_t i = 0; i < inputs->n; i++)
		add_arg(op, inputs->v[i]);
	set_near(op, target_name(e->target), e->loc);
	check_error(lo);
}

static struct ir_operand lower_entry_value(struct lowering *lo, struct expr *e)
{
	struct ir_op *op = lower_value(lo, IR_SAVED, ir_type_of(e->saved->type));

	op->symbol = e->saved->index;
	op->n = e->saved->probe->index;
	return result_of(lo, op);
}

static struct ir_operand lower_deref(struct lowering *lo, struct expr *e)
{
	struct ir_operand size = lower_expr(lo, e->a), address = lower_expr(lo, e->b);
	struct ir_op *op = lower_value(lo, e->user ? IR_UREAD : IR_KREAD, IR_WORD);

	add_arg(op, size);
	add_arg(op, address);
	set_near(op, e->user ? "operator '@uderef'" : "operator '@kderef'", e->loc);
	check_error(lo);
	return result_of(lo, op);
}

static struct ir_operand lower_register(struct lowering *lo, struct expr *e)
{
	struct ir_op *op = lower_value(lo, e->user ? IR_UREGISTER : IR_KREGISTER, IR_WORD);

	op->n = e->a->num;
	set_near(op, e->user ? "operator '@uregister'" : "operator '@kregister'", e->loc);
	check_error(lo);
	return result_of(lo, op);
}

static struct ir_operand lower_counter(struct lowering *lo, struct expr *e)
{
	struct ir_op *op = lower_value(lo, IR_PERF, IR_WORD);

	op->n = e->counter;
	set_near(op, "operator '@perf'", e->loc);
	check_error(lo);
	return result_of(lo, op);
}

/* ---- patterns, and C of users ------------------------------------------------- */

static unsigned pattern_number(const struct lowering *lo, const char *pattern)
{
	unsigned i = 0;

	while (lo->ir->patterns.v[i].text != pattern)
		i++;
	return i;
}

static struct ir_operand lower_match(struct lowering *lo, struct expr *e)
{
	struct ir_operand subject = lower_expr(lo, e->a);
	struct ir_op *op = lower_value(lo, e->op == OP_NOMATCH ? IR_NOMATCH : IR_MATCH, IR_WORD);

	op->symbol = pattern_number(lo, e->b->str);
	add_arg(op, subject);
	set_near(op, arena_printf("operator '%s'", op_text(e->op)), e->loc);
	check_error(lo);
	return result_of(lo, op);
}

static struct ir_operand lower_constant(struct lowering *lo, struct expr *e)
{
	struct ir_op *op = lower_value(lo, IR_CONSTANT, IR_WORD);

	op->text = e->str;
	return result_of(lo, op);
}

static struct ir_operand lower_embedded_value(struct lowering *lo, const struct embedded *e)
{
	struct ir_op *op = lower_value(lo, IR_FOREIGN_VALUE, e->string ? IR_STRING : IR_WORD);

	op->text = e->code;
	op->foreign = foreign_of(e);
	op->may_fail = e->string || e->write_vars.n;
	if (op->may_fail)
		check_error(lo);
	return result_of(lo, op);
}

/* ---- all expressions --------------------------------------------------------- */

struct ir_operand lower_expr(struct lowering *lo, struct expr *e)
{
	ir_operands inputs;

	if (e->type == T_STRING)
		lower_text(lo, e);
	switch (e->kind) {
	case E_NUM:
		return number(e->num);
	case E_STR:
		return literal(e->str);
	case E_SYMBOL:
		return lower_read(lo, e->var);
	case E_INDEX:
		return lower_index(lo, e);
	case E_TARGET:
		inputs = lower_inputs(lo, e);
		return lower_target(lo, e, &inputs);
	case E_CALL:
		return lower_call(lo, e);
	case E_UNARY:
		return lower_unary(lo, e);
	case E_BINARY:
		return lower_binary(lo, e);
	case E_TERNARY:
		return lower_ternary(lo, e);
	case E_ASSIGN:
		return lower_assign(lo, e, true);
	case E_INCDEC:
		return lower_incdec(lo, e, true);
	case E_IN:
		return lower_in(lo, e);
	case E_PRINT:
		return lower_print(lo, e);
	case E_STAT:
		return lower_extract(lo, e);
	case E_HIST_INDEX:
		return lower_bucket(lo, e);
	case E_ENTRY:
		return lower_entry_value(lo, e);
	case E_DEREF:
		return lower_deref(lo, e);
	case E_REGISTER:
		return lower_register(lo, e);
	case E_CONST:
		return lower_constant(lo, e);
	case E_EMBEDDED:
		return lower_embedded_value(lo, e->embedded);
	case E_PROBEWRITE:
		return number(e->var && e->var->is_written);
	case E_REGEX:
		return lower_match(lo, e);
	case E_PERF:
		return lower_counter(lo, e);
	case E_HIST: case E_DEFINED:
		break;
	}
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "this operator is not supported yet");
	return absent();
}

void lower_effect(struct lowering *lo, struct expr *e)
{
	if (e->kind == E_ASSIGN)
		lower_assign(lo, e, false);
	else if (e->kind == E_INCDEC)
		lower_incdec(lo, e, false);
	else
		lower_expr(lo, e);
}
