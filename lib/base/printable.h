/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes text that other people chose safe to show on a terminal: names of symbols and files,
 * commands, messages that contain them.  A terminal obeys control characters instead of showing
 * them; here each of their bytes becomes its number.  All other UTF-8 stays as it is.
 *
 *	f <ESC> [ 2 J		f\x1b[2J
 *	naïve			naïve
 *	\xff			\xff	(four characters: the byte is no UTF-8)
 *
 * Printable text is not changed again.
 *
 * The loader's programs use this too: it needs nothing else of this room.
 */
#ifndef STAP_BASE_PRINTABLE_H
#define STAP_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The most bytes that replace one byte. */
#define PRINTABLE_MOST 4

/* Returns the length of the UTF-8 character at P, of which at most LEFT bytes are there; 0: none. */
unsigned int utf8_length(const char *p, size_t left);

/* Is the UTF-8 character at P, of N bytes, one that terminals obey: C0, DEL, C1? */
bool utf8_is_control(const char *p, unsigned int n);

/* Writes N bytes of text, printable but for the characters in KEEP; returns the end.  TO has room for
 * PRINTABLE_MOST times as many. */
char *printable_put(char *to, const char *text, size_t n, const char *keep);

/* Returns a printable copy of N bytes of text, allocated by malloc(); NULL if there is no memory. */
char *printable(const char *text, size_t n, const char *keep);

/* Prints a text as printable, but for the characters in KEEP. */
void printable_print(FILE *to, const char *text, const char *keep);

#endif
