/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the trees of a program. */
#ifndef STAP_WALK_H
#define STAP_WALK_H

#include "program.h"

/*
 * Calls FN for every expression of a statement or expression, children before
 * parents, with the address of the pointer so that FN may replace it.
 */
void walk_stmt(struct stmt *s, void (*fn)(struct expr **, void *), void *arg);
void walk_expr(struct expr **e, void (*fn)(struct expr **, void *), void *arg);

/* Does it contain %{ %} as a statement or value? */
bool has_embedded_c(struct stmt *s);
bool has_embedded_expr(struct expr *e);

/* Calls FN for every expression of the program: bodies, conditions, saved values. */
void walk_exprs(struct program *prog, void (*fn)(struct expr **, void *), void *arg);

/* Calls FN for the body of every function, then of every probe. */
void walk_program(struct program *p, void (*fn)(struct stmt *, void *), void *arg);

#endif
