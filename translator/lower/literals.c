// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds locals that hold the same string literal whenever they are read, most
 * of them set by aliases (name = "open").  They need neither a buffer nor a
 * copy.
 *
 * Such a local is assigned once, by a statement at the top level of the body.
 * All code executed after the statement has passed it, so it only remains to
 * check that nothing before it reads the local.
 */
#include <string.h>

#include "base/arena.h"
#include "program/uses.h"
#include "lowering.h"

enum { READ = 1, WRITTEN = 2, WRITTEN_AGAIN = 4 };

struct finder {
	unsigned *seen;			/* by variable.index of the body's locals */
	size_t most;			/* longest string in bytes */
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

/* Returns the local that the statement sets to a literal, or NULL. */
static struct variable *given_literal(const struct finder *f, const struct stmt *s)
{
	const struct expr *e = s->kind == S_EXPR ? s->expr : NULL;

	if (!e || e->kind != E_ASSIGN || e->op != OP_NONE || e->a->kind != E_SYMBOL ||
	    e->b->kind != E_STR || strlen(e->b->str) > f->most)
		return NULL;
	return e->a->var->is_global || e->a->var->is_param ? NULL : e->a->var;
}

/*
 * Walks statements in the order of execution; those in loops and branches don't
 * count as assignments.
 */
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
	/* index 0 is for removed locals, which a foreach may still name */
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
