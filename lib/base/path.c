// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes paths absolute, and looks at files, in the root directories of other processes too. */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "regular.h"
#include "root.h"

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

/* Returns a path in another root without links; PATH itself if nothing is there. */
static const char *absolute_in_root(const char *path)
{
	int fd = root_open(path, O_PATH);
	char real[PATH_MAX];

	if (fd < 0)
		return path;
	path = root_path(fd, path, real) ? arena_strdup(real) : path;
	close(fd);
	return path;
}

const char *path_absolute(const char *path)
{
	if (root_length(path))
		return absolute_in_root(path);

	char *real = realpath(path, NULL);
	const char *slash = strrchr(path, '/'), *kept = real ? arena_strdup(real) : path;

	free(real);
	if (real || strlen(path) >= PATH_MAX || !strcmp(path, "."))
		return kept;
	if (!slash)
		return join(path_absolute("."), path);
	return join(slash == path ? "/" : path_absolute(arena_strndup(path, slash - path)), slash + 1);
}

/* ---- files in other roots -------------------------------------------------- */

static int stat_opened(const char *path, int flags, struct stat *st)
{
	int fd = root_open(path, O_PATH | flags), err;

	if (fd < 0)
		return -1;
	err = fstat(fd, st);
	close(fd);
	return err;
}

int path_stat(const char *path, struct stat *st)
{
	return stat_opened(path, 0, st);
}

static int path_lstat(const char *path, struct stat *st)
{
	return stat_opened(path, O_NOFOLLOW, st);
}

bool path_allows(const char *path, int mode)
{
	int fd = root_open(path, O_PATH), error;
	char link[64];
	bool may;

	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	may = !access(link, mode);
	error = errno;
	close(fd);
	errno = error;
	return may;
}

FILE *path_fopen(const char *path)
{
	int fd = regular_open(path);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

DIR *path_opendir(const char *path)
{
	int fd = root_open(path, O_RDONLY | O_DIRECTORY);

	return fd < 0 ? NULL : fdopendir(fd);
}

static size_t glob_left;		/* entries of directories that the present path_glob() may read */

static void *glob_opendir(const char *path)
{
	return path_opendir(path);
}

static struct dirent *glob_readdir(void *dir)
{
	if (!glob_left)
		return NULL;
	glob_left--;
	return readdir(dir);
}

static void glob_closedir(void *dir)
{
	closedir(dir);
}

int path_glob(const char *pattern, int flags, glob_t *out)
{
	glob_left = root_length(pattern) ? PATH_GLOB_MOST : SIZE_MAX;
	out->gl_opendir = glob_opendir;
	out->gl_readdir = glob_readdir;
	out->gl_closedir = glob_closedir;
	out->gl_stat = path_stat;
	out->gl_lstat = path_lstat;
	return glob(pattern, flags | GLOB_ALTDIRFUNC, NULL, out);
}
