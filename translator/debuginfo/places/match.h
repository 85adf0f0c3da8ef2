/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns in probe points: * ? [set] [!set], where * and ? match any character. */
#ifndef STAP_MATCH_H
#define STAP_MATCH_H

#include <stdbool.h>

/* Whether a text holds any of the pattern characters. */
bool is_glob(const char *text);

bool match_glob(const char *pattern, const char *text);

/* Whether a pattern matches a path or what follows any '/' in it. */
bool match_path(const char *pattern, const char *path);

#endif
