// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the script's functions need of calls within each other: how deep they go, how many frames of the kernel's
 * their loops take if no call takes one, and how many calls one makes, loops aside.
 *
 *	function f(n) { foreach (k in a) g(k) }		height 2, loops 1, calls 2
 *	function h(n) { return n ? h(n - 1) : 0 }	height ENDLESS, loops 0, calls CALLS_MANY
 */
#include "base/arena.h"
#include "gen.h"

struct counting {
	struct bpf_plan *plan;
	unsigned loops;			/* around the operation */
	struct bpf_depth *of;
};

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Returns how many functions within each other the operation calls, or has the kernel call. */
static unsigned own_functions(const struct bpf_plan *plan, const struct ir_op *op)
{
	bool builtin = op->code == IR_CALL && plan->ir->functions.v[op->symbol].written_in != IR_SCRIPT;

	if (plan->waits && (builtin || op->code == IR_FETCH))
		return COMES_LEVELS;
	switch (op->code) {
	case IR_PRINT:
	case IR_PRINT_HIST:
	case IR_MATCH:
	case IR_NOMATCH:
	case IR_CLEAR:
	case IR_DELETE:
	case IR_HAS:
	case IR_SET:
	case IR_PLUS_AT:
	case IR_MINUS_AT:
	case IR_RECORD:
	case IR_RECORD_AT:
	case IR_FOREACH:
		return 1;
	default:
		return builtin;
	}
}

static void count_block(struct counting *c, const struct ir_block *b);

static void count_op(struct counting *c, const struct ir_op *op)
{
	const struct ir_program *ir = c->plan->ir;
	bool loops = op->code == IR_LOOP || op->code == IR_FOREACH || op->code == IR_BUCKETS;

	if (op->code == IR_CALL && ir->functions.v[op->symbol].written_in == IR_SCRIPT) {
		const struct bpf_depth *callee = bpf_depth(c->plan, op->symbol);

		c->of->height = most(c->of->height, callee->height < ENDLESS ? callee->height + 1 : ENDLESS);
		c->of->loops = most(c->of->loops, c->loops + callee->loops);
		c->of->calls += callee->calls;
		if (c->of->calls > CALLS_MANY)
			c->of->calls = CALLS_MANY;
	}
	c->loops += loops;
	c->of->loops = most(c->of->loops, c->loops + own_functions(c->plan, op));
	count_block(c, op->blocks[0]);
	count_block(c, op->blocks[1]);
	c->loops -= loops;
}

static void count_block(struct counting *c, const struct ir_block *b)
{
	for (size_t i = 0; b && i < b->ops.n; i++)
		count_op(c, b->ops.v[i]);
}

const struct bpf_depth *bpf_depth(struct bpf_plan *plan, unsigned function)
{
	struct bpf_depth of = { .height = 1, .calls = 1 };
	struct counting c = { .plan = plan, .of = &of };

	if (!plan->depths)
		plan->depths = arena_alloc(plan->ir->functions.n * sizeof(*plan->depths));
	if (!plan->depths[function].height) {
		plan->depths[function].height = ENDLESS;	/* to those that it calls */
		plan->depths[function].calls = CALLS_MANY;
		count_block(&c, &plan->ir->functions.v[function].body->block);
		plan->depths[function] = of;
	}
	return &plan->depths[function];
}
