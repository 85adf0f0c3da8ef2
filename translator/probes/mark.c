// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process("PATH").mark("name"): USDT probes, statically defined marks of programs and
 * libraries (debuginfo/debuginfo.h).
 *
 * Inlining and unrolling copy a mark to several places, which are all probed.  Its
 * arguments are numbers, $arg1 to $argN; with debug information, the variables of the
 * code around it can be read too.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "families.h"
#include "session.h"
#include "uprobe.h"
#include "variables.h"

enum { V_PROVIDER = 1 };

#define HINTS 3		/* names in a message */

static const struct probe_pattern mark_patterns[] = {
	PROGRAM("mark(s)", 0, "statically defined marks")
	PROGRAM("provider(s).mark(s)", V_PROVIDER, "statically defined marks of a provider")
	{ NULL, 0, NULL },
};

struct mark_probe {
	struct probe probe;
	const struct mark *mark;
};

/* ---- places ------------------------------------------------------------ */

/* What a point asks for. */
struct wanted {
	const char *provider, *name;	/* patterns; provider NULL means any */
};

/* Returns NAME with "__" for '-', because DTrace's users write function-entry. */
static const char *without_hyphens(const char *name)
{
	struct sbuf b = { 0 };

	for (; *name; name++) {
		if (*name == '-')
			sbuf_puts(&b, "__");
		else
			sbuf_putc(&b, *name);
	}
	return sbuf_take(&b);
}

static bool matches(const char *pattern, const char *name)
{
	return !fnmatch(pattern, name, 0) ||
	       (strchr(pattern, '-') && !fnmatch(without_hyphens(pattern), name, 0));
}

static struct wanted wanted_marks(const struct probe_point *point, const struct probe_pattern *pat)
{
	const struct point_part *last = &point->parts.v[point->parts.n - 1];

	return (struct wanted){
		.provider = pat->variant & V_PROVIDER ? last[-1].arg->str : NULL,
		.name = last->arg->str,
	};
}

static void add_mark(const struct probed_file *file, const struct wanted *w, const struct mark *m,
		     struct family_result *out)
{
	struct mark_probe *p = arena_new(struct mark_probe);
	struct sbuf pp = { 0 };

	uprobe_put_head(&pp, file);
	if (w->provider)
		sbuf_printf(&pp, "provider(\"%s\").", m->provider);
	sbuf_printf(&pp, "mark(\"%s\")", m->name);

	struct site site = uprobe_site(file, sbuf_take(&pp), m->offset);

	site.semaphore = m->semaphore;
	p->mark = m;
	vec_push(&p->probe.sites, site);
	vec_push(&out->probes, &p->probe);
}

/* Sets *WHY to say that the files have no such marks, and hints at the ones they have. */
static void explain_none(const probed_files *files, const struct wanted *w, const mark_list *marks,
			 struct problem *why)
{
	const char *path = files->v[0].path;
	text_list providers = { 0 }, names = { 0 };

	for (size_t i = 0; i < marks->n; i++) {
		vec_push(&providers, marks->v[i].provider);
		if (!w->provider || matches(w->provider, marks->v[i].provider))
			vec_push(&names, marks->v[i].name);
	}
	if (!marks->n) {
		why->text = arena_printf("'%s' has no marks [man error::sdt]", path);
	} else if (!names.n) {
		why->text = arena_printf("'%s' has no marks of a provider '%s' [man error::sdt]", path, w->provider);
		why->hint = diag_nearest(w->provider, providers.v, providers.n, HINTS);
	} else {
		why->text = arena_printf("'%s' has no mark '%s' [man error::sdt]", path, w->name);
		why->hint = diag_nearest(without_hyphens(w->name), names.v, names.n, HINTS);
	}
}

static int mark_resolve(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	struct wanted w = wanted_marks(point, pat);
	probed_files files = { 0 };
	mark_list all = { 0 };

	if (!uprobe_files(s, point, pat, &files, &out->why))
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		mark_list *marks = arena_new(mark_list);

		if (!target_marks(s->target, files.v[i].path, marks, &out->why))
			return -1;
		for (size_t k = 0; k < marks->n; k++) {
			const struct mark *m = &marks->v[k];

			vec_push(&all, *m);
			if ((!w.provider || matches(w.provider, m->provider)) &&
			    matches(w.name, m->name))
				add_mark(&files.v[i], &w, m, out);
		}
	}
	if (out->probes.n)
		return 0;
	explain_none(&files, &w, &all, &out->why);
	return -1;
}

/* ---- variables --------------------------------------------------------- */

static const struct mark *mark_of(const struct probe *p)
{
	return container_of(p, struct mark_probe, probe)->mark;
}

/* Returns $$vars, "$arg1=0x1 $arg2=0x2", with '?' for an argument that can't be read. */
static const struct term *all_arguments(struct session *s, const struct mark *m)
{
	struct sbuf format = { 0 };
	term_list args = { 0 };

	for (size_t n = 1; n <= m->operands.n; n++) {
		struct problem ignored = { 0 };
		const struct term *t = target_mark_argument(s->target, m, n, &ignored);

		sbuf_printf(&format, "%s$arg%zu=%s", n > 1 ? " " : "", n, t ? "%#x" : "?");
		if (t)
			vec_push(&args, t);
	}
	return term_format(sbuf_take(&format), &args);
}

/* Returns the N of $argN, or 0 for any other name. */
static unsigned long argument_number(const char *name)
{
	char *end;
	unsigned long n;

	if (strncmp(name, "$arg", 4) || name[4] < '1' || name[4] > '9')
		return 0;
	n = strtoul(name + 4, &end, 10);
	return *end ? 0 : n;
}

/* Returns the place in code that a mark is at, for the variables there; NULL if unknown. */
static struct place *place_of(struct session *s, const struct mark *m)
{
	struct place_query q = { .kind = PLACE_STATEMENT, .module = m->path, .address = m->addr };
	struct problem ignored = { .no_hint = true };
	struct place *places;
	unsigned forbidden;
	size_t n;

	if (target_places(s->target, &q, &places, &n, &forbidden, &ignored) < 0)
		return NULL;
	return places[0].scope ? &places[0] : NULL;
}

/* Resolves a variable of the program, if it has debug information. */
static bool program_variable(struct session *s, struct probe *p, const struct target_var *tv,
			     struct access *acc)
{
	struct site *site = &p->sites.v[0];

	if (!site->place)
		site->place = place_of(s, mark_of(p));
	return site->place && code_variable(s, p, tv, acc) == 0;
}

/* Returns the mark's arguments for a message: "$arg1 to $arg3, ". */
static const char *argument_names(const struct mark *m)
{
	if (m->operands.n < 2)
		return m->operands.n ? "$arg1, " : "";
	return arena_printf("$arg1 to $arg%zu, ", m->operands.n);
}

/* Returns the value of $argN or $$name and the like; NULL with *WHY set if there is none. */
static const struct term *own_variable(struct session *s, const struct mark *m, const char *name,
				       struct problem *why)
{
	unsigned long n = argument_number(name);

	if (!strcmp(name, "$$name"))
		return term_text(m->name);
	if (!strcmp(name, "$$provider"))
		return term_text(m->provider);
	if (!strcmp(name, "$$vars") || !strcmp(name, "$$parms"))
		return all_arguments(s, m);
	if (n >= 1 && n <= m->operands.n)
		return target_mark_argument(s->target, m, n, why);
	why->text = arena_printf("mark '%s' has no '%s', but %s$$name, $$provider, $$vars, $$parms",
				 m->name, name, argument_names(m));
	return NULL;
}

static int mark_variable(struct session *s, struct probe *p, const struct target_var *tv,
			 struct access *acc)
{
	const struct term *load = own_variable(s, mark_of(p), tv->name, &acc->why_not);
	bool pretty = tv->path.n == 1 && tv->path.v[0].kind == C_PRETTY &&
		      load && load->sort == SORT_STRING;

	if (!load)
		return !argument_number(tv->name) && program_variable(s, p, tv, acc) ? 0 : -1;
	if (tv->address || (tv->path.n && !pretty)) {
		acc->why_not.text = arena_printf("'%s' of a mark has no address or members; a "
						 "pointer has with @cast(%s, \"TYPE\")", tv->name,
						 tv->name);
		return -1;
	}
	access_set_fetch(acc, (struct fetch){ .load = load });
	return 0;
}

static void mark_list_variables(struct session *s, struct probe *p, text_list *out)
{
	(void)s;
	for (size_t n = 1; n <= mark_of(p)->operands.n; n++)
		vec_push(out, intern(arena_printf("$arg%zu:long", n)));
}

const struct probe_family family_mark = {
	.name = "mark",
	.patterns = mark_patterns,
	.resolve = mark_resolve,
	.variable = mark_variable,
	.list_variables = mark_list_variables,
	.table = "uprobe",
	.row = uprobe_row,
};
