/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw tokens: what lexer.l cuts a text into, before the preprocessor.
 *
 * A raw token is a slice of its source: nothing is decoded, copied or
 * interned, so that a file can be tokenised only to see which names it
 * defines (library.c).  A text that can't be a token is one of kind JUNK,
 * with the complaint in .why: it is an error only where the preprocessor does
 * not skip it.
 */
#ifndef STAP_TOKEN_H
#define STAP_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct token {
	int kind;		/* a token of grammar.y; 0 at the end */
	const char *text;	/* in the source; not NUL-terminated */
	unsigned len;
	unsigned line, col;	/* from 1 */
	bool glued;		/* nothing stands between it and the token before */
	const char *why;	/* JUNK: what is wrong */
};

struct lexer;

/* SRC must outlive the lexer and its tokens. */
struct lexer *lexer_open(const struct source *src);
struct token lexer_next(struct lexer *lx);
void lexer_close(struct lexer *lx);

/* A whole text; the last token is of kind 0.  In the arena. */
struct token_list {
	const struct source *src;
	struct token *v;
	size_t n, room;
};

const struct token_list *lex_all(const struct source *src);

/* An interned copy of the token's text. */
const char *token_text(const struct token *t);

#endif
