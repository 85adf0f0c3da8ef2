/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that lives as long as the session.
 *
 * A translator makes many small objects, links them to each other and needs
 * them all until the end.  So nothing is freed one by one: every object the
 * passes build comes from one arena, which is freed as a whole, and no
 * structure has an owner.  Running out of memory prints a message and ends the
 * program; no caller checks for NULL.
 *
 *	struct expr *e = arena_new(struct expr);
 *	e->name = intern_n(token, len);
 *	e->str = arena_printf("%s.%s", module, symbol);
 */
#ifndef STAP_ARENA_H
#define STAP_ARENA_H

#include <stdarg.h>
#include <stddef.h>

/*
 * Allocates SIZE zeroed bytes, aligned for any type.  They live until
 * arena_free_all().
 */
void *arena_alloc(size_t size);

/* Allocates one zeroed object of TYPE. */
#define arena_new(type) ((type *)arena_alloc(sizeof(type)))

/* Copies LEN bytes of S, or all of S, and adds a NUL. */
char *arena_strndup(const char *s, size_t len);
char *arena_strdup(const char *s);

/* printf() into the arena. */
char *arena_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *arena_vprintf(const char *fmt, va_list ap);

/*
 * Returns the one copy of a string.  Two interned strings are equal exactly
 * when their pointers are, so names are compared with ==.
 */
const char *intern(const char *s);
const char *intern_n(const char *s, size_t len);

/*
 * Makes the next arena_free_all() call FORGET, which clears static variables
 * that point into the arena.
 */
void arena_on_free(void (*forget)(void));

/*
 * Frees everything, interned strings too.  For leak checkers, and for fuzzers
 * that run many sessions.
 */
void arena_free_all(void);

#endif
