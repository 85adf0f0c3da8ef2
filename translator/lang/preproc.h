/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preprocessor: a filter between the lexer and the grammar.
 *
 *	lexer.l  →  macro.c (+ condition.c)  →  feed.c  →  grammar.y
 *
 * macro.c replaces script arguments, expands macros and drops the branches of
 * %( … %) that are not taken; feed.c decodes numbers and strings, joins
 * adjacent strings and makes one token of a probe point's component.
 */
#ifndef STAP_PREPROC_H
#define STAP_PREPROC_H

#include <stdint.h>

#include "ast.h"
#include "token.h"

struct session;
struct preproc;

/* A token out of the preprocessor. */
struct lexeme {
	int kind;		/* a token of grammar.y; 0 at the end */
	struct loc loc;
	bool glued;		/* as struct token's */
	const char *raw;	/* its spelling, a slice of the source */
	unsigned len;
	const char *text;	/* interned: an identifier's, or a string's value */
	int64_t num;
	const char *why;	/* JUNK: what is wrong */
};

struct preproc *preproc_open(struct session *s, const struct source *src);

/* The next token; JUNK for what is wrong (already reported when .why is NULL). */
struct lexeme preproc_next(struct preproc *pp);

/* An error of the preprocessor; "parse error" with the place and its macros. */
void preproc_error(struct preproc *pp, struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool preproc_failed(const struct preproc *pp);

/*
 * Reads a condition up to and with its %?.  False with *ok false: wrong, and
 * reported.
 */
bool condition(struct preproc *pp, struct session *s, bool *ok);

/* ---- what the grammar reads (feed.c) ----------------------------------- */

struct feed {
	struct preproc *pp;
	struct lexeme ahead;
	bool have_ahead;
	int prev;		/* kind of the last token handed out */
	/* inside a probe point's list: */
	bool in_point;
	int parens;		/* open parentheses */
};

struct lexeme feed_next(struct feed *f);

/* A number as C spells it, up to 2^64 - 1 (which wraps). */
bool number_value(const char *s, unsigned len, int64_t *value);

/* The value of a string literal, its quotes included in RAW; interned. */
const char *string_value(const char *raw, unsigned len);

/*
 * The token of an operator that begins with '@', 0 when there is none of that
 * name; its stat_op is in *num.  *fixed: a macro can't take its name.
 */
int at_operator(const char *raw, unsigned len, bool *fixed);

/* "identifier 'x'", "operator '+'": how messages name a token. */
const char *lexeme_describe(const struct lexeme *t);

#endif
