// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --example: finds a script among the examples by its name, whatever directory it is in.  Ours
 * come first, then those of SystemTap's packages.
 */
#include <glob.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/vec.h"
#include "passes.h"

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
