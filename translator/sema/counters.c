// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Links each @perf("name") to the counter of that name.  Any handler or
 * function may read it; it gets the count of the task or CPU it runs on.
 */
#include <string.h>

#include "base/arena.h"
#include "probes/perf.h"
#include "sema.h"

#define HINTS 3

struct linker {
	const struct program *prog;
	int failed;
};

static const struct perf_probe *find_counter(const struct program *prog, const char *name)
{
	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct perf_probe *c = perf_counter(prog->probes.v[i]);

		if (c && !strcmp(c->counter, name))
			return c;
	}
	return NULL;
}

static void refuse(struct linker *l, const struct expr *e)
{
	vec(const char *) names = { 0 };
	const char *near;

	for (size_t i = 0; i < l->prog->probes.n; i++)
		if (perf_counter(l->prog->probes.v[i]))
			vec_push(&names, perf_counter(l->prog->probes.v[i])->counter);
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "perf counter '%s' not defined: operator '@perf'",
		e->str);
	near = diag_nearest(e->str, names.v, names.n, HINTS);
	if (near)
		diag_hint("did you mean: %s", near);
	else
		diag_hint("probe perf.type(T).config(C).counter(\"%s\") {} defines it", e->str);
	l->failed = -1;
}

static void link_expr(struct expr **slot, void *arg)
{
	struct linker *l = arg;
	const struct perf_probe *counter;

	if ((*slot)->kind != E_PERF)
		return;
	counter = find_counter(l->prog, (*slot)->str);
	if (counter)
		(*slot)->counter = counter->counter_number;
	else
		refuse(l, *slot);
}

int link_counters(struct program *prog)
{
	struct linker l = { .prog = prog };

	walk_exprs(prog, link_expr, &l);
	return l.failed;
}
