// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Works out the default of MAXNESTING: the depth of the script's calls without
 * recursion; with recursion, further levels as SystemTap allows, which counts
 * the call that closes a cycle too.
 */
#include "base/arena.h"
#include "program/uses.h"
#include "lowering.h"

enum { RECURSION = 11, LEAST = 10 };

struct nesting {
	unsigned *depth;		/* by function, with its callees; 0: not known yet */
	bool *busy;
	bool recursive;
	unsigned most;			/* of the callees examined so far */
};

static void look_at_call(struct function *f, void *arg)
{
	struct nesting *n = arg;
	unsigned outer = n->most, depth = 1;

	if (n->busy[f->index]) {
		n->recursive = true;
	} else if (n->depth[f->index]) {
		depth = n->depth[f->index];
	} else {
		n->busy[f->index] = true;
		n->most = 0;
		if (f->body)
			find_calls(f->body, look_at_call, n);
		n->busy[f->index] = false;
		depth = n->depth[f->index] = n->most + 1;
	}
	n->most = depth > outer ? depth : outer;
}

int64_t default_nesting(const struct program *prog)
{
	struct nesting n = {
		.depth = arena_alloc((prog->functions.n + 1) * sizeof(unsigned)),
		.busy = arena_alloc((prog->functions.n + 1) * sizeof(bool)),
	};

	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct probe *p = prog->probes.v[i];

		find_calls(p->body, look_at_call, &n);
		for (size_t j = 0; j < p->saved.n; j++)
			find_expr_calls(p->saved.v[j]->expr, look_at_call, &n);
	}
	if (n.recursive)
		n.most += RECURSION;
	else if (n.most < LEAST)
		n.most = LEAST;
	return n.most < ST_NESTING_MOST ? n.most : ST_NESTING_MOST;
}
