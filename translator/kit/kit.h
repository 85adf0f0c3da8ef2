/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4: the C file and the prebuilt runtime become a module.
 *
 * kit.c builds the runtime once per kernel build and keeps the objects and
 * kbuild's own commands; compile.c replays the compile command on a script's
 * C, or runs full kbuild for one with kernel headers; link.c replays the link
 * and names the module; cache.c keeps results by content.
 */
#ifndef STAP_BUILD_H
#define STAP_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/*
 * s->c_file → s->ko_file, through the cache.  full_kbuild: the C includes
 * kernel headers.  Returns 0, or -1 after a message.  *cached says whether it
 * came from the cache.
 */
int build_module(struct session *s, bool full_kbuild, bool *cached);

/*
 * s->ko_file becomes a copy in the work directory whose name ends with this
 * process's id, so that a script can run several times at once.  0, or -1 after
 * a message.
 */
int build_own_copy(struct session *s);

/*
 * C that is compiled to be looked at: with the kernel's headers and flags, or as
 * a program's.  The object, with debug information of all that TEXT and its
 * headers define; or NULL with *why, what the compiler says first.
 */
const char *compile_snippet(struct session *s, const char *text, bool kernel, const char **why);

/* The values of constant C expressions with the kernel's INCLUDES (lines of C).
 * All, or false with *why. */
bool evaluate_constants(struct session *s, const char *includes, const char *const *exprs,
			size_t n, int64_t *values, const char **why);

#endif
