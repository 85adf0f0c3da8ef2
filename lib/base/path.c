// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes paths absolute. */
#include "path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

/* Returns a directory's path with a name in it. */
static const char *join(const char *dir, const char *name)
{
	const char *slash = strrchr(dir, '/');

	if (!*name || !strcmp(name, "."))
		return dir;
	if (!strcmp(name, "..") && slash)
		return slash == dir ? "/" : arena_strndup(dir, slash - dir);
	return arena_printf("%s/%s", strcmp(dir, "/") ? dir : "", name);
}

const char *path_absolute(const char *path)
{
	char *real = realpath(path, NULL);
	const char *slash = strrchr(path, '/'), *kept = real ? arena_strdup(real) : path;

	free(real);
	if (real || strlen(path) >= PATH_MAX || !strcmp(path, "."))
		return kept;
	if (!slash)
		return join(path_absolute("."), path);
	return join(slash == path ? "/" : path_absolute(arena_strndup(path, slash - path)), slash + 1);
}
