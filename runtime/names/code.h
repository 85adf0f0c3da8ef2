/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and source lines of a program's code, looked up in a table (abi/utable.h):
 *
 *	struct st_code_names n;
 *	const struct st_usymbol *s;
 *
 *	if (!st_code_names_check(&n, table, bytes))
 *		return;			it is no table, or a damaged one
 *	s = st_code_symbol(&n, 0x1a2b);
 *	if (s)
 *		printf("%s+%#lx\n", n.chars + s->name, 0x1a2bul - s->offset);
 *
 * Nothing that the table says is believed before it is checked; afterwards it must not change.  A
 * lookup is a binary search.  Nothing here belongs to the kernel: testsuite/fuzz/names.c runs the
 * same code in an ordinary program.
 */
#ifndef STAP_NAMES_CODE_H
#define STAP_NAMES_CODE_H

#include "abi/utable.h"

#ifndef __KERNEL__
#include <stdbool.h>
#endif

/* The parts of a table, which stay in its memory. */
struct st_code_names {
	const struct st_usymbol *symbols;
	const struct st_uline *lines;
	const char *chars;		/* the strings, the last of which ends here: */
	u32 nsymbols, nlines, nchars;
};

/* Sets N to the parts of a table of BYTES bytes, aligned to 4.  False: they don't fill it, are not
 * sorted, or refer to strings that it doesn't have. */
bool st_code_names_check(struct st_code_names *n, const void *table, unsigned int bytes);

/*
 * Return the symbol that contains an offset in the file, and the row of source lines that it
 * belongs to, whose file is a string; NULL if none is known.
 */
const struct st_usymbol *st_code_symbol(const struct st_code_names *n, unsigned long offset);
const struct st_uline *st_code_line(const struct st_code_names *n, unsigned long offset);

#endif
