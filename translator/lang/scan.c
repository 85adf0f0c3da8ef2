// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the names a file defines: see scan.h. */
#include "scan.h"

#include <string.h>

#include "base/sbuf.h"
#include "grammar.h"
#include "parser.h"

enum { MAX_NEST = 64 };		/* open conditionals whose depth is remembered */

struct scan {
	struct lexer *lx;
	struct token t;
	bool macro_file;
	int depth;			/* open braces */
	int at_then[MAX_NEST];		/* depth at the start of each open conditional */
	int open;			/* conditionals open */
	bool private;			/* the last token was 'private' */
	void (*found)(void *, enum lib_kind, const char *, size_t);
	void *arg;
};

static int next(struct scan *s)
{
	s->t = lexer_next(s->lx);
	return s->t.kind;
}

static bool name_like(int kind)
{
	return kind == IDENT || (kind >= PROBE && kind <= LONG_TYPE);
}

/* Skips to the next token KIND outside nested %( … %). */
static void skip_to(struct scan *s, int kind)
{
	int pairs = 0;

	while (next(s)) {
		if (!pairs && s->t.kind == kind)
			return;
		pairs += (s->t.kind == PP_OPEN) - (s->t.kind == PP_CLOSE);
	}
}

/* @define name(params) %( body %) */
static void scan_define(struct scan *s)
{
	if (name_like(next(s)) && s->macro_file)
		s->found(s->arg, LIB_MACRO, s->t.text, s->t.len);
	while (s->t.kind && s->t.kind != PP_OPEN)
		next(s);
	skip_to(s, PP_CLOSE);
	next(s);
}

/* %( %: %): both branches begin at the same depth of braces. */
static void scan_conditional(struct scan *s)
{
	if (s->t.kind == PP_OPEN) {
		skip_to(s, PP_THEN);
		if (s->open < MAX_NEST)
			s->at_then[s->open] = s->depth;
		s->open++;
	} else if (s->t.kind == PP_ELSE) {
		if (s->open > 0 && s->open <= MAX_NEST)
			s->depth = s->at_then[s->open - 1];
	} else if (s->open > 0) {
		s->open--;
	}
	next(s);
}

static void scan_function(struct scan *s, bool is_private)
{
	if (next(s) == IDENT && !is_private)
		s->found(s->arg, LIB_FUNCTION, s->t.text, s->t.len);
	next(s);
}

/* global a[5], b = 1, c% */
static void scan_global(struct scan *s, bool is_private)
{
	bool name = true;

	while (next(s)) {
		switch (s->t.kind) {
		case IDENT:
			if (!name)
				return;
			if (!is_private)
				s->found(s->arg, LIB_GLOBAL, s->t.text, s->t.len);
			name = false;
			break;
		case ',':
			name = true;
			break;
		case '[': case ']': case '%': case '=': case '-': case '+':
		case NUMBER: case STRING:
		case ARG: case ARG_STRING: case ARG_COUNT: case ARG_COUNT_STRING:
			break;
		default:
			return;
		}
	}
}

/* probe a.b.c = …: reports the name if the probe is an alias. */
static void scan_probe(struct scan *s)
{
	struct sbuf name = { 0 };
	int parens = 0;

	while (next(s)) {
		int kind = s->t.kind;

		parens += (kind == '(') - (kind == ')');
		if (parens || kind == ')')
			continue;
		if (!name_like(kind) && kind != '.' && kind != '*' && kind != NUMBER)
			break;
		sbuf_add(&name, s->t.text, s->t.len);
	}
	if (s->t.kind == '=' || s->t.kind == ADD_ASSIGN)
		s->found(s->arg, LIB_ALIAS, sbuf_str(&name), name.len);
	sbuf_free(&name);
}

/* Handles the current token, and the construct that it begins. */
static void scan_step(struct scan *s)
{
	static const char define[] = "@define";
	bool was_private = s->private;
	int kind = s->t.kind;

	s->private = kind == PRIVATE;
	if (kind == AT_NAME && s->t.len == sizeof(define) - 1 &&
	    !memcmp(s->t.text, define, s->t.len)) {
		scan_define(s);
	} else if (kind == PP_OPEN || kind == PP_ELSE || kind == PP_CLOSE) {
		scan_conditional(s);
	} else if (kind == '{' || kind == '}') {
		s->depth += kind == '{' ? 1 : -(s->depth > 0);
		next(s);
	} else if (s->depth) {
		next(s);
	} else if (kind == FUNCTION) {
		scan_function(s, was_private);
	} else if (kind == GLOBAL) {
		scan_global(s, was_private);
	} else if (kind == PROBE) {
		scan_probe(s);
	} else {
		next(s);
	}
}

void scan_names(const struct source *src, bool macro_file,
		void (*found)(void *arg, enum lib_kind kind, const char *name, size_t len),
		void *arg)
{
	struct scan s = {
		.lx = lexer_open(src), .macro_file = macro_file, .found = found, .arg = arg,
	};

	next(&s);
	while (s.t.kind)
		scan_step(&s);
	lexer_close(s.lx);
}
