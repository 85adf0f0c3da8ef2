/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds debug information that is not in a file itself.  Texts are in the arena. */
#ifndef STAP_DEBUGFILES_H
#define STAP_DEBUGFILES_H

#include "debuginfo/internal.h"

#define DEBUG_ROOT "/usr/lib/debug"

/*
 * Returns a build-id in hex; and the path of the debug file that has it in its
 * name, in the first directory of debug files that has such a file, or in the
 * first directory.  OF is the path of the file whose debug file it is, "" the kernel's: of
 * "/proc/PID/root/…" it may be in that root too.
 */
const char *build_id_text(const void *id, size_t n);
const char *build_id_path(const char *of, const void *id, size_t n);

/* Converts a build-id in hex to at most ROOM bytes; returns their number. */
size_t build_id_bytes(const char *hex, unsigned char *out, size_t room);

/*
 * Returns the build-id of an ELF file in hex; NULL if there is no such file, or
 * it has none.
 */
const char *build_id_of_file(const char *path);

/*
 * Return the build-id of the running kernel, and of the session's kernel; NULL
 * if unknown.
 */
const char *build_id_of_running(void);
const char *build_id_of_kernel(struct session *s);

/*
 * Finds the separate debug file for a build-id (in hex): in the directories of
 * debug files (DEBUG_ROOT, or those of $SYSTEMTAP_DEBUGINFO_PATH), then on
 * debuginfod's servers.  OF is as above, WHAT names that file for messages.  Returns NULL with
 * *WHY, a phrase that says where it was looked for.
 */
const char *debug_file_by_id(const char *of, const char *what, const char *id, struct problem *why);

/*
 * Finds the separate debug file of an ELF file, by its .gnu_debuglink, then by
 * its build-id.  Returns NULL with *WHY, which is NULL if the file refers to
 * none.
 */
const char *separate_debug_file(const char *path, struct problem *why);

/* Returns a path up to its last '/', or "." if it has none. */
const char *path_directory(const char *path);

#endif
