/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that lives as long as the session.
 *
 * A translator makes many small objects, points them at each other and needs
 * all of them until the end.  So nothing is freed one by one: everything the
 * passes build comes from one arena and goes with it, and no structure here
 * has an owner to be argued about.  Running out of memory ends the program
 * with a message; no caller checks for NULL.
 */
#ifndef STAP_ARENA_H
#define STAP_ARENA_H

#include <stdarg.h>
#include <stddef.h>

/* Zeroed memory, aligned for any type, that lives until arena_free_all(). */
void *arena_alloc(size_t size);

/* One zeroed object of a type. */
#define new(type) ((type *)arena_alloc(sizeof(type)))

/* A NUL-terminated copy of LEN bytes. */
char *arena_strndup(const char *s, size_t len);
char *arena_strdup(const char *s);

/* printf into the arena. */
char *arena_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *arena_vprintf(const char *fmt, va_list ap);

/*
 * The one copy of a string: two interned strings are equal exactly when their
 * pointers are, so names are compared with ==.
 */
const char *intern(const char *s);
const char *intern_n(const char *s, size_t len);

/* Has arena_free_all() call FORGET, once, for who keeps arena memory in a static variable. */
void arena_on_free(void (*forget)(void));

/* Gives everything back; for leak checkers and fuzzers that run many sessions. */
void arena_free_all(void);

#endif
