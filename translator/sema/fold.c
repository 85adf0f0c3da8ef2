// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Constant folding.
 *
 * An expression of literals becomes a literal, computed as the runtime would:
 * 64-bit numbers that wrap, shifts by 0 to 63, strings compared byte by byte.
 * An expression that fails at run time, a division by zero, is left alone.  So is a
 * string that the runtime would cut because it is longer than MAXSTRINGLEN.  Where a
 * literal decides '&&', '||' or '?:', the operand that is never evaluated is removed;
 * dead.c removes statements.
 *
 * Nodes are rewritten in place, because both a target variable's path and its
 * access refer to an index expression.
 */
#include <string.h>

#include "base/arena.h"
#include "sema.h"

struct folder {
	size_t most;			/* longest string in bytes */
};

/* Replaces E's contents by WITH's; a literal keeps E's position. */
static void become(struct expr *e, const struct expr *with)
{
	struct loc loc = with->kind == E_NUM || with->kind == E_STR ? e->loc : with->loc;

	*e = *with;
	e->loc = loc;
}

static void become_number(struct expr *e, int64_t n)
{
	become(e, expr_num(n, e->loc));
}

/* Divides by -1 without overflow, because C leaves INT64_MIN / -1 undefined. */
static int64_t divide(enum op op, int64_t a, int64_t b)
{
	if (b == -1)
		return op == OP_DIV ? (int64_t)-(uint64_t)a : 0;
	return op == OP_DIV ? a / b : a % b;
}

static bool fold_numbers(enum op op, int64_t a, int64_t b, int64_t *out)
{
	uint64_t ua = a, ub = b;

	switch (op) {
	case OP_ADD: *out = ua + ub; break;
	case OP_SUB: *out = ua - ub; break;
	case OP_MUL: *out = ua * ub; break;
	case OP_SHL: *out = ub < 64 ? (int64_t)(ua << ub) : a; break;
	case OP_SHR: *out = ub < 64 ? a >> ub : a; break;
	case OP_AND: *out = a & b; break;
	case OP_OR: *out = a | b; break;
	case OP_XOR: *out = a ^ b; break;
	case OP_EQ: *out = a == b; break;
	case OP_NE: *out = a != b; break;
	case OP_LT: *out = a < b; break;
	case OP_GT: *out = a > b; break;
	case OP_LE: *out = a <= b; break;
	case OP_GE: *out = a >= b; break;
	case OP_DIV: case OP_MOD:
		if (b == 0)
			return false;
		*out = divide(op, a, b);
		break;
	default:
		return false;
	}
	return true;
}

static void fold_strings(struct folder *f, struct expr *e)
{
	const char *a = e->a->str, *b = e->b->str;
	int64_t n;

	if (e->op == OP_CONCAT && strlen(a) + strlen(b) <= f->most)
		become(e, expr_str(intern(arena_printf("%s%s", a, b)), e->loc));
	else if (e->op >= OP_EQ && e->op <= OP_GE && fold_numbers(e->op, strcmp(a, b), 0, &n))
		become_number(e, n);
}

/* Replaces E by the truth value of OF. */
static void become_truth(struct expr *e, struct expr *of)
{
	if (of->kind == E_NUM) {
		become_number(e, of->num != 0);
		return;
	}
	e->op = OP_NE;
	e->a = of;
	e->b = expr_num(0, e->loc);
}

static void fold_logic(struct expr *e)
{
	bool decides = e->op == OP_LOR;		/* the truth value that decides */

	if (e->a->kind == E_NUM) {
		if ((e->a->num != 0) == decides)
			become_number(e, decides);
		else
			become_truth(e, e->b);
	} else if (e->b->kind == E_NUM) {
		if ((e->b->num != 0) != decides)
			become_truth(e, e->a);
		else if (!has_effect(e->a))
			become_number(e, decides);
	}
}

static void fold_binary(struct folder *f, struct expr *e)
{
	int64_t n;

	if (e->op == OP_LAND || e->op == OP_LOR)
		fold_logic(e);
	else if (e->a->kind == E_NUM && e->b->kind == E_NUM &&
		 fold_numbers(e->op, e->a->num, e->b->num, &n))
		become_number(e, n);
	else if (e->a->kind == E_STR && e->b->kind == E_STR)
		fold_strings(f, e);
}

static void fold_unary(struct expr *e)
{
	int64_t n = e->a->num;

	if (e->a->kind != E_NUM)
		return;
	switch (e->op) {
	case UOP_NEG:
		n = -(uint64_t)n;
		break;
	case UOP_NOT:
		n = !n;
		break;
	case UOP_COMPL:
		n = ~n;
		break;
	default:
		break;
	}
	become_number(e, n);
}

static void fold_one(struct expr **slot, void *arg)
{
	struct expr *e = *slot;

	if (e->kind == E_BINARY)
		fold_binary(arg, e);
	else if (e->kind == E_UNARY)
		fold_unary(e);
	else if (e->kind == E_TERNARY && e->a->kind == E_NUM)
		become(e, e->a->num ? e->b : e->c);
}

void fold_literals(struct program *prog, int64_t maxstring)
{
	struct folder f = { .most = maxstring - 1 };

	walk_exprs(prog, fold_one, &f);
}
