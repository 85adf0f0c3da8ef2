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
#include "lowering.h"

/* bits of lowering.called */
enum { MOST_MEMOS = 16 };

static bool is_stable(const struct expr *e)
{
	const struct function *f = e->kind == E_CALL ? e->func : NULL;

	return f && function_is(f, FN_PURE) && function_is(f, FN_STABLE) && !f->params.n &&
	       !f->nexts && f->type != T_VOID;
}

static unsigned find_memo(const struct lowering *lo, const struct function *f)
{
	unsigned i = 0;

	while (i < lo->memos.n && lo->memos.v[i].func != f)
		i++;
	return i;
}

struct counter {
	struct lowering *lo;
	unsigned each;			/* the number that a call counts as: 2 in loops */
};

static void count_call(struct expr **slot, void *arg)
{
	struct counter *c = arg;
	unsigned i;

	if (!is_stable(*slot))
		return;
	i = find_memo(c->lo, (*slot)->func);
	if (i == c->lo->memos.n)
		vec_push(&c->lo->memos, ((struct memo){ .func = (*slot)->func }));
	c->lo->memos.v[i].calls += c->each;
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

void find_memos(struct lowering *lo, struct stmt *body)
{
	struct counter c = { lo, 1 };
	size_t kept = 0;

	count_stmt(&body, &c);
	for (size_t i = 0; i < lo->memos.n && kept < MOST_MEMOS; i++)
		if (lo->memos.v[i].calls > 1)
			lo->memos.v[kept++] = lo->memos.v[i];
	lo->memos.n = kept;
	for (size_t i = 0; i < kept; i++)
		vec_push(&lo->body->kept, ir_type_of(lo->memos.v[i].func->type));
}

struct ir_operand lower_memo(struct lowering *lo, struct expr *e)
{
	unsigned i = find_memo(lo, e->func);

	if (i == lo->memos.n)
		return absent();
	if (!(lo->called & 1ull << i)) {
		struct ir_operand value = lower_plain_call(lo, e);
		struct ir_op *op = lower_op(lo, IR_KEEP);

		op->symbol = i;
		add_arg(op, value);
		lo->called |= 1ull << i;
	}
	return (struct ir_operand){ IR_KEPT, ir_type_of(e->func->type), .index = i };
}

static void call_now(struct expr **slot, void *arg)
{
	if ((*slot)->kind == E_CALL)
		lower_memo(arg, *slot);
}

void lower_memos_of(struct lowering *lo, struct stmt *loop)
{
	walk_stmt(loop, call_now, lo);
}
