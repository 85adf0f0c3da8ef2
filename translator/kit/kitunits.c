// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plan of the kit's translation units: each is several of the runtime's
 * files, one #include each.
 *
 * A compiler's fixed cost for a unit, and kbuild's work around it, take most of
 * the time of building the runtime from its many small files; and the compiler
 * can't inline a call from one file to another.  So the files are joined into
 * three units, which is why no two of them may define the same name at file
 * scope (testsuite/build/runtime-names.test).
 *
 * Plain files include little of the kernel's headers and nothing that depends on
 * what the kernel offers (kit_features.h).  They share a unit, which needs no
 * precompiled header and is compiled while that is made.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "internal.h"

/*
 * The units, in the order of kbuild's list, and each one's share of its kind's code.  Two
 * processors compile them side by side: the first unit starts when the precompiled header
 * is done, the second only when the plain unit is done too.  Both end together if the first
 * gets more.
 */
enum { UNITS = 3 };

static const struct { bool plain; unsigned int share; } shares[UNITS] = {
	{ false, 4 }, { false, 3 }, { true, 1 },
};

/* The rooms whose files are plain: they are also built as ordinary programs, or are tables. */
static const char *const plain_rooms[] = { "data/", "names/", "text/" };

bool kit_is_plain(const char *file)
{
	for (size_t i = 0; i < sizeof(plain_rooms) / sizeof(*plain_rooms); i++)
		if (!strncmp(file, plain_rooms[i], strlen(plain_rooms[i])))
			return true;
	return false;
}

static size_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_size;
}

/* The unit of this kind that is furthest below its share. */
static size_t unit_for(const size_t *sizes, bool plain)
{
	size_t best = UNITS;

	for (size_t i = 0; i < UNITS; i++)
		if (shares[i].plain == plain &&
		    (best == UNITS ||
		     sizes[i] * shares[best].share < sizes[best] * shares[i].share))
			best = i;
	return best;
}

kit_units kit_plan(const char *dir, const char *const *files, size_t n)
{
	struct sbuf texts[UNITS] = {};
	size_t sizes[UNITS] = {};
	kit_units planned = {};

	for (size_t i = 0; i < n; i++) {
		size_t u = unit_for(sizes, kit_is_plain(files[i]));

		sbuf_printf(&texts[u], "#include \"%s\"\n", files[i]);
		sizes[u] += size_of(arena_printf("%s/%s", dir, files[i]));
	}
	for (size_t i = 0; i < UNITS; i++)
		if (texts[i].len)
			vec_push(&planned, ((struct kit_unit){ sbuf_take(&texts[i]),
							       shares[i].plain }));
	return planned;
}
