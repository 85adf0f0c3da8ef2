// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Warns about variables that are read but never assigned, so that they are always
 * 0 or "", because most often the name is misspelled.  It warns in the user's files
 * only, and once for each position however many handlers contain it.
 */
#include <string.h>

#include "base/arena.h"
#include "lang/lang.h"
#include "lang/mistakes.h"
#include "sema.h"

struct search {
	struct session *session;
	const struct program *prog;
	const struct probe *probe;	/* the probe whose locals are searched, or NULL */
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

static bool is_function(struct session *s, const char *name)
{
	size_t n;
	const char *const *names = library_names(s, LIB_FUNCTION, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Does another probe in the same file assign to a local of V's name? */
static bool assigned_elsewhere(const struct program *prog, const struct variable *v)
{
	for (size_t i = 0; i < prog->probes.n; i++)
		for (size_t j = 0; j < prog->probes.v[i]->locals.n; j++) {
			const struct variable *other = prog->probes.v[i]->locals.v[j];

			if (other->name == v->name && other->is_written && other->loc.src == v->loc.src)
				return true;
		}
	return false;
}

/* If POINT is "x.return" and F's alias x sets NAME, returns "x"; else NULL. */
static const char *entry_in(const struct file *f, const char *point, const char *name)
{
	for (size_t i = 0; i < f->aliases.n; i++) {
		const struct probe_decl *d = f->aliases.v[i];
		const char *entry = probe_point_text(d->alias);

		if (!strcmp(point, arena_printf("%s.return", entry)) && block_writes(d->body, name))
			return entry;
	}
	return NULL;
}

/* If V is read at an alias "x.return", but set only by the alias x, returns "x"; else NULL. */
static const char *set_at_entry(const struct search *s, const struct variable *v)
{
	const char *point = s->probe->sites.n ? s->probe->sites.v[0].pn : NULL, *entry = NULL;
	const struct session *session = s->session;

	for (size_t i = 0; point && !entry && i < session->files.n; i++)
		entry = entry_in(session->files.v[i], point, v->name);
	for (size_t i = 0; point && !entry && i < session->library_files.n; i++)
		entry = entry_in(session->library_files.v[i], point, v->name);
	return entry;
}

/* Prints a hint at what was meant by the local variable V. */
static void hint(const struct search *s, const struct variable *v)
{
	const char *entry = s->probe ? set_at_entry(s, v) : NULL;
	const char *other = mistake_of_variable(v->name);

	if (entry)
		diag_hint("%s sets it, its return doesn't: probe %s { kept[tid()] = %s }, with a "
			  "'global kept'", entry, entry, v->name);
	else if (other)
		diag_hint("%s", other);
	else if (is_function(s->session, v->name))
		diag_hint("a function: %s()", v->name);
	else if (assigned_elsewhere(s->prog, v))
		diag_hint("another probe's '%s' is another variable; 'global %s' makes them one",
			  v->name, v->name);
}

/* Warns about V, if it is never assigned.  AMONG are its body's N locals, NULL for a global. */
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
	if (!v->name[1])		/* a name of one letter is similar to any other */
		names.n = 0;

	const char *near = diag_nearest(v->name, names.v, names.n, 5);

	diag_at(DIAG_WARNING, v->loc, "never-assigned %s variable '%s'%s: identifier '%s'",
		among ? "local" : "global", v->name,
		near ? arena_printf(" (similar: %s)", near) : "", v->name);
	if (among)
		hint(s, v);
}

void warn_unassigned(struct session *session, const struct program *prog)
{
	struct search s = { .session = session, .prog = prog };

	for (size_t i = 0; i < prog->globals.n; i++)
		look_at(&s, prog->globals.v[i], NULL, 0);
	for (size_t i = 0; i < prog->probes.n; i++) {
		s.probe = prog->probes.v[i];
		for (size_t j = 0; j < s.probe->locals.n; j++)
			look_at(&s, s.probe->locals.v[j], s.probe->locals.v, s.probe->locals.n);
	}
	s.probe = NULL;
	for (size_t i = 0; i < prog->functions.n; i++)
		for (size_t j = 0; j < prog->functions.v[i]->locals.n; j++)
			look_at(&s, prog->functions.v[i]->locals.v[j],
				prog->functions.v[i]->locals.v, prog->functions.v[i]->locals.n);
}
