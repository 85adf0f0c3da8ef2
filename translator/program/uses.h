/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds uses of variables, and calls, in bodies. */
#ifndef STAP_USES_H
#define STAP_USES_H

#include "program.h"

/* How a variable is used; bits. */
enum {
	USE_READ = 1,
	USE_WRITE = 2,
	USE_ADD = 4,		/* added to, without taking the result */
	USE_SORT = 8,		/* with USE_READ: iterated in sorted order */
	USE_SET = 16,		/* with USE_WRITE: set, not deleted */
	USE_CLEAR = 32,		/* with USE_WRITE: deleted as a whole */
};

/*
 * Called for each use.  E is its node, or NULL for foreach's array, catch's
 * variable and embedded C.
 */
typedef void (*use_fn)(struct variable *v, unsigned how, const struct expr *e, void *arg);

void find_uses(struct stmt *s, use_fn fn, void *arg);
void find_function_uses(struct function *f, use_fn fn, void *arg);	/* embedded functions too */
/* Visits a statement's own expressions, but not the statements in it. */
void find_own_uses(struct stmt *s, use_fn fn, void *arg);
void find_expr_uses(struct expr *e, use_fn fn, void *arg);
/* The same for an expression whose value is unused. */
void find_void_uses(struct expr *e, use_fn fn, void *arg);

/* Sets is_read and is_written of every variable anew. */
void mark_uses(struct program *prog);

/* Calls FN for every function that a body may call, all overloads included. */
void find_calls(struct stmt *s, void (*fn)(struct function *, void *), void *arg);
void find_expr_calls(struct expr *e, void (*fn)(struct function *, void *), void *arg);

#endif
