/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for the code of programs and libraries: what stands in for a user stack's frames.
 *
 * A file is known by its number in the module's records.  It is opened when its number is seen for
 * the first time, by the module: it is the file that was mapped, wherever its path leads now.
 * Symbols come from its tables, .gnu_debugdata among them, and from its separate debug file, which
 * is found by build-id or debug link; lines from the debug information.
 */
#ifndef STAP_USYMBOLS_H
#define STAP_USYMBOLS_H

#include <stdint.h>

struct usymbols;

/* What is known of an address.  The strings stay until the next call. */
struct usymbol {
	const char *file;		/* the path that was mapped; NULL: none is known */
	uint64_t in_file;		/* the address in the file's own terms */
	const char *name;		/* NULL: no symbol is known */
	uint64_t offset, size;		/* the address' offset in the symbol, and its size */
	const char *source;		/* NULL: no line is known */
	int line;
};

/* TRACE is the module's .trace.  NULL if there is no memory. */
struct usymbols *usymbols_new(int trace);
void usymbols_free(struct usymbols *u);

/* Finds what is at an offset of a file; the offsets found are those of BEHIND bytes behind that. */
void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   struct usymbol *out);

#endif
