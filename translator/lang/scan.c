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
	bool wrong;			/* no parser would take this */
	void (*found)(void *, enum lib_kind, const char *, size_t);
	void *arg;
};

static int next(struct scan *s)
{
	s->t = lexer_next(s->lx);
	s->wrong |= s->t.kind == JUNK;
	return s->t.kind;
}

static bool name_like(int kind)
{
	return kind == IDENT || (kind >= PROBE && kind <= LONG_TYPE);
}

/* Adds a component's text to NAME, with "*" for each "@{word}" in it. */
static void add_template(struct sbuf *name, const struct token *t)
{
	const char *end = t->text + t->len;

	for (const char *c = t->text; c < end; c++) {
		if (*c == '@') {
			sbuf_puts(name, "*");
			c = memchr(c, '}', end - c);
		} else {
			sbuf_add(name, c, 1);
		}
	}
}

/* probe a.b.c = …: reports the name if the probe is an alias. */
static void scan_probe(struct scan *s)
{
	struct sbuf name = { 0 };
	int parens = 0;
	bool open_ended = false;

	while (next(s)) {
		int kind = s->t.kind;

		parens += (kind == '(') - (kind == ')');
		if (parens || kind == ')' || kind == JUNK)
			continue;
		if (!name_like(kind) && kind != '.' && kind != '*' && kind != NUMBER &&
		    kind != TEMPLATE && kind != AT_NAME)
			break;
		if (open_ended)
			continue;
		if (kind == AT_NAME)
			sbuf_puts(&name, "*");
		else
			add_template(&name, &s->t);
		open_ended = kind == AT_NAME;
	}
	if (!s->macro_file && (s->t.kind == '=' || s->t.kind == ADD_ASSIGN))
		s->found(s->arg, LIB_ALIAS, sbuf_str(&name), name.len);
	sbuf_free(&name);
}

/* Skips to the next token KIND outside nested %( … %).  Aliases on the way are reported. */
static void skip_to(struct scan *s, int kind)
{
	int pairs = 0;

	next(s);
	while (s->t.kind && (pairs || s->t.kind != kind)) {
		pairs += (s->t.kind == PP_OPEN) - (s->t.kind == PP_CLOSE);
		if (s->t.kind == PROBE)
			scan_probe(s);
		else
			next(s);
	}
	s->wrong |= !s->t.kind;
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
		case ARG_ALL: case ARG_ALL_STRINGS:
			break;
		default:
			return;
		}
	}
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
		s->wrong |= kind == '}' && !s->depth;
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

bool scan_names(const struct source *src, bool macro_file,
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
	return !s.wrong && !s.depth && !s.open;
}
