// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probe conditions: probe … if (expr).
 *
 * A probe is armed or disarmed when a handler writes one of the globals in its
 * condition (backend/module/conditions.c), not evaluated at each hit.  So a condition
 * may depend on globals only: not on locals or target variables, and not on functions,
 * because their results may change without a write to a global.  It may not have
 * effects either.
 */
#include "base/arena.h"
#include "program/uses.h"
#include "sema.h"

struct check {
	int failed;
};

static void refuse(struct check *ck, const struct expr *e, const char *what, const char *kind,
		   const char *name)
{
	ck->failed = -1;
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "probe condition must not %s: %s '%s'", what, kind,
		name);
}

static void check_expr(struct expr **slot, void *arg)
{
	struct check *ck = arg;
	const struct expr *e = *slot;

	switch (e->kind) {
	case E_SYMBOL:
		if (e->var && !e->var->is_global)
			refuse(ck, e, "reference undeclared global", "identifier", e->name);
		break;
	case E_CALL:
		refuse(ck, e, "reference function", "identifier", e->name);
		break;
	case E_TARGET:
		refuse(ck, e, "reference target variable", "identifier",
		       e->target->name ? e->target->name : "->");
		break;
	case E_ASSIGN:
		refuse(ck, e, "modify any variables", "operator",
		       e->op ? arena_printf("%s=", op_text(e->op)) : "=");
		break;
	case E_INCDEC:
		refuse(ck, e, "modify any variables", "operator", e->delta > 0 ? "++" : "--");
		break;
	case E_PRINT:
		if (!e->print->to_string)
			refuse(ck, e, "print", "identifier", "print");
		break;
	case E_ENTRY: case E_PERF: case E_DEREF: case E_REGISTER: case E_EMBEDDED: case E_DEFINED:
		refuse(ck, e, "look outside the script", "operator",
		       e->kind == E_ENTRY ? "@entry" : e->kind == E_PERF ? "@perf" :
		       e->kind == E_DEFINED ? "@defined" : e->kind == E_EMBEDDED ? "%{" : e->kind == E_DEREF ?
		       (e->user ? "@uderef" : "@kderef") :
		       (e->user ? "@uregister" : "@kregister"));
		break;
	default:
		break;
	}
}

int check_conditions(struct program *prog)
{
	struct check ck = { 0 };

	for (size_t i = 0; i < prog->probes.n; i++)
		if (prog->probes.v[i]->condition)
			walk_expr(&prog->probes.v[i]->condition, check_expr, &ck);
	return ck.failed;
}

/* ---- handlers that decide a condition --------------------------------------- */

struct finder {
	const unsigned *use;
	bool found;
};

static void note_read(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct finder *f = arg;

	(void)how, (void)e;
	f->found |= v->is_global && (f->use[v->index] & (USE_WRITE | USE_ADD));
}

void link_conditions(struct program *prog, struct probe *p, const unsigned *use)
{
	p->decides.n = 0;
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *other = prog->probes.v[i];
		struct finder f = { .use = use };

		if (!other->condition || other->armed_by != other)
			continue;
		find_expr_uses(other->condition, note_read, &f);
		if (f.found)
			vec_push(&p->decides, other);
	}
}

/* Makes the first probe with a condition decide for all probes with an equal one. */
void share_conditions(struct program *prog)
{
	struct probe *last = NULL;

	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		if (!p->condition)
			continue;
		if (!last || last->condition != p->condition)
			last = p;
		p->armed_by = last;
	}
}
