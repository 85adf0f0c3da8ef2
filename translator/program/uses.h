/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding uses of variables and calls in bodies: uses.c. */
#ifndef STAP_USES_H
#define STAP_USES_H

#include "program.h"

enum {
	USE_READ = 1,
	USE_WRITE = 2,
	USE_ADD = 4,		/* only added to, the result not taken */
	USE_SORT = 8,		/* with USE_READ: iterated in sorted order */
	USE_SET = 16,		/* with USE_WRITE: it is given a value, not deleted */
	USE_CLEAR = 32,		/* with USE_WRITE: deleted as a whole */
};

/* E is the use's node, or NULL (foreach's array, catch's variable, embedded C). */
typedef void (*use_fn)(struct variable *v, unsigned how, const struct expr *e, void *arg);

void find_uses(struct stmt *s, use_fn fn, void *arg);
void find_function_uses(struct function *f, use_fn fn, void *arg);	/* embedded ones too */
/* A statement's own expressions, without those of the statements in it. */
void find_own_uses(struct stmt *s, use_fn fn, void *arg);
void find_expr_uses(struct expr *e, use_fn fn, void *arg);
/* The same where nobody takes the value. */
void find_void_uses(struct expr *e, use_fn fn, void *arg);

/* Sets is_read and is_written of every variable, anew. */
void mark_uses(struct program *prog);

/* Every function a body may call, overloads included. */
void find_calls(struct stmt *s, void (*fn)(struct function *, void *), void *arg);
void find_expr_calls(struct expr *e, void (*fn)(struct function *, void *), void *arg);

#endif
