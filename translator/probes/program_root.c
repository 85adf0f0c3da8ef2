// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the root directory in which programs are looked for (program_root.h). */
#include "program_root.h"

#include "base/arena.h"
#include "container.h"
#include "session.h"

bool program_root(struct session *s, const char **root, struct problem *why)
{
	const char *container = s->options.container, *found;

	/* A container elsewhere is not to be seen here. */
	if (!container || s->options.vm || s->options.remotes.n || s->options.bundle) {
		*root = "";
		return true;
	}
	if (!s->container_root) {
		found = container_root(container, why);
		if (!found) {
			why->text = arena_strdup(why->text);
			return false;
		}
		s->container_root = arena_strdup(found);
	}
	*root = s->container_root;
	return true;
}

const char *program_inside(const char *root, const char *name)
{
	return *root ? arena_printf("%s%s%s", root, *name == '/' ? "" : "/", name) : name;
}
