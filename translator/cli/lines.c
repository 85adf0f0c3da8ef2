// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --lines: prints source lines, marks those that can be probed, and names the
 * variables there.
 *
 * The request becomes a statement probe on all lines of a function, or on some
 * lines of a file, and the places it resolves to are printed by file and line:
 *
 *	--lines vfs_read            kernel.statement("vfs_read@*:*")
 *	--lines fs/open.c:12-20     kernel.statement("*@fs/open.c:12-20")
 *
 * Places of one line, in inlined instances of a function, are merged into one,
 * with the variables that all of them have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/printable.h"
#include "probes/family.h"
#include "probes/pattern.h"
#include "cli/list.h"
#include "cli/passes.h"

/* ---- the request as a probe point -------------------------------------- */

/* Is PLACE a file, such as "fs/open.c:12-20" or "open.c", rather than a function? */
static bool names_file(const char *place)
{
	const char *dot = strrchr(place, '.');

	return strchr(place, ':') || strchr(place, '/') ||
	       (dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".S")));
}

/* Adds a wildcard for each part that PLACE lacks: function, file, lines. */
static const char *with_lines(const char *place)
{
	if (!strchr(place, '@'))
		place = names_file(place) ? arena_printf("*@%s", place)
					  : arena_printf("%s@*", place);
	return strpbrk(strchr(place, '@'), ":+;") ? place : arena_printf("%s:*", place);
}

const char *lines_script(const char *asked)
{
	const char *open = strstr(asked, "(\""), *last = NULL, *word;

	for (; open; open = strstr(open + 2, "(\""))
		last = open;
	if (!last)
		return arena_printf("probe kernel.statement(\"%s\") {}", with_lines(asked));
	for (word = last; word > asked && word[-1] != '.'; word--)
		;
	last += 2;
	return arena_printf("probe %.*sstatement(\"%s\") {}", (int)(word - asked), asked,
			    with_lines(arena_strndup(last, strcspn(last, "\""))));
}

/* Returns the argument of the resolved .statement("…"). */
static const char *asked_pattern(const struct session *s)
{
	const struct probe_point *point = s->files.v[0]->probes.v[0]->points.v[0];

	for (size_t i = point->parts.n; i-- > 0;)
		if (point->parts.v[i].arg && point->parts.v[i].arg->kind == E_STR)
			return point->parts.v[i].arg->str;
	return "";
}

/* ---- places by line --------------------------------------------------- */

struct place_line {
	const struct place *place;
	text_list vars;
};

typedef vec(struct place_line) place_lines;

static int by_line(const void *a, const void *b)
{
	const struct place *x = ((const struct place_line *)a)->place;
	const struct place *y = ((const struct place_line *)b)->place;
	int c = strcmp(x->module, y->module);

	if (!c)
		c = strcmp(x->file, y->file);
	return c ? c : (x->line > y->line) - (x->line < y->line);
}

/* Merges the places of each line into one. */
static void merge(place_lines *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (n && !by_line(&l->v[n - 1], &l->v[i]))
			keep_common(&l->v[n - 1].vars, &l->v[i].vars);
		else
			l->v[n++] = l->v[i];
	}
	l->n = n;
}

/* Skip code that was inlined from another file or expanded from a macro there. */
static bool is_meant(const struct place_query *q, const struct place *p)
{
	return p && p->file && (p->function_line || !strcmp(q->function, "*"));
}

static int find_lines(struct session *s, struct place_query *q, place_lines *out)
{
	derived_list found = { 0 };

	if (list_places(s, &found) < 0)
		return -1;
	pattern_parse(asked_pattern(s), q);
	for (size_t i = 0; i < found.n && !session_interrupted(); i++) {
		struct probe *p = found.v[i].probe;
		struct place_line l = { .place = p->sites.v[0].place };

		if (!is_meant(q, l.place))
			continue;
		if (p->family->list_variables)
			p->family->list_variables(s, p, &l.vars);
		vec_push(out, l);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_line);
	merge(out);
	return session_interrupted() ? -1 : 0;
}

/* ---- printing --------------------------------------------------------- */

/*
 * Finds the lines to print: the range asked for, or from the first function's
 * first line to the last line with code.
 */
static void shown_range(const struct place_query *q, const struct place_line *l, size_t n,
			int *first, int *last)
{
	*first = l->place->line;
	*last = l[n - 1].place->line;
	if (q->line_kind == LINE_LIST) {
		*first = q->lines[0].first;
		*last = q->lines[q->nlines - 1].last;
	}
	for (size_t i = 0; q->line_kind == LINE_WILD && i < n; i++)
		if (l[i].place->function_line && l[i].place->function_line < *first)
			*first = l[i].place->function_line;
}

static bool same_vars(const text_list *a, const text_list *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = a->v[i] == b->v[i];
	return same;
}

static void print_vars(const text_list *vars)
{
	for (size_t i = 0; i < vars->n; i++)
		printable_print(stdout, arena_printf(" %s", vars->v[i]), "");
	putchar('\n');
}

static void print_with_source(const struct place_line *l, size_t n, int first, int last)
{
	const struct place_line *shown = NULL;
	size_t i = 0;

	for (int line = first; line <= last; line++) {
		const char *text = target_source_line(l->place, line);
		bool code;

		while (i < n && l[i].place->line < line)
			i++;
		code = i < n && l[i].place->line == line;
		if (!text && !code)
			continue;
		printf("%c%6d  ", code ? '*' : ' ', line);
		printable_print(stdout, text ? text : "", "\t");
		putchar('\n');
		if (!code || (shown ? same_vars(&shown->vars, &l[i].vars) : !l[i].vars.n))
			continue;
		printf("\t#");
		print_vars(&l[i].vars);
		shown = &l[i];
	}
}

static void print_file(const struct place_query *q, const struct place_line *l, size_t n)
{
	const struct place *p = l->place;
	bool one = true;
	int first, last;

	for (size_t i = 1; i < n; i++)
		one &= !strcmp(l[i].place->function, p->function);
	shown_range(q, l, n, &first, &last);
	printable_print(stdout, arena_printf("<%s%s%s:%d-%d>", one ? p->function : "",
					     one ? "@" : "", p->file, first, last), "");
	putchar('\n');
	if (target_source_line(p, 1)) {
		print_with_source(l, n, first, last);
		return;
	}
	diag(DIAG_WARNING, "can't find the source of %s: looked for %s", p->file,
	     target_source_sought(p));
	for (size_t i = 0; i < n; i++) {
		printf("*%6d", l[i].place->line);
		print_vars(&l[i].vars);
	}
}

int list_lines(struct session *s)
{
	place_lines lines = { 0 };
	struct place_query q = { 0 };
	size_t end;

	if (find_lines(s, &q, &lines) < 0)
		return 1;
	for (size_t i = 0; i < lines.n; i = end) {
		const struct place *p = lines.v[i].place;

		for (end = i + 1; end < lines.n && !strcmp(lines.v[end].place->file, p->file) &&
		     !strcmp(lines.v[end].place->module, p->module); end++)
			;
		if (i)
			putchar('\n');
		print_file(&q, &lines.v[i], end - i);
	}
	return lines.n ? 0 : 1;
}
