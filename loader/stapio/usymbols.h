/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for the code of programs and libraries: what stands in for a user stack's frames.
 *
 * A file is known by its number in the module's records.  It is opened when its number is seen for
 * the first time, by the module: it is the file that was mapped, wherever its path leads now.  A process
 * of its own reads it (namer.h); what that found is remembered here.
 */
#ifndef STAP_USYMBOLS_H
#define STAP_USYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct place;
struct usymbols;

/* What is known of an address.  The strings stay until the next call, and are printable. */
struct usymbol {
	const char *file;		/* the path that was mapped; NULL: none is known */
	uint64_t in_file;		/* the address in the file's own terms */
	const char *name;		/* NULL: no symbol is known */
	uint64_t offset, size;		/* the address' offset in the symbol, and its size */
	const struct place *places;	/* inlined functions and lines (inlined.h), if asked for; */
	unsigned int nplaces;		/* 0: none is known */
};

/* TRACE is the module's .trace, CONTROL its .control, SIGNALS a descriptor that becomes readable when the
 * session is to end.  NULL if there is no memory. */
struct usymbols *usymbols_new(int trace, int control, int signals);
void usymbols_free(struct usymbols *u);

/* The user wants the session to end: what takes long is left out.  Any thread may call it. */
void usymbols_hurry(struct usymbols *u);

/* Finds what is at an offset of a file; the offsets found are those of BEHIND bytes behind that.
 * LINES: also its source lines. */
void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   bool lines, struct usymbol *out);

/*
 * Hands the names in a file to the module (utable.h), for scripts that need them while they run: what
 * the script asks for (ST_ASKS_*) is said first.  give_file() takes a program by its path; give_number()
 * one of the records' files.  A file that has none, or can't be opened, is left out.
 */
void usymbols_asks(struct usymbols *u, unsigned int asks);
void usymbols_give_file(struct usymbols *u, const char *path);
void usymbols_give_number(struct usymbols *u, unsigned int number);

#endif
