/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns in probe points: * ? [set] [!set]; * and ? match any character, '/' too. */
#ifndef STAP_MATCH_H
#define STAP_MATCH_H

#include <stdbool.h>

/* Does a text have pattern characters? */
bool is_glob(const char *text);

bool match_glob(const char *pattern, const char *text);

/* Does a pattern match a path, or its end after a '/'? */
bool match_path(const char *pattern, const char *path);

#endif
