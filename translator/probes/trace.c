// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.trace("[system:]name"): tracepoints of the kernel and its modules.
 * kernel.tracepoint("name") and module("name").tracepoint("name"): the same,
 * with numbered arguments.
 *
 * debuginfo/ finds the tracepoints and their arguments.  The runtime finds them
 * by name when the session starts, and a module's whenever the module is
 * loaded.
 */
#include <string.h>

#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "families.h"
#include "ir/ir.h"
#include "session.h"
#include "variables.h"

enum { V_NUMBERED = 1, V_MODULE = 2 };

static const struct probe_pattern trace_patterns[] = {
	{ "kernel.trace(s)", 0, "tracepoints of the kernel and its modules" },
	{ "kernel.tracepoint(s)", V_NUMBERED, "tracepoints of the kernel, arguments by number" },
	{ "module(s).tracepoint(s)", V_NUMBERED | V_MODULE,
	  "tracepoints of a module, arguments by number" },
	{ NULL, 0, NULL },
};

struct trace_probe {
	struct probe probe;
	bool numbered;			/* the arguments are named arg1, arg2, … */
};

/* ---- places ------------------------------------------------------------ */

static const char *site_pp(const struct tracepoint *tp, int variant)
{
	if (variant & V_MODULE)
		return arena_printf("module(\"%s\").tracepoint(\"%s\")", tp->module, tp->name);
	if (variant & V_NUMBERED)
		return arena_printf("kernel.tracepoint(\"%s\")", tp->name);
	return arena_printf("kernel.trace(\"%s:%s\")", tp->system, tp->name);
}

static void add_tracepoint(const struct tracepoint *tp, int variant, struct family_result *out)
{
	struct trace_probe *t = arena_new(struct trace_probe);
	struct site site = {
		.pp = site_pp(tp, variant),
		.func = "",
		.module = tp->module,
		.attach = ST_TRACEPOINT,
		.tracepoint = tp,
	};

	t->numbered = variant & V_NUMBERED;
	vec_push(&t->probe.sites, site);
	vec_push(&out->probes, &t->probe);
}

static int trace_resolve(struct session *s, const struct probe_point *point,
			 const struct probe_pattern *pat, struct family_result *out)
{
	const struct point_part *parts = point->parts.v;
	const char *text = parts[1].arg->str, *colon = strchr(text, ':');
	const char *name = colon ? colon + 1 : text;
	const char *system = colon ? arena_strndup(text, colon - text) : NULL;
	const char *module = pat->variant & V_MODULE ? parts[0].arg->str :
			     pat->variant & V_NUMBERED ? "kernel" : NULL;
	struct tracepoint *found;
	size_t n;

	if (!*name || (system && !*system) || strchr(name, ':')) {
		out->why.text = arena_printf("'%s' is not [SYSTEM:]TRACEPOINT", text);
		return -1;
	}
	if (target_tracepoints(s->target, module, system, name, &found, &n, &out->why) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		add_tracepoint(&found[i], pat->variant, out);
	return 0;
}

/* ---- variables --------------------------------------------------------- */

/* Returns the place for variables, found on first use. */
static struct place *place_of(struct session *s, struct probe *p, struct problem *why)
{
	const struct trace_probe *t = container_of(p, struct trace_probe, probe);
	struct site *site = &p->sites.v[0];

	if (!site->place)
		site->place = target_tracepoint_place(s->target, site->tracepoint, t->numbered,
						      why);
	return site->place;
}

/* Resolves $$name and $$system, which aren't arguments of the tracepoint. */
static bool own_name(const struct target_var *tv, struct access *acc)
{
	const struct term *load;

	if (tv->path.n || tv->address)
		return false;
	if (strcmp(tv->name, "$$name") && strcmp(tv->name, "$$system"))
		return false;
	load = term_member(SORT_STRING, TERM_TRACEPOINT, tv->name + 2);
	access_set_fetch(acc, (struct fetch){ .load = load });
	return true;
}

static int trace_variable(struct session *s, struct probe *p, const struct target_var *tv,
			  struct access *acc)
{
	struct fetch got;
	struct step *steps;
	struct place *place;
	size_t n;

	if (own_name(tv, acc))
		return 0;
	n = target_steps(tv, acc, &steps);
	place = place_of(s, p, &acc->why_not);
	if (!place || target_variable(place, false, tv->name + 1, steps, n, tv->address, &got,
				      &acc->why_not) < 0)
		return -1;
	if (!n)
		got.store = NULL;	/* writing this copy would not reach the kernel */
	access_set_fetch(acc, got);
	return 0;
}

static void trace_list_variables(struct session *s, struct probe *p, text_list *out)
{
	struct problem why = { 0 };
	struct place *place = place_of(s, p, &why);

	if (place)
		target_list_variables(place, false, out);
}

/* ---- rows -------------------------------------------------------------- */

static void trace_row(const struct probe *p, const struct site *site, struct row *out)
{
	const struct tracepoint *tp = site->tracepoint;

	(void)p;
	row_slice(out, "system", tp->system);
	row_slice(out, "name", tp->name);
}

static void trace_place(const struct probe *p, const struct site *site, struct ir_place *out)
{
	(void)p;
	out->attach = IR_AT_TRACEPOINT;
	out->tracepoint = site->tracepoint->name;
}

const struct probe_family family_trace = {
	.name = "trace",
	.patterns = trace_patterns,
	.resolve = trace_resolve,
	.variable = trace_variable,
	.list_variables = trace_list_variables,
	.table = "trace",
	.row = trace_row,
	.place = trace_place,
};
