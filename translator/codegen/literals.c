// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locals that are a string literal whenever they are read: what aliases set
 * (name = "open") most of all.  They need neither a buffer nor a copy.
 *
 * Such a local is assigned to once, by a statement of the body's own: whatever is
 * executed after that statement has passed it, so that the one thing to look at
 * is that nothing before it reads the variable.
 */
#include <string.h>

#include "base/arena.h"
#include "program/uses.h"
#include "gen.h"

enum { READ = 1, WRITTEN = 2, WRITTEN_AGAIN = 4 };

struct finder {
	unsigned *seen;			/* per local of the body, by variable.index */
	size_t most;			/* bytes a string variable holds */
};

static void note_write(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct finder *f = arg;

	(void)e;
	if (!v->is_global && (how & (USE_WRITE | USE_ADD)))
		f->seen[v->index] |= f->seen[v->index] & WRITTEN ? WRITTEN_AGAIN : WRITTEN;
}

static void note_read(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct finder *f = arg;

	(void)e;
	if (!v->is_global && (how & USE_READ))
		f->seen[v->index] |= READ;
}

/* The variable a statement gives a literal; NULL: it does something else. */
static struct variable *given_literal(const struct finder *f, const struct stmt *s)
{
	const struct expr *e = s->kind == S_EXPR ? s->expr : NULL;

	if (!e || e->kind != E_ASSIGN || e->op != OP_NONE || e->a->kind != E_SYMBOL ||
	    e->b->kind != E_STR || strlen(e->b->str) > f->most)
		return NULL;
	return e->a->var->is_global || e->a->var->is_param ? NULL : e->a->var;
}

/* In the order they are executed; what is nested in loops and branches isn't looked at. */
static void find_in(struct finder *f, struct stmt *s)
{
	struct variable *v = given_literal(f, s);

	if (s->kind == S_BLOCK) {
		for (size_t i = 0; i < s->body.n; i++)
			find_in(f, s->body.v[i]);
	} else if (v && f->seen[v->index] == WRITTEN) {
		v->literal = s->expr->b->str;
	} else {
		find_uses(s, note_read, f);
	}
}

static void find_in_body(struct finder *f, struct stmt *body, struct variable *const *locals,
			 size_t n, struct variable *const *params, size_t nparams)
{
	/* 0: those elided, which a foreach may still name */
	f->seen = arena_alloc((n + nparams + 1) * sizeof(*f->seen));
	for (size_t i = 0; i < n; i++)
		locals[i]->index = 1 + i;
	for (size_t i = 0; i < nparams; i++)
		params[i]->index = 1 + n + i;
	find_uses(body, note_write, f);
	find_in(f, body);
}

void find_literals(struct program *prog, int64_t maxstring)
{
	struct finder f = { .most = maxstring - 1 };

	for (size_t i = 0; i < prog->functions.n; i++) {
		struct function *fn = prog->functions.v[i];

		if (fn->body)
			find_in_body(&f, fn->body, fn->locals.v, fn->locals.n, fn->params.v,
				     fn->params.n);
	}
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		find_in_body(&f, p->body, p->locals.v, p->locals.n, NULL, 0);
	}
}
