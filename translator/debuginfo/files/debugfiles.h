/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where debug information may be that is not in a file itself. */
#ifndef STAP_DEBUGFILES_H
#define STAP_DEBUGFILES_H

#include "debuginfo/internal.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* A build-id in hex; the file in a directory of debug files that has it in its name,
 * there or not. */
const char *build_id_text(const void *id, size_t n);
const char *build_id_path(const void *id, size_t n);

/* The build-id of an ELF file in hex; NULL: there is no such file, or it has none. */
const char *file_build_id(const char *path);

/* That of the kernel of the session; NULL: not known. */
const char *running_build_id(void);
const char *kernel_build_id(const struct session *s);

/*
 * The separate debug file of what has a build-id (in hex): in a directory of debug
 * files (DEBUG_ROOT, or those of SYSTEMTAP_DEBUGINFO_PATH), or from debuginfod.  WHAT
 * is said of it.  NULL, and *why is a phrase: where it was looked for.
 */
const char *debug_file_by_id(const char *what, const char *id, const char **why);

/* That of an ELF file, by its build-id or the name and checksum in .gnu_debuglink. */
const char *separate_debug_file(const char *path, const char **why);

/* All of a path before its last '/'; ".": it has none. */
const char *path_directory(const char *path);

#endif
