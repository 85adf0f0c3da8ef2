/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of files. */
#ifndef STAP_BASE_PATH_H
#define STAP_BASE_PATH_H

#include <dirent.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

/*
 * Returns PATH absolute, in the arena: relative to stap's working directory, and without symbolic
 * links, "." and ".." as far as it exists.  In the rest ".." removes the name before it:
 *
 *	a.out			/home/me/a.out
 *	../lib/libx.so		/home/lib/libx-1.so, if libx.so is a link to libx-1.so
 *	made/later/../a.out	/home/me/made/a.out, if there is no "made"
 *
 * It stays relative if the working directory was removed.  "/proc/PID/root/…" stays in that root (root.h),
 * and is as it was if nothing is there.
 */
const char *path_absolute(const char *path);

/*
 * Do as stat(2), access(2), opendir(3), glob(3) and, of regular files only, fopen(3) do, but resolve
 * "/proc/PID/root/…" as that process would.  There path_glob() reads only so many entries of directories,
 * which may be endless.
 */
#define PATH_GLOB_MOST (1 << 18)

int path_stat(const char *path, struct stat *st);
bool path_allows(const char *path, int mode);
FILE *path_fopen(const char *path);
DIR *path_opendir(const char *path);
int path_glob(const char *pattern, int flags, glob_t *out);

#endif
