/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of constants and their names, as funcs_names.c shows them. */
#ifndef STAP_NAMES_H
#define STAP_NAMES_H

#include "abi/data.h"

struct st_name {
	long value;
	const char *name;
};

struct st_table_of_names {
	const struct st_name *names;
	unsigned int n;
};

#define ST_TABLE(which, table) [which] = { table, ARRAY_SIZE(table) }

/* Those behind ST_NAMES_KERNEL, which the kernel's headers have not all had always: by enum
 * st_names less that (names_numbers.c). */
extern const struct st_table_of_names st_number_tables[];

/* Writes a set of flags to 'to', "A|B|0x40", room bytes at most, no NUL; how many. */
unsigned int st_flags_text(enum st_names which, unsigned long value, char *to, unsigned int room);

/* NULL: has no name. */
const char *st_constant_name(enum st_names which, st_long value);

#endif
