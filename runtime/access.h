/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fault-safe memory, as the runtime's own files use it. */
#ifndef STAP_ACCESS_H
#define STAP_ACCESS_H

#include "data.h"

/* 0, or negative: all or nothing readable. */
typedef int (*st_copy_fn)(void *to, unsigned long addr, unsigned int n);
int st_copy_kernel(void *to, unsigned long addr, unsigned int n);
int st_copy_user(void *to, unsigned long addr, unsigned int n);

/* A string's bytes up to its NUL, max at most, none written behind them; how
 * many, or negative. */
long st_copy_string(char *to, unsigned long addr, unsigned int max, st_copy_fn copy);

/* The script error: what is "read" or "write". */
void st_fault(struct st_ctx *c, const char *what, unsigned long addr);

#endif
