// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grammar's input: the preprocessor's tokens with their values.
 *
 * Three questions are settled here because a token's neighbours decide them:
 *
 * - adjacent string literals are one string;
 * - a word after '->' is a name even if it is a keyword: $p->next;
 * - between 'probe' and the handler's '{', everything up to a '.', '(' or ',' is
 *   one token: "sys_*open", "if", "**".
 *
 * A '{' in a list of probe points opens a group of alternatives where a
 * component may begin (after a '.'), otherwise the handler.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "grammar.h"
#include "mistakes.h"
#include "preproc.h"

/* ---- literals ------------------------------------------------------------ */

bool number_value(const char *s, unsigned len, int64_t *value)
{
	char *text = arena_strndup(s, len), *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && end == text + len && len;
}

static int octal_digit(char c)
{
	return c >= '0' && c <= '7' ? c - '0' : -1;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Adds the character of an escape sequence.  S points behind the backslash.
 * Returns a pointer behind the sequence.
 */
static const char *escape(struct sbuf *b, const char *s)
{
	static const char from[] = "abtnvfr", to[] = "\a\b\t\n\v\f\r";
	const char *simple = memchr(from, *s, sizeof(from) - 1);
	unsigned value = 0, n = 0;

	if (simple) {
		sbuf_putc(b, to[simple - from]);
		return s + 1;
	}
	if (*s == '\n')		/* a line continuation */
		return s + 1;
	if (*s == 'x' && hex_digit(s[1]) >= 0) {
		for (s++; hex_digit(*s) >= 0; s++)
			value = (value << 4) | hex_digit(*s);
	} else if (octal_digit(*s) >= 0) {
		for (; n < 3 && octal_digit(*s) >= 0; n++, s++)
			value = (value << 3) | octal_digit(*s);
	} else {
		value = (unsigned char)*s++;
	}
	sbuf_putc(b, value);
	return s;
}

/* Adds the character at S, escaped or not.  Returns a pointer behind it. */
static const char *character(struct sbuf *b, const char *s)
{
	if (*s == '\\')
		return escape(b, s + 1);
	sbuf_putc(b, *s);
	return s + 1;
}

const char *string_value(const char *raw, unsigned len)
{
	struct sbuf b = { 0 };
	const char *s = raw + 1, *end = raw + len - 1;

	while (s < end)
		s = character(&b, s);

	const char *value = intern(sbuf_str(&b));	/* ends at a NUL, as in C */

	sbuf_free(&b);
	return value;
}

/* Returns the position of S in a token's text; AT supplies the source. */
static struct loc place_in(const struct token *t, const char *s, struct loc at)
{
	at.line = t->line;
	at.col = t->col;
	for (const char *p = t->text; p < s; p++) {
		at.col = *p == '\n' ? 1 : at.col + 1;
		at.line += *p == '\n';
	}
	return at;
}

struct loc string_place(struct loc at, size_t offset)
{
	const struct token_list *tokens = at.src ? lex_all(at.src) : NULL;
	struct sbuf value = { 0 };
	struct loc found = at;
	size_t i = 0;

	while (tokens && i < tokens->n &&
	       (tokens->v[i].line != at.line || tokens->v[i].col != at.col))
		i++;
	for (; tokens && i < tokens->n && tokens->v[i].kind == STRING; i++) {
		const struct token *t = &tokens->v[i];
		const char *s = t->text + 1, *end = t->text + t->len - 1;

		while (s < end && value.len < offset)
			s = character(&value, s);
		found = place_in(t, s, at);
		if (s < end)
			break;
	}
	sbuf_free(&value);
	return found;
}

/* ---- operators that begin with '@' -------------------------------------- */

static const struct at_op {
	const char *name;
	int kind;
	enum stat_op stat;
	bool free;		/* library macros may take its name */
} at_ops[] = {
	{ "@cast", AT_CAST, 0, false },
	{ "@var", AT_VAR, 0, false },
	{ "@defined", AT_DEFINED, 0, false },
	{ "@entry", AT_ENTRY, 0, false },
	{ "@perf", AT_PERF, 0, false },
	{ "@probewrite", AT_PROBEWRITE, 0, false },
	{ "@kderef", AT_KDEREF, 0, false },
	{ "@uderef", AT_UDEREF, 0, false },
	{ "@kregister", AT_KREGISTER, 0, false },
	{ "@uregister", AT_UREGISTER, 0, false },
	{ "@count", AT_STAT, STAT_COUNT, false },
	{ "@sum", AT_STAT, STAT_SUM, false },
	{ "@min", AT_STAT, STAT_MIN, false },
	{ "@max", AT_STAT, STAT_MAX, false },
	{ "@avg", AT_STAT, STAT_AVG, false },
	{ "@variance", AT_VARIANCE, STAT_VARIANCE, false },
	{ "@hist_log", AT_HIST_LOG, STAT_HIST_LOG, false },
	{ "@hist_linear", AT_HIST_LINEAR, STAT_HIST_LINEAR, false },
	{ "@const", AT_CONST, 0, true },
	{ "@enum", AT_ENUM, 0, true },
	{ "@enumname", AT_ENUMNAME, 0, true },
	{ "@choose_defined", AT_CHOOSE_DEFINED, 0, true },
};

static const struct at_op *at_op_find(const char *raw, unsigned len)
{
	for (size_t i = 0; i < sizeof(at_ops) / sizeof(*at_ops); i++)
		if (strlen(at_ops[i].name) == len && !memcmp(at_ops[i].name, raw, len))
			return &at_ops[i];
	return NULL;
}

int at_operator(const char *raw, unsigned len, bool *fixed)
{
	const struct at_op *op = at_op_find(raw, len);

	*fixed = op && !op->free;
	return op ? op->kind : 0;
}

/* ---- how messages name a token -------------------------------------------- */

const char *lexeme_describe(const struct lexeme *t)
{
	const char *what = "operator";
	int len = t->len > 60 ? 60 : (int)t->len;

	if (!t->kind)
		return arena_printf("%s EOF", t->loc.src ? t->loc.src->name : "<input>");
	if (t->kind == EMBEDDED)
		return "embedded-code";
	if (t->kind == IDENT || t->kind == TARGET || t->kind == POINT)
		what = "identifier";
	else if (t->kind == NUMBER)
		what = "number";
	else if (t->kind == STRING)
		return arena_printf("string %.*s", len, t->raw);
	else if (t->kind >= PROBE && t->kind <= LONG_TYPE)
		what = "keyword";
	else if (t->kind == JUNK)
		what = "junk";
	return arena_printf("%s '%.*s'", what, len, t->raw);
}

/* ---- the stream ------------------------------------------------------------ */

static bool word(int kind)
{
	return kind == IDENT || (kind >= PROBE && kind <= LONG_TYPE);
}

static struct lexeme take(struct feed *f)
{
	if (f->have_ahead) {
		f->have_ahead = false;
		return f->ahead;
	}
	return preproc_next(f->pp);
}

static const struct lexeme *peek(struct feed *f)
{
	if (!f->have_ahead) {
		f->ahead = preproc_next(f->pp);
		f->have_ahead = true;
	}
	return &f->ahead;
}

static void join_strings(struct feed *f, struct lexeme *t)
{
	struct sbuf b = { 0 };

	t->text = string_value(t->raw, t->len);
	if (peek(f)->kind != STRING)
		return;
	sbuf_puts(&b, t->text);
	while (peek(f)->kind == STRING) {
		struct lexeme more = take(f);

		sbuf_puts(&b, string_value(more.raw, more.len));
	}
	t->text = intern(sbuf_str(&b));
	sbuf_free(&b);
}

/* Sets a token's value. */
static void evaluate(struct feed *f, struct lexeme *t)
{
	const struct at_op *op;

	switch (t->kind) {
	case STRING:
		join_strings(f, t);
		break;
	case NUMBER:
		if (!number_value(t->raw, t->len, &t->num)) {
			preproc_error(f->pp, t->loc, "number invalid or out of range\n"
				      "        saw: %s", lexeme_describe(t));
			t->kind = JUNK;
			t->why = NULL;
		}
		break;
	case AT_NAME:
		op = at_op_find(t->raw, t->len);
		if (op) {
			t->kind = op->kind;
			t->num = op->stat;
			break;
		}
		preproc_error(f->pp, t->loc, "unknown operator or macro %.*s\n        saw: %s",
			      (int)t->len, t->raw, lexeme_describe(t));
		if (t->raw[t->len] != '(')
			diag_hint("%s", mistake_of_map(arena_strndup(t->raw + 1, t->len - 1)));
		t->kind = JUNK;
		break;
	case JUNK:
		if (t->why)
			preproc_error(f->pp, t->loc, "%s", t->why);
		if (t->why && *t->raw == '@')
			diag_hint("%s", mistake_of_map("n"));
		break;
	case EMBEDDED:
		t->text = arena_strndup(t->raw + 2, t->len - 4);
		break;
	default:
		t->text = intern_n(t->raw, t->len);
	}
}

/* May a probe point's component begin after this token? */
static bool before_component(int kind)
{
	return kind == PROBE || kind == '.' || kind == ',' || kind == '{' || kind == '=' ||
	       kind == ADD_ASSIGN;
}

static bool component_char(int kind)
{
	return word(kind) || kind == '*' || kind == NUMBER;
}

/* Joins the tokens of a component, which has no spaces: sys_*open, **. */
static void join_component(struct feed *f, struct lexeme *t)
{
	struct sbuf b = { 0 };

	sbuf_add(&b, t->raw, t->len);
	while (peek(f)->glued && component_char(peek(f)->kind)) {
		struct lexeme more = take(f);

		sbuf_add(&b, more.raw, more.len);
	}
	t->kind = POINT;
	t->text = intern(sbuf_str(&b));
	t->raw = t->text;
	t->len = strlen(t->text);
	sbuf_free(&b);
}

/* Handles a token of a list of probe points, outside parentheses. */
static void point_token(struct feed *f, struct lexeme *t)
{
	if (before_component(f->prev)) {
		if (word(t->kind) || t->kind == '*')
			join_component(f, t);
		return;
	}
	if (t->kind == '{' || t->kind == FUNCTION || t->kind == GLOBAL || t->kind == PRIVATE)
		f->in_point = false;
}

struct lexeme feed_next(struct feed *f)
{
	struct lexeme t = take(f);

	if (diag_enough())
		t.kind = 0;		/* stop, because macros can multiply errors without end */
	if (f->prev == ARROW && word(t.kind))
		t.kind = IDENT;
	if (t.kind == PROBE && !(f->in_point && before_component(f->prev))) {
		f->in_point = true;
		f->parens = 0;
	} else if (f->in_point) {
		f->parens += (t.kind == '(') - (t.kind == ')');
		if (f->parens <= 0 && t.kind != ')')
			point_token(f, &t);
	}
	if (t.kind != POINT)
		evaluate(f, &t);
	f->prev = t.kind;
	return t;
}
