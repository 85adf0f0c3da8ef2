// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --example: lists the examples, and finds a script by its name, in any of their directories; first
 * among our own examples, then among SystemTap's.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/sbuf.h"
#include "base/vec.h"
#include "cli/passes.h"

struct search {
	const char *dir, *name;
	const char *found;		/* path, or NULL */
	vec(const char *) names;	/* of all scripts */
};

static void look_at(const char *rel, bool is_dir, void *arg)
{
	struct search *s = arg;
	const char *slash = strrchr(rel, '/'), *name = slash ? slash + 1 : rel;

	if (is_dir || !file_has_suffix(name, ".stp"))
		return;
	vec_push(&s->names, arena_strdup(name));
	if (!s->found && (!strcmp(name, s->name) || !strcmp(name, arena_printf("%s.stp", s->name))))
		s->found = arena_printf("%s/%s", s->dir, rel);
}

static void look_in(struct search *s, const char *dir)
{
	s->dir = dir;
	file_walk_tree(dir, look_at, s);
}

/* ---- the list ---- */

/* The examples below DIR, to be printed to OUT. */
struct shown {
	const char *dir;
	FILE *out;
};

/*
 * Returns the first sentence of the comment at the top, which follows the lines about how the file is
 * run and may be copied:
 *
 *	#!/usr/bin/env stap
 *	# SPDX-License-Identifier: …
 *	#
 *	# Who opens which file, and does it work?  A line an open …
 */
static const char *first_sentence(const char *text)
{
	struct sbuf sentence = { 0 };

	for (; *text == '#'; text += strcspn(text, "\n"), text += *text == '\n') {
		const char *line = text + 1 + strspn(text + 1, " \t");
		size_t n = strcspn(line, "\n");

		if (*line == '!' || !strncmp(line, "SPDX-", 5))
			continue;
		if (!n && sentence.len)
			break;
		for (size_t i = 0; i < n; i++) {
			sbuf_putc(&sentence, line[i]);
			if (strchr(".?!", line[i]) && (i + 1 == n || line[i + 1] == ' '))
				return sbuf_take(&sentence);
		}
		if (n)
			sbuf_putc(&sentence, ' ');
	}
	return sbuf_take(&sentence);
}

static void show(const char *rel, bool is_dir, void *arg)
{
	const struct shown *to = arg;
	const char *slash = strrchr(rel, '/'), *name = slash ? slash + 1 : rel;
	struct sbuf text = { 0 };

	if (is_dir || !file_has_suffix(name, ".stp") ||
	    file_read(arena_printf("%s/%s", to->dir, rel), &text))
		return;
	printable_print(to->out, arena_printf("%-20.*s ", (int)strlen(name) - 4, name), "");
	printable_print(to->out, first_sentence(sbuf_str(&text)), "");
	fputc('\n', to->out);
	sbuf_free(&text);
}

int list_examples(const char *dir, FILE *out)
{
	struct shown to = { dir, out };

	if (!file_walk_tree(dir, show, &to))
		return 0;
	diag(DIAG_ERROR, "can't read the examples in %s: %s", dir, strerror(errno));
	return -1;
}

/* ---- one of them ---- */

const char *find_example(const char *dir, const char *name)
{
	static const char *const others[] = {
		"/usr/share/systemtap/examples", "/usr/share/doc/systemtap*/examples",
	};
	struct search s = { .name = name };
	const char *near;
	glob_t g;

	look_in(&s, dir);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others) && !s.found; i++) {
		if (glob(others[i], 0, NULL, &g))
			continue;
		for (size_t j = 0; j < g.gl_pathc && !s.found; j++)
			look_in(&s, g.gl_pathv[j]);
		globfree(&g);
	}
	if (s.found)
		return s.found;
	diag(DIAG_ERROR, "there is no example '%s' in %s", name, dir);
	near = diag_nearest(file_has_suffix(name, ".stp") ? name : arena_printf("%s.stp", name), s.names.v,
			     s.names.n, 3);
	if (near)
		diag_hint("did you mean: %s", near);
	return NULL;
}
