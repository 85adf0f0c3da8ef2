// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Warns about variables that are read but never assigned, so always 0 or "":
 * most often the name is misspelled.  Only in the user's files, and once for
 * each position however many handlers contain it.
 */
#include "base/arena.h"
#include "sema.h"

struct search {
	const struct program *prog;
	vec(struct loc) told;
};

static bool told_before(struct search *s, struct loc at)
{
	for (size_t i = 0; i < s->told.n; i++)
		if (s->told.v[i].src == at.src && s->told.v[i].line == at.line &&
		    s->told.v[i].col == at.col)
			return true;
	vec_push(&s->told, at);
	return false;
}

/* AMONG are the variables of the same body; NULL: V is global. */
static void look_at(struct search *s, const struct variable *v, struct variable *const *among,
		    size_t n)
{
	vec(const char *) names = { 0 };

	if (!v->is_read || v->is_written || v->is_param || v->init || !v->loc.src ||
	    v->loc.src->library || told_before(s, v->loc))
		return;
	for (size_t i = 0; i < n; i++)
		if (among[i] != v)
			vec_push(&names, among[i]->name);
	for (size_t i = 0; i < s->prog->globals.n; i++)
		if (s->prog->globals.v[i] != v)
			vec_push(&names, s->prog->globals.v[i]->name);
	if (!v->name[1])		/* short names are all similar to each other */
		names.n = 0;

	const char *near = diag_nearest(v->name, names.v, names.n, 5);

	diag_at(DIAG_WARNING, v->loc, "never-assigned %s variable '%s'%s: identifier '%s'",
		among ? "local" : "global", v->name,
		near ? arena_printf(" (similar: %s)", near) : "", v->name);
}

void warn_unassigned(const struct program *prog)
{
	struct search s = { .prog = prog };

	for (size_t i = 0; i < prog->globals.n; i++)
		look_at(&s, prog->globals.v[i], NULL, 0);
	for (size_t i = 0; i < prog->probes.n; i++)
		for (size_t j = 0; j < prog->probes.v[i]->locals.n; j++)
			look_at(&s, prog->probes.v[i]->locals.v[j], prog->probes.v[i]->locals.v,
				prog->probes.v[i]->locals.n);
	for (size_t i = 0; i < prog->functions.n; i++)
		for (size_t j = 0; j < prog->functions.v[i]->locals.n; j++)
			look_at(&s, prog->functions.v[i]->locals.v[j],
				prog->functions.v[i]->locals.v, prog->functions.v[i]->locals.n);
}
