/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw tokens: the pieces that lexer.l cuts a source into, before the
 * preprocessor.
 *
 * A raw token is a slice of its source.  Nothing is decoded, copied or
 * interned, so that library.c can tokenise a file just to see which names it
 * defines.  Text that can't be a token becomes a token of kind JUNK with the message
 * in .why; it is an error only if the preprocessor doesn't skip it.
 */
#ifndef STAP_TOKEN_H
#define STAP_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* A raw token. */
struct token {
	int kind;		/* one of grammar.y's tokens; 0 at the end */
	const char *text;	/* a slice of the source, not NUL-terminated */
	unsigned len;
	unsigned line, col;	/* from 1 */
	bool glued;		/* nothing stands between it and the token before */
	const char *why;	/* JUNK: the complaint */
};

struct lexer;

/*
 * Reads SRC token by token.  SRC must outlive the lexer and its tokens;
 * lexer_close() frees the lexer.
 */
struct lexer *lexer_open(const struct source *src);
struct token lexer_next(struct lexer *lx);
void lexer_close(struct lexer *lx);

/* All tokens of a source; the last is of kind 0.  In the arena. */
struct token_list {
	const struct source *src;
	struct token *v;
	size_t n, room;
};

const struct token_list *lex_all(const struct source *src);

/* Returns an interned copy of the token's text. */
const char *token_text(const struct token *t);

#endif
