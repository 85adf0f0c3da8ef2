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

/*
 * Does PATTERN name the function or type NAME?  Names of C++ and Rust are qualified; a pattern
 * names them in full or leaves out what is before a "::", and may leave out the arguments
 * of templates:
 *
 *	std::vector<int, std::allocator<int> >::push_back
 *		"push_back", "vector<*>::push_back", "std::vector::push_back"
 *
 * Wildcards match "::" too, but a pattern without it is about the last part of NAME only.
 * LITERALLY: the pattern's wildcards are ordinary characters, as in "operator[]".
 */
bool match_name(const char *pattern, const char *name, bool literally);

/* Returns the last part of a qualified name. */
const char *name_last_part(const char *name);

#endif
