/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fault-safe memory, as the runtime's own files use it. */
#ifndef STAP_ACCESS_H
#define STAP_ACCESS_H

#include "abi/data.h"

/* 0, or negative: all or nothing readable. */
typedef int (*st_copy_fn)(void *to, unsigned long addr, unsigned int n);
int st_copy_kernel(void *to, unsigned long addr, unsigned int n);
int st_copy_user(void *to, unsigned long addr, unsigned int n);

/* A string's bytes up to its NUL, max at most, none written behind them; how
 * many, or negative. */
long st_copy_string(char *to, unsigned long addr, unsigned int max, st_copy_fn copy);

/*
 * A field of the structure of this type at address p, which may not be there: then
 * 0, and the script error is set.  And the same of a pointer, as an address.
 */
#define ST_FIELD(c, type, p, field)						\
	((typeof(((type *)0)->field))st_kread(c, (p) + offsetof(type, field),	\
					      sizeof(((type *)0)->field)))
#define ST_POINTER(c, type, p, field) ((unsigned long)ST_FIELD(c, type, p, field))

/* The script error: what is "read" or "write". */
void st_fault(struct st_ctx *c, const char *what, unsigned long addr);

#endif
