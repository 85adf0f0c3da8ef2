/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf's rules, implemented once: the runtime uses them for sprintf() and the like,
 * stapio for everything printed.
 *
 * The translator turns every print into a canonical format, a text with directives
 * %[flags][width|*][.precision|.*][l]conversion; for instance println(execname(), n)
 * becomes "%s%d\n".  Flags are any of "#0- +"; conversions are
 *
 *	d i u o x X	integers, 64 bits; with '#' a 0, 0x or 0X before o, x or X, also before 0
 *	c		a byte; with '#' escaped if it doesn't print
 *	p		a pointer, "0x" and hex digits
 *	b		an integer as bytes in native order; width 1, 2, 4 or 8 (default 8)
 *	s		a string, cut to the precision
 *	m		bytes as they are; the argument is a string, the memory read when
 *			the handler ran
 *	M		such bytes in hex digits
 *	%%		a percent sign
 *
 * '*' takes an integer argument before the value's.  Arguments are strings for s, m
 * and M, integers for the others.
 */
#ifndef STAP_FORMAT_H
#define STAP_FORMAT_H

#include "abi/stap_script.h"

/* Widths and precisions are cut to this, which exceeds what is printed. */
#define ST_FIELD_MAX 65535

/* One directive, and the literal text before it. */
struct st_directive {
	const char *text;		/* a part of the format: "%%" is still two characters */
	unsigned int text_len;
	char conversion;		/* 0: none, only the text at the end */
	unsigned char flags;		/* ST_F_* */
	signed char width_arg, precision_arg;	/* 1: '*' */
	int width, precision;		/* -1: none */
};

/* A directive's flags: # 0 - + and space. */
enum { ST_F_ALT = 1, ST_F_ZERO = 2, ST_F_LEFT = 4, ST_F_SIGN = 8, ST_F_SPACE = 16 };

/* Takes the next directive off *fmt; returns 0 at the end. */
int st_format_next(const char **fmt, struct st_directive *d);

/* Does a conversion take a string argument? */
static inline int st_conversion_is_string(char conversion)
{
	return conversion == 's' || conversion == 'm' || conversion == 'M';
}

/* Returns how many arguments a directive takes. */
static inline unsigned int st_directive_args(const struct st_directive *d)
{
	return d->conversion ? 1 + d->width_arg + d->precision_arg : 0;
}

/*
 * Formats one directive (its text, then its value) to buf, at most room bytes and
 * without a NUL; returns the number written.  Advances *args past the arguments used.  If
 * fewer are left before end, it omits the value and leaves none for the directives that follow,
 * which they may not fit.
 */
unsigned int st_format_one(char *buf, unsigned int room, const struct st_directive *d,
			   const union st_arg **args, const union st_arg *end);

/* Writes a byte to out, escaped as in C if it doesn't print: 4 bytes at most; returns how
 * many. */
unsigned int st_escape(char *out, unsigned char ch);

/* Formats a whole format, likewise, with nargs arguments. */
unsigned int st_format_all(char *buf, unsigned int room, const char *fmt,
			   const union st_arg *args, unsigned int nargs);

#endif
