/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of the running kernel's symbols: symbols.c. */
#ifndef STAP_SYMBOLS_H
#define STAP_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct symbol {
	const char *module, *name;	/* "kernel", or the module it is in */
	unsigned int base;		/* the caller's */
	unsigned long address;		/* 0: not found */
	unsigned int found;		/* how many there are of that name */
	bool kprobes_may;		/* it is known to be none that kprobes may not touch */
};

/*
 * Finds the addresses of N symbols, sorting them.  0, or -errno: -EPERM when
 * the kernel does not show addresses to us.
 */
int symbols_find(struct symbol *v, size_t n);

/* Looks up which of them kprobes may touch; none, where the kernel does not say. */
void symbols_check(struct symbol *v, size_t n);

#endif
