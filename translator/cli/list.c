// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -l and -L: the places a probe point resolves to, sorted, each once; -L adds
 * the variables a handler sees there.
 *
 * Places with the same text, such as the inlined instances of a function,
 * become one line, with the variables that all of them have.  A point reached
 * through an alias is printed under the alias's name, and the variables that
 * the alias's blocks set come first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/printable.h"
#include "probes/family.h"
#include "cli/list.h"
#include "cli/passes.h"
#include "session.h"

struct line {
	const char *place;
	size_t number;			/* order of resolution */
	text_list vars;			/* interned */
};

typedef vec(struct line) lines;

static int by_place(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int c = x->place == y->place ? 0 : strcmp(x->place, y->place);

	return c ? c : (x->number > y->number) - (x->number < y->number);
}

static bool has(const text_list *list, const char *interned)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == interned)
			return true;
	return false;
}

void keep_common(text_list *list, const text_list *other)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (has(other, list->v[i]))
			list->v[n++] = list->v[i];
	list->n = n;
}

static void alias_variables(const struct probe *p, text_list *out)
{
	for (size_t i = 0; i < p->locals.n; i++)
		vec_push(out, intern(arena_printf("%s:%s", p->locals.v[i]->name,
						  type_text(p->locals.v[i]->type))));
}

static void add_probe(struct session *s, const struct derived *d, lines *out)
{
	struct probe *p = d->probe;
	bool alias = d->before.n || d->after.n;
	struct line l = { .place = NULL };

	if (s->options.list_vars && alias)
		alias_variables(p, &l.vars);
	if (s->options.list_vars && p->family->list_variables)
		p->family->list_variables(s, p, &l.vars);
	l.place = intern(alias ? p->sites.v[0].name : p->sites.v[0].pp);
	l.number = out->n;
	vec_push(out, l);
}

/* Prints the N entries of one place as one line. */
static void print_line(struct line *l, size_t n)
{
	for (size_t i = 1; i < n; i++)
		keep_common(&l->vars, &l[i].vars);
	printable_print(stdout, l->place, "");
	for (size_t i = 0; i < l->vars.n; i++) {
		text_list before = { .v = l->vars.v, .n = i };

		if (has(&before, l->vars.v[i]))
			continue;
		printable_print(stdout, arena_printf(" %s", l->vars.v[i]), "");
	}
	putchar('\n');
}

int list_places(struct session *s, derived_list *out)
{
	if (!s->files.v[0]->probes.n) {
		diag(DIAG_ERROR, "a probe point is expected, such as kernel.function(\"vfs_read\")");
		return -1;
	}
	s->target = target_open(s);
	for (size_t i = 0; i < s->files.v[0]->probes.n; i++)
		if (sema_expand_points(s, s->files.v[0]->probes.v[i], out) < 0)
			return -1;
	return 0;
}

int list_probes(struct session *s)
{
	derived_list found = { 0 };
	lines out = { 0 };
	size_t end;

	if (list_places(s, &found) < 0)
		return 1;
	if (s->options.list_vars && sema_elaborate_aliases(s, &found) < 0)
		return 1;
	for (size_t i = 0; i < found.n && !session_interrupted(); i++)
		add_probe(s, &found.v[i], &out);
	if (session_interrupted())
		return 1;
	if (out.n)
		qsort(out.v, out.n, sizeof(*out.v), by_place);
	for (size_t i = 0; i < out.n; i = end) {
		for (end = i + 1; end < out.n && out.v[end].place == out.v[i].place; end++)
			;
		print_line(&out.v[i], end - i);
	}
	return out.n ? 0 : 1;
}
