/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the shared libraries of a program, as users name them in library("NAME").
 *
 * A name with '/' is a path.  Any other is a pattern for the names or paths of the libraries
 * that the program is linked with, directly or through other libraries.  A name without
 * wildcards that matches none of them may be a library that the program loads while it
 * runs (dlopen); it is looked for in the same directories.
 *
 *	process("python3").library("libc.so*")	/usr/lib/x86_64-linux-gnu/libc.so.6
 */
#ifndef STAP_PROBES_LIBRARY_PATH_H
#define STAP_PROBES_LIBRARY_PATH_H

#include <stdbool.h>

#include "base/problem.h"
#include "base/vec.h"

/*
 * Adds the absolute paths of the libraries that NAME means in the program at PATH.  Returns
 * false with *WHY set if there is none.
 */
bool library_find_all(const char *path, const char *name, text_list *out, struct problem *why);

#endif
