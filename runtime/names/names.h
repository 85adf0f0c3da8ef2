/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of constants and their names. */
#ifndef STAP_NAMES_H
#define STAP_NAMES_H

#include "port/port.h"

/* A constant: { 2, "O_RDWR" }. */
struct st_name {
	long value;
	const char *name;
};

/* The constants of one kind: open flags, signals, … */
struct st_table_of_names {
	const struct st_name *names;
	unsigned int n;
};

/* Names by their numbers; NULL for a number without one. */
struct st_numbered {
	const char *const *names;
	unsigned int n;
};

/* Error numbers; system calls, and [1]: those of 32-bit programs. */
extern const struct st_numbered st_errnos, st_calls[2];

/* Returns a number's name, or NULL; a name's number, or -1. */
const char *st_numbered_name(const struct st_numbered *t, unsigned long number);
st_long st_numbered_find(const struct st_numbered *t, struct st_str name);

/* Returns the name of a system call, COMPAT: of a 32-bit program. */
struct st_str st_call_name(struct st_ctx *c, st_long number, bool compat);

#define ST_TABLE(which, table) [which] = { table, ARRAY_SIZE(table) }

/* The tables before ST_NAMES_KERNEL, by enum st_names: from the kernel's headers, in a process as far as kernels have
 * the same numbers (kernel.c). */
extern const struct st_table_of_names st_kernel_tables[];

/* The tables behind ST_NAMES_KERNEL and ST_NAMES_CALLS, which not all kernels' headers define; indexed by enum
 * st_names - ST_NAMES_KERNEL - 1 (call_numbers.c), - ST_NAMES_CALLS - 1 (numbers.c). */
extern const struct st_table_of_names st_call_tables[], st_number_tables[];

const struct st_table_of_names *st_names_table(enum st_names which);

/* Writes a set of flags, "A|B|0x40", to TO, ROOM bytes at most and without a NUL; returns how
 * many. */
unsigned int st_flags_text(enum st_names which, unsigned long value, char *to, unsigned int room);

/* Returns the name of a constant, or NULL. */
const char *st_constant_name(enum st_names which, st_long value);

#endif
