/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variables are visible from a place.
 */
#ifndef STAP_TARGET_SCOPE_H
#define STAP_TARGET_SCOPE_H

#include "object.h"

/* Called with each variable's name and DIE; IS_PARAM: it is a parameter. */
typedef void scope_fn(const char *name, Dwarf_Die *die, bool is_param, void *arg);

/*
 * Calls FN for the function's parameters and the local variables in scope at the view's
 * pc: the innermost block's first, in the order of the source.
 */
void scope_each(struct view *v, scope_fn *fn, void *arg);

/*
 * Finds the variable NAME: in the innermost block, then outwards to the function, then
 * among the source file's globals.
 */
bool scope_find(struct view *v, const char *name, Dwarf_Die *out);
bool scope_find_global(struct view *v, const char *name, Dwarf_Die *out);

/* Lists their names, for hints. */
struct variable_names { const char **v; size_t n, room; };
void scope_names(struct view *v, struct variable_names *out);

#endif
