// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Refuses functions that call each other so deeply that this program's stack would not hold a
 * walk along the calls.
 *
 * Most steps that look at functions go from a call into the function called, through the
 * statements and expressions around the next call, and on.  So what counts is the depth of all
 * bodies on the way: in
 *
 *	function a(n) { return b(n) + 1 }
 *	function b(n) { if (n) return c(n) }
 *
 * a walk from a through b to c is inside two blocks, two returns, the +, the if and two calls.
 * For functions that call each other, all bodies count, since a walk may meet them in any order.
 */
#include "base/arena.h"
#include "program/groups.h"
#include "sema.h"

/* Levels of a walk, of some hundred bytes each. */
enum { MOST_LEVELS = 50000 };

static unsigned deepest(const unsigned *depths, const function_list *l)
{
	unsigned most = 0;

	for (size_t i = 0; i < l->n; i++)
		most = depths[l->v[i]->index] > most ? depths[l->v[i]->index] : most;
	return most;
}

/* Returns the depth of the bodies in L, which call each other, without their other callees. */
static uint64_t own_depth(const function_list *l)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->n; i++)
		sum += 1 + (l->v[i]->body ? l->v[i]->body->depth : 0);
	return sum;
}

int check_call_depth(const struct program *prog)
{
	call_group_list groups = find_call_groups(prog);
	unsigned *depths = arena_alloc((prog->functions.n + 1) * sizeof(*depths));

	for (size_t i = 0; i < groups.n; i++) {
		const struct call_group *g = &groups.v[i];
		const struct function *f = g->functions.v[0];
		uint64_t depth = own_depth(&g->functions) + deepest(depths, &g->callees);

		if (depth > MOST_LEVELS) {
			diag_at(DIAG_SEMANTIC_ERROR, f->loc, "the calls from this function on are nested "
				"too deeply: identifier '%s'", f->name);
			diag_hint("the functions that it calls, the functions that those call and so on, "
				  "are more than %d calls, statements and expressions inside each "
				  "other", MOST_LEVELS);
			return -1;
		}
		for (size_t j = 0; j < g->functions.n; j++)
			depths[g->functions.v[j]->index] = depth;
	}
	return 0;
}
