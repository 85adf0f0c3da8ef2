// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks over trees: children first, and each node may be replaced. */
#include "walk.h"

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

static void note_embedded(struct expr **slot, void *found)
{
	*(bool *)found |= (*slot)->kind == E_EMBEDDED;
}

static void note_nothing(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void note_embedded_stmt(struct stmt **slot, void *found)
{
	if (!*slot)
		return;
	*(bool *)found |= (*slot)->kind == S_EMBEDDED;
	stmt_children(*slot, note_nothing, note_embedded_stmt, found);
}

bool has_embedded_c(struct stmt *s)
{
	bool found = false;

	walk_stmt(s, note_embedded, &found);
	note_embedded_stmt(&s, &found);
	return found;
}

bool has_embedded_expr(struct expr *e)
{
	bool found = false;

	walk_expr(&e, note_embedded, &found);
	return found;
}

void walk_program(struct program *p, void (*fn)(struct stmt *, void *), void *arg)
{
	for (size_t i = 0; i < p->functions.n; i++)
		if (p->functions.v[i]->body)
			fn(p->functions.v[i]->body, arg);
	for (size_t i = 0; i < p->probes.n; i++)
		fn(p->probes.v[i]->body, arg);
}

void walk_exprs(struct program *prog, void (*fn)(struct expr **, void *), void *arg)
{
	for (size_t i = 0; i < prog->functions.n; i++)
		if (prog->functions.v[i]->body)
			walk_stmt(prog->functions.v[i]->body, fn, arg);
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		for (size_t j = 0; j < p->saved.n; j++)
			walk_expr(&p->saved.v[j]->expr, fn, arg);
		if (p->condition)
			walk_expr(&p->condition, fn, arg);
		walk_stmt(p->body, fn, arg);
	}
}
