// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -l and -L: the places a probe point comes to, sorted, each once; with -L the
 * variables a handler sees there.  A point that was reached through an alias
 * is listed by the alias's name, with the variables its prologue sets.
 */
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "passes.h"
#include "probes/family.h"
#include "sema/program.h"
#include "sema/sema.h"
#include "session.h"

typedef vec(const char *) names;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *alias_variables(const struct probe *p)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < p->locals.n; i++)
		sbuf_printf(&b, "%s%s:%s", i ? " " : "", p->locals.v[i]->name,
			    type_text(p->locals.v[i]->type));
	return sbuf_take(&b);
}

static const char *entry(struct session *s, struct probe *p, const struct site *site,
			 bool alias)
{
	const char *name = alias ? site->pn : site->pp, *vars = "";

	if (s->list_vars && alias)
		vars = alias_variables(p);
	else if (s->list_vars && p->family->list_variables)
		vars = p->family->list_variables(s, p);
	return *vars ? arena_printf("%s %s", name, vars) : name;
}

int list_probes(struct session *s)
{
	derived_list found = { 0 };
	names out = { 0 };
	const char *last = NULL;

	s->target = target_open(s);
	for (size_t i = 0; i < s->files.v[0]->probes.n; i++)
		if (expand_points(s, s->files.v[0]->probes.v[i], &found) < 0)
			return 1;
	for (size_t i = 0; i < found.n; i++) {
		struct probe *p = found.v[i].probe;
		bool alias = found.v[i].before.n || found.v[i].after.n;

		if (session_interrupted())
			return 1;
		for (size_t j = 0; j < p->sites.n; j++)
			vec_push(&out, entry(s, p, &p->sites.v[j], alias));
	}
	if (out.n)
		qsort(out.v, out.n, sizeof(*out.v), by_text);
	for (size_t i = 0; i < out.n; i++) {
		if (!last || strcmp(last, out.v[i]))
			puts(out.v[i]);
		last = out.v[i];
	}
	return out.n ? 0 : 1;
}
