/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and directories: read whole, written whole, walked.
 */
#ifndef STAP_BASE_FILE_H
#define STAP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sbuf.h"

/* Appends a file's contents.  Returns 0, or -1 with errno. */
int file_read(const char *path, struct sbuf *to);

/* Makes or overwrites a file.  Returns 0, or -1 with errno; then nothing is left. */
int file_write(const char *path, const void *p, size_t n);

/* Copies contents; the copy is on disk (fsync) when sync.  As file_write(). */
int file_copy(const char *from, const char *to, bool sync);

/* mkdir -p; an existing directory is fine.  Returns 0, or -1 with errno. */
int make_dirs(const char *path);

/* rm -rf that does not follow symbolic links; what can't be removed stays. */
void remove_tree(const char *path);

/*
 * Calls fn for each regular file below DIR, in the order of their names, with
 * its path relative to DIR; and for each directory (rel "" is DIR itself).
 * Returns 0, or -1 when DIR can't be read.
 */
int walk_tree(const char *dir, void (*fn)(const char *rel, bool is_dir, void *arg), void *arg);

#endif
