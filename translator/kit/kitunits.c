// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups the runtime's source files into three translation units.
 *
 * Compiling each of its many small files alone takes long, because of the fixed
 * cost of a compilation in the compiler and in kbuild, and calls between files
 * could not be inlined.  So a unit is several files, one #include each, and no two
 * files may define the same name at file scope
 * (testsuite/build/runtime-names.test).
 *
 * Plain files include few kernel headers, and nothing that depends on the
 * kernel's features (kit_features.h).  They have a unit of their own, which needs
 * no precompiled header and is compiled while that is being made.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "internal.h"

/*
 * The units, in kbuild's order.  Two processors compile them side by side: the plain unit
 * beside the precompiled header, then the other two.
 */
enum { UNITS = 3 };

static const bool is_plain[UNITS] = { false, false, true };

/* The rooms whose files are plain: they also compile as user programs, or are tables. */
static const char *const plain_rooms[] = { "data/", "names/", "text/", "unwind/" };

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

/* Returns the smallest unit of this kind. */
static size_t unit_for(const size_t *sizes, bool plain)
{
	size_t best = UNITS;

	for (size_t i = 0; i < UNITS; i++)
		if (is_plain[i] == plain && (best == UNITS || sizes[i] < sizes[best]))
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
			vec_push(&planned, ((struct kit_unit){ sbuf_take(&texts[i]), is_plain[i] }));
	return planned;
}
