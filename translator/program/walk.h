/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking the trees of a program: walk.c. */
#ifndef STAP_WALK_H
#define STAP_WALK_H

#include "program.h"

/*
 * Every expression under a statement, children before parents, slots by
 * address so that they can be replaced.
 */
void walk_stmt(struct stmt *s, void (*fn)(struct expr **, void *), void *arg);
void walk_expr(struct expr **e, void (*fn)(struct expr **, void *), void *arg);

/* Is there a user's C in it: %{ %} as a statement or value? */
bool has_embedded_c(struct stmt *s);
bool has_embedded_expr(struct expr *e);

/* Every expression of the program: bodies, conditions, what is evaluated at entry. */
void walk_exprs(struct program *prog, void (*fn)(struct expr **, void *), void *arg);

/* Every function, then every handler: FN on the body. */
void walk_program(struct program *p, void (*fn)(struct stmt *, void *), void *arg);

#endif
