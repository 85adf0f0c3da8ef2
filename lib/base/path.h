/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of files. */
#ifndef STAP_BASE_PATH_H
#define STAP_BASE_PATH_H

/*
 * Returns PATH absolute, in the arena: relative to stap's working directory, and without symbolic
 * links, "." and ".." as far as it exists.  In the rest ".." removes the name before it:
 *
 *	a.out			/home/me/a.out
 *	../lib/libx.so		/home/lib/libx-1.so, if libx.so is a link to libx-1.so
 *	made/later/../a.out	/home/me/made/a.out, if there is no "made"
 *
 * It stays relative if the working directory was removed.
 */
const char *path_absolute(const char *path);

#endif
