// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tables of a program that the interpreter runs: limits, globals, probes, places. */
#include "user.h"

#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "ir/ir.h"
#include "probes/family.h"
#include "program/program.h"
#include "regex/regex.h"
#include "interpreter/run.h"

static struct st_stat_decl stat_decl(const struct ir_shape *shape)
{
	static const int kinds[] = {
		[IR_NO_HIST] = ST_HIST_NONE, [IR_LOG] = ST_HIST_LOG, [IR_LINEAR] = ST_HIST_LINEAR,
	};

	return (struct st_stat_decl){
		.ops = shape->extracts, .hist = kinds[shape->hist], .lo = shape->lo, .hi = shape->hi,
		.step = shape->step, .shift = shape->shift,
	};
}

static struct st_str *initial_text(const char *text)
{
	struct st_str *s = arena_new(struct st_str);

	s->p = text ? text : "";
	s->len = strlen(s->p);
	return s;
}

static struct st_global global_of(const struct ir_global *v)
{
	struct st_global g = { .name = v->name, .percpu = v->percpu };

	if (v->type == IR_STATISTIC)
		g.stat = stat_decl(&v->shape);
	if (v->keys.n > 0) {
		g.kind = ST_G_MAP;
		g.nkeys = v->keys.n;
		for (size_t i = 0; i < v->keys.n; i++)
			g.string_keys |= (v->keys.v[i] == IR_STRING) << i;
		g.value = v->type == IR_STRING ? ST_V_STRING
			  : v->type == IR_STATISTIC ? ST_V_STAT : ST_V_LONG;
		g.maxentries = v->entries;
		g.sized = v->sized;
		g.wrap = v->wraps;
		g.nsorters = v->sorters;
	} else if (v->type == IR_STATISTIC) {
		g.kind = ST_G_STAT;
	} else if (v->type == IR_STRING) {
		g.kind = ST_G_STRING;
		g.slot = initial_text(v->text);
	} else {
		g.kind = v->percpu ? ST_G_COUNTER : ST_G_LONG;
		g.init = v->number;
	}
	return g;
}

static void put_limits(struct st_program *st, const struct ir_limits *lim)
{
	st->maxstringlen = lim->string;
	st->maxnesting = lim->nesting;
	st->maxerrors = lim->suppress_errors ? UINT_MAX : lim->errors;
	st->maxskipped = lim->suppress_errors ? UINT_MAX : lim->skipped;
	st->maxtrylock = lim->trylock;
	st->hist_width = lim->hist_width;
	st->hist_elision = lim->hist_elision;
	st->untimed = lim->untimed;
	st->suppress_errors = lim->suppress_errors;
}

static void put_patterns(struct run_program *run, const struct program *prog)
{
	const struct st_regex **regexes = arena_alloc((prog->regexes.n + 1) * sizeof(*regexes));

	for (size_t i = 0; i < prog->regexes.n; i++) {
		regexes[i] = &prog->regexes.v[i]->tables;
		if (regexes[i]->ngroups > run->st.groups)
			run->st.groups = regexes[i]->ngroups;
	}
	run->regexes = regexes;
}

static struct st_probe probe_of(const struct probe *p, const struct ir_limits *lim)
{
	int64_t action = p->family->interruptible ? lim->action_interruptible : lim->action;
	bool unlimited = p->unlimited || lim->untimed;

	return (struct st_probe){ .where = loc_text(p->loc), .index = p->index,
				  .budget = unlimited || action > LONG_MAX ? LONG_MAX : action };
}

static void put_probes(struct run_program *run, const struct program *prog,
		       const struct ir_limits *lim)
{
	int *armed = arena_alloc((prog->probes.n + 1) * sizeof(*armed));

	run->probes = arena_alloc((prog->probes.n + 1) * sizeof(*run->probes));
	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct probe *p = prog->probes.v[i];

		run->probes[i] = probe_of(p, lim);
		if (p->condition)
			run->probes[i].armed = &armed[p->armed_by->index];
	}
}

static struct run_point point_of(const struct run_program *run, const struct probe *p,
				 const struct site *site)
{
	struct run_point r = { .point = { .probe = &run->probes[p->index], .pp = site->pp,
					  .func = site->func, .module = site->module,
					  .pn = site->pn } };

	p->family->run(p, &r);
	return r;
}

/* Lists the places of all probes.  False after a message: one needs the kernel. */
static bool put_points(struct run_program *run, const struct program *prog)
{
	vec(struct run_point) points = { 0 };
	bool failed = false;

	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct probe *p = prog->probes.v[i];

		if (p->family->table && !p->family->run) {
			diag_at(DIAG_SEMANTIC_ERROR, p->loc, "the interpreter in user space has no "
				"probe point '%s'", p->sites.v[0].pp);
			failed = true;
		}
		for (size_t j = 0; p->family->run && j < p->sites.n; j++)
			vec_push(&points, point_of(run, p, &p->sites.v[j]));
	}
	run->points = points.v;
	run->npoints = points.n;
	return !failed;
}

struct run_program *user_translate(struct program *prog, struct ir_program *ir)
{
	struct run_program *run = arena_new(struct run_program);
	struct st_global *globals = arena_alloc((ir->globals.n + 1) * sizeof(*globals));
	const char *why;

	if (diag_errors)
		return NULL;
	run->ir = ir;
	put_limits(&run->st, &ir->limits);
	for (size_t i = 0; i < ir->globals.n; i++)
		globals[i] = global_of(&ir->globals.v[i]);
	run->st.globals = globals;
	run->st.nglobals = ir->globals.n;
	put_patterns(run, prog);
	put_probes(run, prog, &ir->limits);
	if (!put_points(run, prog))
		return NULL;
	why = run_refuses(ir);
	if (why)
		diag(DIAG_ERROR, "%s", why);
	return why ? NULL : run;
}
