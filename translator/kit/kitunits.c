// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups the runtime's source files into two translation units.
 *
 * Compiling each of its many small files alone takes long, because of the fixed
 * cost of a compilation in the compiler and in kbuild, and calls between files
 * could not be inlined.  So a unit is several files, one #include each, and no two
 * files may define the same name at file scope
 * (testsuite/build/runtime-names.test).
 *
 * Each unit parses the kernel's headers again, which takes as long as compiling a
 * quarter of the runtime, so two CPUs compile two units fastest.  A precompiled
 * header would take longer to make than it saves two units.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "internal.h"

enum { UNITS = 2 };

static size_t size_of(const char *dir, const char *file)
{
	struct stat st;

	return stat(arena_printf("%s/%s", dir, file), &st) ? 0 : st.st_size;
}

/*
 * Files that call each other share a room, so they stay in order: the unit changes
 * once, after half of the bytes.
 */
kit_units kit_plan(const char *dir, const char *const *files, size_t n)
{
	struct sbuf texts[UNITS] = {};
	size_t all = 0, before = 0;
	kit_units planned = {};

	for (size_t i = 0; i < n; i++)
		all += size_of(dir, files[i]);
	for (size_t i = 0; i < n; i++) {
		size_t unit = all ? before * UNITS / all : 0;

		sbuf_printf(&texts[unit < UNITS ? unit : UNITS - 1], "#include \"%s\"\n", files[i]);
		before += size_of(dir, files[i]);
	}
	for (size_t i = 0; i < UNITS; i++)
		if (texts[i].len)
			vec_push(&planned, sbuf_take(&texts[i]));
	return planned;
}
