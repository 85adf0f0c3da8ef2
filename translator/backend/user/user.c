// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tables of a program that the interpreter runs: limits, globals, probes, places. */
#include "user.h"

#include <limits.h>
#include <string.h>

#include "backend/module/limits.h"
#include "base/arena.h"
#include "ir/ir.h"
#include "probes/family.h"
#include "program/program.h"
#include "regex/regex.h"
#include "interpreter/run.h"
#include "session.h"

static struct st_stat_decl stat_decl(const struct variable *v)
{
	const struct expr *h = v->hist;
	struct st_stat_decl d = {
		.ops = v->stat_ops & ((1u << STAT_HIST_LOG) - 1),
		.hist = !h ? ST_HIST_NONE : h->stat == STAT_HIST_LOG ? ST_HIST_LOG : ST_HIST_LINEAR,
		.shift = v->variance_shift,
	};
	st_long *const params[] = { &d.lo, &d.hi, &d.step };

	for (unsigned i = 0; h && i < h->nparams && i < 3; i++)
		*params[i] = h->params[i];
	return d;
}

/* A string of the script's length at most. */
static struct st_str *initial_text(const struct variable *v, int64_t maxstring)
{
	struct st_str *s = arena_new(struct st_str);
	size_t n;

	s->p = v->init ? v->init->str : "";
	n = strlen(s->p);
	s->len = n < (size_t)maxstring ? n : (size_t)maxstring - 1;
	return s;
}

static struct st_global global_of(const struct variable *v, const struct limits *lim)
{
	struct st_global g = { .name = v->name, .percpu = v->percpu };

	if (v->type == T_STATS)
		g.stat = stat_decl(v);
	if (v->nkeys > 0) {
		g.kind = ST_G_MAP;
		g.nkeys = v->nkeys;
		for (size_t i = 0; i < v->key_types.n; i++)
			g.string_keys |= (v->key_types.v[i] == T_STRING) << i;
		g.value = v->type == T_STRING ? ST_V_STRING
			  : v->type == T_STATS ? ST_V_STAT : ST_V_LONG;
		g.maxentries = v->maxsize ? v->maxsize : lim->entries;
		g.sized = v->maxsize != 0;
		g.wrap = v->wrap;
		g.nsorters = v->nsorters;
	} else if (v->type == T_STATS) {
		g.kind = ST_G_STAT;
	} else if (v->type == T_STRING) {
		g.kind = ST_G_STRING;
		g.slot = initial_text(v, lim->string);
	} else {
		g.kind = v->percpu ? ST_G_COUNTER : ST_G_LONG;
		g.init = v->init ? v->init->num : 0;
	}
	return g;
}

static void put_limits(struct st_program *st, const struct session *s, const struct limits *lim)
{
	bool suppress = s->options.suppress_handler_errors;

	st->maxstringlen = lim->string;
	st->maxnesting = lim->nesting;
	st->maxerrors = suppress ? UINT_MAX : lim->errors;
	st->maxskipped = suppress ? UINT_MAX : lim->skipped;
	st->maxtrylock = lim->trylock;
	st->hist_width = lim->hist_width;
	st->hist_elision = lim->hist_elision;
	st->untimed = s->options.suppress_time_limits;
	st->suppress_errors = suppress;
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

static struct st_probe probe_of(const struct session *s, const struct probe *p,
				const struct limits *lim)
{
	int64_t action = p->family->interruptible ? lim->action_interruptible : lim->action;
	bool unlimited = p->unlimited || s->options.suppress_time_limits;

	return (struct st_probe){ .where = loc_text(p->loc), .index = p->index,
				  .budget = unlimited || action > LONG_MAX ? LONG_MAX : action };
}

static void put_probes(struct run_program *run, const struct session *s, const struct program *prog,
		       const struct limits *lim)
{
	int *armed = arena_alloc((prog->probes.n + 1) * sizeof(*armed));

	run->probes = arena_alloc((prog->probes.n + 1) * sizeof(*run->probes));
	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct probe *p = prog->probes.v[i];

		run->probes[i] = probe_of(s, p, lim);
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

struct run_program *user_translate(struct session *s, struct program *prog, struct ir_program *ir)
{
	struct run_program *run = arena_new(struct run_program);
	struct limits lim = read_limits(s, prog);
	struct st_global *globals = arena_alloc((prog->globals.n + 1) * sizeof(*globals));
	const char *why;

	if (diag_errors)
		return NULL;
	run->ir = ir;
	put_limits(&run->st, s, &lim);
	for (size_t i = 0; i < prog->globals.n; i++)
		globals[i] = global_of(prog->globals.v[i], &lim);
	run->st.globals = globals;
	run->st.nglobals = prog->globals.n;
	put_patterns(run, prog);
	put_probes(run, s, prog, &lim);
	if (!put_points(run, prog))
		return NULL;
	why = run_refuses(ir);
	if (why)
		diag(DIAG_ERROR, "%s", why);
	return why ? NULL : run;
}
