// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the running program is. */
#include "self.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool self_path(char path[PATH_MAX])
{
	ssize_t n = readlink(SELF_EXE, path, PATH_MAX - 1);

	path[n > 0 ? n : 0] = '\0';
	return n > 0;
}

bool self_beside(const char *name, char path[PATH_MAX])
{
	char *slash = self_path(path) ? strrchr(path, '/') : NULL;
	size_t room = slash ? PATH_MAX - (slash + 1 - path) : 0;

	return slash && (size_t)snprintf(slash + 1, room, "%s", name) < room && !access(path, F_OK);
}
