// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What functions need with those that they call (ir_needs()).
 *
 * The needs of chains of one call are the functions' own.  Chains of one call more need a function's own
 * and the most that a callee's chains need, and so on, until nothing changes, or the chains
 * are as long as calls may nest.  With at most three calls within each other, in
 *
 *	function a(n) { return n ? b(n - 1) : c() }	needs 2
 *	function b(n) { return a(n) }			needs 20
 *	function c() { return "" }			needs 1
 *
 * a needs 2 + 20 + 2, and b 20 + 2 + 20.
 */
#include "base/arena.h"
#include "ir/ir.h"

static void note_callee(struct ir_op *op, void *arg)
{
	ir_numbers *callees = arg;

	if (op->code == IR_CALL)
		vec_push(callees, op->symbol);
}

static ir_numbers *callees_of(const struct ir_program *p)
{
	ir_numbers *all = arena_alloc((p->functions.n + 1) * sizeof(*all));

	for (size_t i = 0; i < p->functions.n; i++)
		if (p->functions.v[i].body)
			ir_each(&p->functions.v[i].body->block, note_callee, &all[i]);
	return all;
}

static int64_t most_of(const ir_numbers *functions, const int64_t *needs)
{
	int64_t most = 0;

	for (size_t i = 0; i < functions->n; i++)
		if (needs[functions->v[i]] > most)
			most = needs[functions->v[i]];
	return most;
}

int64_t *ir_needs(const struct ir_program *p, const int64_t *own)
{
	size_t bytes = (p->functions.n + 1) * sizeof(int64_t);
	int64_t *needs = arena_alloc(bytes), *longer = arena_alloc(bytes), *swapped;
	const ir_numbers *callees = callees_of(p);
	bool changed = true;

	for (int64_t calls = 0; changed && calls <= p->limits.nesting; calls++) {
		changed = false;
		for (size_t i = 0; i < p->functions.n; i++) {
			longer[i] = own[i] + most_of(&callees[i], needs);
			changed |= longer[i] != needs[i];
		}
		swapped = needs;
		needs = longer;
		longer = swapped;
	}
	return needs;
}

int64_t ir_need_below(const struct ir_body *b, const int64_t *needs)
{
	ir_numbers callees = { 0 };

	if (b)
		ir_each(&b->block, note_callee, &callees);
	return most_of(&callees, needs);
}
