/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf's rules, once: compiled into the runtime (sprintf and its like) and
 * into stapio (everything printed).
 *
 * A canonical format is what the translator makes of any print: a text with
 * directives %[flags][width|*][.precision|.*][l]conversion; flags of "#0- +";
 * conversions
 *
 *	d i u o x X	integers, 64 bits
 *	c		a byte; with '#' an escaped one
 *	p		a pointer, "0x" and hex digits
 *	b		integer as bytes, native order, width = 1, 2, 4 or 8 (default 8)
 *	s		string, precision cuts
 *	m		bytes as they are: its argument is a string (the memory, read
 *			when the handler ran)
 *	M		the same in hex digits
 *	%%		a percent sign
 *
 * '*' takes an integer argument before the value's own.  Arguments: strings
 * for s, m, M, integers for the rest.
 */
#ifndef STAP_FORMAT_H
#define STAP_FORMAT_H

#include "abi/stap_script.h"

/* One directive, and the literal text before it. */
struct st_directive {
	const char *text;		/* in the format; "%%" still doubled */
	unsigned int text_len;
	char conversion;		/* 0: only text, at the end */
	unsigned char flags;		/* ST_F_* */
	signed char width_arg, precision_arg;	/* '*': 1 */
	int width, precision;		/* -1: none */
};

enum { ST_F_ALT = 1, ST_F_ZERO = 2, ST_F_LEFT = 4, ST_F_SIGN = 8, ST_F_SPACE = 16 };

/* Takes the next directive off *fmt; 0 at the end. */
int st_format_next(const char **fmt, struct st_directive *d);

/* Does a conversion take a string argument? */
static inline int st_conversion_is_string(char conversion)
{
	return conversion == 's' || conversion == 'm' || conversion == 'M';
}

/*
 * Formats one directive (its text, then its value) at buf, at most room bytes
 * and no NUL; returns the number written, cut where there is no more room.
 * *args is moved past what was taken.
 */
unsigned int st_format_one(char *buf, unsigned int room, const struct st_directive *d,
			   const union st_arg **args);

/* A byte as it is, or one that doesn't print as C would write it, at out (4
 * bytes); how many. */
unsigned int st_escape(char *out, unsigned char ch);

/* The whole of a format. */
unsigned int st_format_all(char *buf, unsigned int room, const char *fmt,
			   const union st_arg *args);

#endif
