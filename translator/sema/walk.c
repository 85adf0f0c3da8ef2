// SPDX-License-Identifier: GPL-2.0-or-later
/* Walking trees: children first, every slot replaceable. */
#include "sema.h"

struct walk {
	void (*fn)(struct expr **, void *);
	void *arg;
};

static void visit_expr(struct expr **slot, void *arg)
{
	struct walk *w = arg;

	if (!*slot)
		return;
	expr_children(*slot, visit_expr, w);
	w->fn(slot, w->arg);
}

static void visit_stmt(struct stmt **slot, void *arg)
{
	if (*slot)
		stmt_children(*slot, visit_expr, visit_stmt, arg);
}

void walk_expr(struct expr **e, void (*fn)(struct expr **, void *), void *arg)
{
	struct walk w = { fn, arg };

	visit_expr(e, &w);
}

void walk_stmt(struct stmt *s, void (*fn)(struct expr **, void *), void *arg)
{
	struct walk w = { fn, arg };

	visit_stmt(&s, &w);
}

void walk_program(struct program *p, void (*fn)(struct stmt *, void *), void *arg)
{
	for (size_t i = 0; i < p->functions.n; i++)
		if (p->functions.v[i]->body)
			fn(p->functions.v[i]->body, arg);
	for (size_t i = 0; i < p->probes.n; i++)
		fn(p->probes.v[i]->body, arg);
}
