// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Separate debug files, by the build-id.
 */
#include "debugfiles.h"

#include <string.h>

#include "../arena.h"
#include "../sbuf.h"

const char *build_id_text(const void *id, size_t n)
{
	const unsigned char *p = id;
	struct sbuf b = { 0 };

	for (size_t i = 0; i < n; i++)
		sbuf_printf(&b, "%02x", p[i]);
	return sbuf_take(&b);
}

const char *build_id_path(const void *id, size_t n)
{
	const char *hex = build_id_text(id, n);

	return arena_printf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex,
			    strlen(hex) > 2 ? hex + 2 : "");
}

const char *path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(path, slash - path) : ".";
}
