/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preprocessor: a filter between the lexer and the grammar.
 *
 *	lexer.l  →  macro.c (+ condition.c)  →  feed.c  →  grammar.y
 *
 * macro.c replaces script arguments, expands macros and drops the branches of
 * %( … %) that are not taken. feed.c decodes numbers and strings, joins
 * adjacent strings, and makes one token of a probe point's component.
 */
#ifndef STAP_PREPROC_H
#define STAP_PREPROC_H

#include <stdint.h>

#include "ast.h"
#include "token.h"

struct session;
struct preproc;

/* A token that has passed the preprocessor. */
struct lexeme {
	int kind;		/* one of grammar.y's tokens; 0 at the end */
	struct loc loc;
	bool glued;		/* as in struct token */
	const char *raw;	/* its spelling, a slice of the source */
	unsigned len;
	const char *text;	/* interned: an identifier, or a string's value */
	int64_t num;
	const char *why;	/* JUNK: the complaint; NULL if it was reported */
};

struct preproc *preproc_open(struct session *s, const struct source *src);

/* Returns the next token.  A JUNK one without .why marks an error that was reported. */
struct lexeme preproc_next(struct preproc *pp);

/*
 * Prints "parse error: …" with the position and the macros it came through, and
 * makes preproc_failed() true.
 */
void preproc_error(struct preproc *pp, struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool preproc_failed(const struct preproc *pp);

/*
 * Evaluates the condition of %( … %?, and consumes it with the %?.  Sets *OK to
 * false after a message if it is malformed.
 */
bool preproc_condition(struct preproc *pp, struct session *s, bool *ok);

/* ---- the grammar's input (feed.c) -------------------------------------- */

/*
 * The state of the last filter.  In a list of probe points, words are joined to
 * components.
 */
struct feed {
	struct preproc *pp;
	struct lexeme ahead;
	bool have_ahead;
	int prev;		/* kind of the last token returned */
	/* inside a list of probe points: */
	bool in_point;
	int parens;		/* open parentheses */
};

struct lexeme feed_next(struct feed *f);

/*
 * Decodes a number as C spells it, up to 2^64 - 1, which wraps to -1.  Returns
 * false if it is malformed or too large.
 */
bool number_value(const char *s, unsigned len, int64_t *value);

/* Returns the value of a string literal, interned.  RAW includes the quotes. */
const char *string_value(const char *raw, unsigned len);

/*
 * Returns the token of an operator such as "@cast", or 0.  Sets *FIXED if
 * library macros can't take its name.
 */
int at_operator(const char *raw, unsigned len, bool *fixed);

/* Returns a token as messages name it: "identifier 'x'", "operator '+'". */
const char *lexeme_describe(const struct lexeme *t);

#endif
