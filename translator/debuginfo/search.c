// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Searches the debug files that the "module" argument of @cast, @var and the
 * like names: a list of "kernel", modules and header files, separated by
 * colons.
 *
 * A name that none of them has is looked up in the kernel, unless the list has user
 * space's headers or a program, because the kernel uses their names for other things.
 * Kernel headers are compiled only if the kernel's debug information lacks the name.
 */
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "internal.h"

struct search {
	struct target *target;
	find_fn *fn;
	void *arg;
	struct problem *why;
	const char *what;
};

static bool is_program_path(const char *module)
{
	return strchr(module, '/') && !strchr(module, '<');
}

static bool try(struct search *s, const char *module)
{
	struct dwfile *f = target_file(s->target, is_program_path(module) ? path_absolute(module) : module,
				       s->why);

	if (!f)
		return false;
	if (!f->dw) {
		s->why->text = arena_printf("no debug information for '%s'", module);
		return false;
	}
	if (s->fn(f, s->arg))
		return true;
	s->why->text = arena_printf("%s not found in '%s'", s->what, module);
	return false;
}

bool target_search(struct target *t, const char *modules, const char *what, find_fn *fn,
		   void *arg, struct problem *why)
{
	struct search s = { .target = t, .fn = fn, .arg = arg, .why = why, .what = what };
	const char *p = modules && *modules ? modules : "kernel", *first = NULL;
	bool falls_back = true, found = false;

	why->text = NULL;
	while (*p && !found) {
		size_t len = strcspn(p, ":");
		const char *one = arena_strndup(p, len);
		bool header = strchr(one, '<');

		p += len + (p[len] == ':');
		if (!len)
			continue;
		if (header && strncmp(one, "kernel", 6) == 0)
			found = try(&s, "kernel");
		found = found || try(&s, one);
		falls_back &= !header && !is_program_path(one) && strcmp(one, "kernel");
		first = first ? first : why->text;
	}
	if (!found && falls_back)
		found = try(&s, "kernel");
	if (found)
		why->text = NULL;
	else if (first)
		why->text = first;
	return found;
}
