/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where debug information may be that is not in a file itself. */
#ifndef STAP_DEBUGFILES_H
#define STAP_DEBUGFILES_H

#include "internal.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* A build-id in hex; the file under DEBUG_ROOT that has it in its name. */
const char *build_id_text(const void *id, size_t n);
const char *build_id_path(const void *id, size_t n);

/* All of a path before its last '/'; ".": it has none. */
const char *path_directory(const char *path);

#endif
