// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runtime's sources, put together in a few translation units.
 *
 * What a compiler does for each unit however small, and what kbuild does around
 * it, is most of the time of building the runtime from its many small files;
 * and a call from one file to another can't be inlined.  So a unit is several
 * files, one #include each.  Files that define the same name for themselves (a
 * static function, a macro, a struct) go into different units: a look at the
 * lines that begin at the left margin finds those names, by the kernel's style.
 *
 * Files that ask nothing of the kernel (no include of theirs leads to
 * kit_features.h) go into units of their own: those include little, need no
 * precompiled header, and are compiled while that is being made.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "internal.h"

/*
 * What two processors compile side by side, in the order of kbuild's list.  The first unit
 * begins when the precompiled header is there, the second only when the plain one is done
 * too: so that both end together, the first gets more.  More units only where names ask for it.
 */
static const struct { bool plain; unsigned int share; } at_first[] = {
	{ false, 5 }, { false, 3 }, { true, 1 },
};

struct unit {
	bool plain;
	unsigned int share;		/* how much of its kind's code it is to have */
	vec(const char *) files;	/* below runtime/ */
	vec(const char *) names;	/* interned: what they define for themselves */
	size_t size;
};

typedef vec(struct unit) units;
typedef vec(const char *) names;

static bool is_ident(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Every identifier up to END is a name. */
static void add_all(names *to, const char *p, const char *end)
{
	static const char type[] = "struct ";

	while (p < end) {
		if (!strncmp(p, type, strlen(type)))
			p += strlen(type);

		const char *start = p;

		while (p < end && is_ident(*p))
			p++;
		if (p > start)
			vec_push(to, intern_n(start, p - start));
		p += p == start;
	}
}

/* The last identifier before END; the ones behind it in parentheses when it is a
 * macro that defines: DEFINE_PER_CPU(type, name). */
static void add_last(names *to, const char *line, const char *end)
{
	const char *stop = end, *start;
	bool macro = *end == '(';

	while (stop > line && !is_ident(stop[-1]))
		stop--;
	for (start = stop; start > line && is_ident(start[-1]); start--)
		macro &= !islower((unsigned char)start[-1]);
	if (macro)
		add_all(to, end, end + strcspn(end, ")"));
	else if (stop > start)
		vec_push(to, intern_n(start, stop - start));
}

/* The names that a line defines; *in_enum: it is inside one. */
static void add_line(names *to, const char *line, bool *in_enum)
{
	const char *end = line + strcspn(line, "(=[;{");

	if (*in_enum) {
		add_all(to, line, line + strcspn(line, "=,/"));
		*in_enum = *line != '}';
	} else if (!strncmp(line, "#define ", 8)) {
		add_all(to, line + 8, line + 8 + strcspn(line + 8, " \t("));
	} else if (!strncmp(line, "enum ", 5) && *end == '{') {
		add_last(to, line + 5, end);
		add_all(to, end, end + strcspn(end, "/"));
		*in_enum = !strchr(end, '}');
	} else if (!strncmp(line, "struct ", 7) || !strncmp(line, "union ", 6)) {
		if (*end == '{')
			add_last(to, line + 6, end);
	} else if (*end && (!strncmp(line, "static ", 7) || !strncmp(line, "typedef ", 8) ||
			    isupper((unsigned char)*line))) {
		for (const char *p = line; (p = memchr(p, ',', end - p)); p++)
			add_last(to, line, p);	/* static int a, b; */
		add_last(to, line, end);
	}
}

/* Do the includes of FROM, below dir, lead to kit_features.h?  seen: those looked at. */
static bool asks_features(const char *dir, const char *from, names *seen)
{
	struct sbuf source = {};
	char name[128];

	from = intern_n(from, strlen(from));
	const char *slash = strrchr(from, '/');

	for (size_t i = 0; i < seen->n; i++)
		if (seen->v[i] == from)
			return false;
	vec_push(seen, from);
	if (file_read(arena_printf("%s/%s", dir, from), &source))
		return false;

	char *rest = sbuf_take(&source), *line;

	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "#include \"%127[^\"]\"", name) != 1)
			continue;
		if (!strcmp(name, "kit_features.h") ||
		    (slash && asks_features(dir, arena_printf("%.*s/%s", (int)(slash - from), from,
							      name), seen)) ||
		    asks_features(dir, name, seen))
			return true;
	}
	return false;
}

bool kit_is_plain(const char *dir, const char *file)
{
	names seen = {};

	return !asks_features(dir, file, &seen);
}

static names defined_in(const char *path, size_t *size)
{
	struct sbuf source = {};
	bool in_enum = false;
	names found = {};

	file_read(path, &source);
	*size = source.len;
	char *rest = sbuf_take(&source), *line;

	while ((line = strsep(&rest, "\n")))
		add_line(&found, line, &in_enum);
	return found;
}

static bool disjoint(const struct unit *u, const names *n)
{
	for (size_t i = 0; i < u->names.n; i++)
		for (size_t j = 0; j < n->n; j++)
			if (u->names.v[i] == n->v[j])
				return false;
	return true;
}

/* The unit of its kind that is furthest from its share and can take these names. */
static struct unit *unit_for(units *all, bool plain, const names *n)
{
	struct unit *best = NULL;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].plain == plain && disjoint(&all->v[i], n) &&
		    (!best || all->v[i].size * best->share < best->size * all->v[i].share))
			best = &all->v[i];
	if (!best) {
		vec_push(all, ((struct unit){ .plain = plain, .share = 1 }));
		best = &all->v[all->n - 1];
	}
	return best;
}

kit_units kit_plan(const char *dir, const char *const *files, size_t n)
{
	kit_units planned = {};
	units all = {};

	for (size_t i = 0; i < sizeof(at_first) / sizeof(*at_first); i++)
		vec_push(&all, ((struct unit){ .plain = at_first[i].plain,
					       .share = at_first[i].share }));
	for (size_t i = 0; i < n; i++) {
		size_t size;
		names found = defined_in(arena_printf("%s/%s", dir, files[i]), &size);
		struct unit *u = unit_for(&all, kit_is_plain(dir, files[i]), &found);

		vec_push(&u->files, files[i]);
		for (size_t j = 0; j < found.n; j++)
			vec_push(&u->names, found.v[j]);
		u->size += size;
	}
	for (size_t i = 0; i < all.n; i++) {
		struct sbuf b = {};

		for (size_t j = 0; j < all.v[i].files.n; j++)
			sbuf_printf(&b, "#include \"%s\"\n", all.v[i].files.v[j]);
		if (b.len)
			vec_push(&planned, ((struct kit_unit){ sbuf_take(&b), all.v[i].plain }));
	}
	return planned;
}
