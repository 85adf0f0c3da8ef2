// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tables by which the runtime knows a program: limits, globals, probes, places. */
#include "base/arena.h"
#include "internal.h"

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

	s->p = text;
	s->len = strlen(text);
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
		for (size_t i = 0; i < v->rooms.n; i++)
			g.key_room[i] = v->rooms.v[i];
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

static void make_globals(struct run_program *p)
{
	size_t n = p->ir->globals.n;
	struct st_global *globals = arena_alloc((n + 1) * sizeof(*globals));

	for (size_t i = 0; i < n; i++)
		globals[i] = global_of(&p->ir->globals.v[i]);
	p->st.globals = globals;
	p->st.nglobals = n;
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

static void make_probes(struct run_program *p)
{
	size_t n = p->ir->probes.n;
	int *armed = arena_alloc((n + 1) * sizeof(*armed));

	p->probes = arena_alloc((n + 1) * sizeof(*p->probes));
	for (size_t i = 0; i < n; i++) {
		const struct ir_probe *probe = &p->ir->probes.v[i];

		p->probes[i] = (struct st_probe){ .where = probe->at, .index = i,
						  .budget = probe->budget };
		if (probe->armed_by != IR_UNCONDITIONAL)
			p->probes[i].armed = &armed[probe->armed_by];
	}
}

static struct run_point point_of(const struct st_probe *probe, const struct ir_place *place,
				 unsigned number)
{
	return (struct run_point){
		.point = { .probe = probe, .pp = place->pp, .func = place->func,
			   .module = place->module, .pn = place->pn, .number = number },
		.place = place,
	};
}

static void make_points(struct run_program *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->ir->probes.n; i++)
		n += p->ir->probes.v[i].places.n;
	p->points = arena_alloc((n + 1) * sizeof(*p->points));
	for (size_t i = 0; i < p->ir->probes.n; i++)
		for (size_t j = 0; j < p->ir->probes.v[i].places.n; j++, p->npoints++)
			p->points[p->npoints] = point_of(&p->probes[i], &p->ir->probes.v[i].places.v[j],
							 p->npoints);
}

/* Makes the places' texts for the report of -t. */
static void make_timed(struct run_program *p)
{
	struct st_timed *timed = arena_alloc((p->npoints + 1) * sizeof(*timed));

	for (size_t i = 0; i < p->npoints; i++)
		timed[i] = (struct st_timed){ p->points[i].point.pp, p->points[i].point.probe->where,
					      p->points[i].place->from };
	p->st.timed = timed;
	p->st.ntimed = p->npoints;
}

static void make_formats(struct run_program *p)
{
	struct st_format *formats = arena_alloc((p->ir->formats.n + 1) * sizeof(*formats));

	for (size_t i = 0; i < p->ir->formats.n; i++)
		formats[i] = (struct st_format){ p->ir->formats.v[i].text, p->ir->formats.v[i].members };
	p->st.formats = formats;
	p->st.nformats = p->ir->formats.n;
}

void run_make_tables(struct run_program *p)
{
	put_limits(&p->st, &p->ir->limits);
	p->st.groups = ir_most_groups(p->ir);
	make_formats(p);
	make_globals(p);
	make_probes(p);
	make_points(p);
	if (p->ir->timed)
		make_timed(p);
}
