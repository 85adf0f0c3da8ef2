/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files and directory trees: read, write, copy, walk, remove. */
#ifndef STAP_BASE_FILE_H
#define STAP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sbuf.h"

/* Appends a file's contents to TO.  Returns 0, or -1 with errno set. */
int file_read(const char *path, struct sbuf *to);

/*
 * Does the same for an open file, and closes it; or fails for FD -1, with errno set by the caller.
 */
int file_read_from(int fd, struct sbuf *to);

/* Does the file contain TEXT?  No if it can't be read. */
bool file_says(const char *path, const char *text);

/*
 * Creates or overwrites a file.  Returns 0; or -1 with errno set, having
 * removed the file.
 */
int file_write(const char *path, const void *p, size_t n);

/*
 * Gives a user's file new contents, or creates it.  Returns 0; or -1 with errno set, and the file
 * is as it was.  Anything but a regular file, such as a device, is just written to.
 */
int file_replace(const char *path, const void *p, size_t n);

/*
 * Copies a file's contents, and calls fsync() on the copy if SYNC is set.  TO is a
 * new file, executable if FROM is: another of that name, or a link, is removed.  Fails as
 * file_write() does.
 */
int file_copy(const char *from, const char *to, bool sync);

/*
 * Makes a directory and those above it that are missing.  Returns 0 if it is there
 * then; or -1 with errno set.
 */
int file_make_dirs(const char *path);

/*
 * Removes a file or a tree without following symbolic links.  Ignores what
 * can't be removed.
 */
void file_remove_tree(const char *path);

/*
 * Calls FN for DIR itself (REL is ""), then for each directory and regular file
 * below it, in alphabetical order.  REL is the path relative to DIR.  Symbolic
 * links are followed.  Subdirectories that can't be read are skipped; returns
 * -1 if DIR itself can't be, else 0.
 */
int file_walk_tree(const char *dir, void (*fn)(const char *rel, bool is_dir, void *arg), void *arg);

/*
 * Identifies a file without reading it: returns a text of its inode, size and
 * times, or "-" if there is no such file.  The device's number is left out: it
 * may change at a boot, and is another one in a guest that shares the file.
 */
const char *file_stamp(const char *path);

/* Does a file's name end with SUFFIX (".o"), after at least one letter? */
bool file_has_suffix(const char *name, const char *suffix);

#endif
