/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of the running kernel's symbols (symbols.c). */
#ifndef STAP_SYMBOLS_H
#define STAP_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

/* A symbol to look up. The caller sets the first three members; symbols_find() sets the others. */
struct symbol {
	const char *module, *name;	/* module: "kernel", or the module that has it */
	unsigned int base;		/* for the caller's use */
	unsigned long address;		/* 0: not found */
	unsigned int found;		/* how many symbols have that name */
	bool kprobes_may;		/* not on the kernel's list of what kprobes may not touch */
};

/*
 * Finds the addresses of N symbols, which it sorts.  Returns 0 or -errno: -EPERM if the kernel
 * hides addresses from us.
 */
int symbols_find(struct symbol *v, size_t n);

/*
 * Returns the address of the first symbol of modules behind ADDRESS; 0 if there is none, or the list can't be
 * read.  For an address between the same two symbols as the last one, nothing is read.
 */
unsigned long symbols_next_of_modules(unsigned long address);

/* Sets kprobes_may of each; if the list can't be read, of none. */
void symbols_check(struct symbol *v, size_t n);

#endif
