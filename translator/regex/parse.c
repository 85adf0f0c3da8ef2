// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patterns to trees: POSIX extended regular expressions without back
 * references.
 *
 *	alternatives: sequence | sequence …
 *	sequence: any number of pieces
 *	piece: atom, then any of * + ? {n} {n,} {,m} {n,m}
 *	atom: (alternatives)  [set]  .  ^  $  \c  c
 *
 * A backslash makes the next character an ordinary one.  That holds in bracket
 * expressions too, as in SystemTap; in POSIX a backslash there is an ordinary
 * character.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "internal.h"

struct parsing {
	const char *pattern, *s;
	unsigned ngroups, open;		/* groups so far; groups open here */
	struct regex_issue *error, *odd;
};

static struct tree *parse_alternatives(struct parsing *p);

static struct tree *failed(struct parsing *p, const char *at, const char *what)
{
	if (!p->error->what) {
		p->error->at = at - p->pattern;
		p->error->what = what;
	}
	return NULL;
}

static struct tree *tree_new(enum tree_kind kind)
{
	struct tree *t = arena_new(struct tree);

	t->kind = kind;
	t->depth = 1;
	return t;
}

static struct tree *adopt(struct tree *t, struct tree *kid)
{
	vec_push(&t->kids, kid);
	if (kid->depth >= t->depth)
		t->depth = kid->depth + 1;
	return t;
}

/* ---- atoms ------------------------------------------------------------- */

static struct tree *parse_group(struct parsing *p)
{
	const char *at = p->s++;
	struct tree *t = tree_new(RE_GROUP), *inside;

	if (++p->open > MAX_OPEN)
		return failed(p, at, "nested too deeply");
	if (p->ngroups > MAX_GROUPS)
		return failed(p, at, "too many groups");
	t->group = p->ngroups++;
	inside = parse_alternatives(p);
	if (!inside)
		return NULL;
	if (*p->s != ')')
		return failed(p, at, "'(' without ')'");
	p->s++;
	p->open--;
	return adopt(t, inside);
}

static struct tree *one_byte(unsigned char c)
{
	struct tree *t = tree_new(RE_SET);

	byteset_add(&t->set, c);
	return t;
}

/* Warns of \d and similar escapes, which have a meaning only in other dialects. */
static void note_letter(struct parsing *p, const char *at, char c)
{
	if (p->odd->what)
		return;
	p->odd->at = at - p->pattern;
	p->odd->what = arena_printf("'\\%c' matches just the character '%c'", c, c);
	p->odd->hint = c == 'd' ? "a digit is [[:digit:]]" : c == 's' ? "space is [[:space:]]" :
		       c == 'w' ? "a character of a word is [[:alnum:]_]" : NULL;
}

static struct tree *parse_escape(struct parsing *p)
{
	const char *at = p->s;
	unsigned char c = at[1];

	if (!c)
		return failed(p, at, "'\\' at the end");
	if (isdigit(c) && c != '0')
		return failed(p, at, "back references are not supported");
	if (isalnum(c))
		note_letter(p, at, c);
	p->s += 2;
	return one_byte(c);
}

static struct tree *parse_set(struct parsing *p)
{
	struct tree *t = tree_new(RE_SET);
	const char *at = p->s++;

	if (!regex_bracket(p->pattern, &p->s, &t->set, p->error))
		return NULL;
	if (at[1] == ':' && p->s[-2] == ':' && p->s - at > 3 && !p->odd->what) {
		p->odd->at = at - p->pattern;
		p->odd->what = "a character class stands in brackets of its own";
		p->odd->hint = arena_printf("write [%.*s]", (int)(p->s - at), at);
	}
	return t;
}

static struct tree *any_byte(void)
{
	struct tree *t = tree_new(RE_SET);

	memset(&t->set, 0xff, sizeof(t->set));
	return t;
}

static struct tree *parse_atom(struct parsing *p)
{
	switch (*p->s) {
	case '(':
		return parse_group(p);
	case '[':
		return parse_set(p);
	case '\\':
		return parse_escape(p);
	case '*': case '+': case '?': case '{':
		return failed(p, p->s, arena_printf("nothing before '%c' to repeat", *p->s));
	case '.':
		p->s++;
		return any_byte();
	case '^':
		p->s++;
		return tree_new(RE_BEGIN);
	case '$':
		p->s++;
		return tree_new(RE_END);
	default:
		return one_byte(*p->s++);
	}
}

/* ---- repetition -------------------------------------------------------- */

/* Reads digits.  Returns -1 if there are none, -2 after an error. */
static int parse_count(struct parsing *p)
{
	const char *at = p->s;
	int n = -1;

	for (; isdigit((unsigned char)*p->s); p->s++) {
		n = (n < 0 ? 0 : n * 10) + *p->s - '0';
		if (n > MAX_REPEAT) {
			failed(p, at, arena_printf("a count is at most %d", MAX_REPEAT));
			return -2;
		}
	}
	return n;
}

/* Reads {n} {n,} {,m} {n,m} behind the '{'. */
static bool parse_braces(struct parsing *p, struct tree *t)
{
	const char *at = p->s;
	int min = parse_count(p), max = min;

	if (min == -2)
		return false;
	if (*p->s == ',') {
		p->s++;
		max = parse_count(p);
		if (max == -2)
			return false;
		if (min < 0 && max >= 0)
			min = 0;
	}
	if (min < 0)
		return failed(p, p->s, "expected a number");
	if (*p->s != '}')
		return failed(p, at - 1, "'{' without '}'");
	if (max >= 0 && max < min)
		return failed(p, at, "the second count is below the first");
	p->s++;
	t->min = min;
	t->max = max;
	return true;
}

static struct tree *parse_repetition(struct parsing *p, struct tree *what)
{
	struct tree *t = adopt(tree_new(RE_REPEAT), what);
	const char *at = p->s++;

	if (what->kind == RE_BEGIN || what->kind == RE_END)
		return failed(p, at, "an anchor can't be repeated");
	t->min = *at == '+';
	t->max = *at == '?' ? 1 : -1;
	if (*at == '{' && !parse_braces(p, t))
		return NULL;
	if (t->depth > MAX_TREE)
		return failed(p, at, "nested too deeply");
	return t;
}

/* ---- sequences and alternatives ---------------------------------------- */

static struct tree *parse_piece(struct parsing *p)
{
	struct tree *t = parse_atom(p);

	while (t && *p->s && strchr("*+?{", *p->s))
		t = parse_repetition(p, t);
	return t;
}

static struct tree *parse_sequence(struct parsing *p)
{
	struct tree *t = tree_new(RE_CAT);

	while (*p->s && *p->s != '|' && *p->s != ')') {
		struct tree *piece = parse_piece(p);

		if (!piece)
			return NULL;
		adopt(t, piece);
	}
	return t;
}

static struct tree *parse_alternatives(struct parsing *p)
{
	struct tree *t = tree_new(RE_ALT);

	for (;; p->s++) {
		struct tree *way = parse_sequence(p);

		if (!way)
			return NULL;
		adopt(t, way);
		if (*p->s != '|')
			return t;
	}
}

struct tree *regex_parse(const char *pattern, unsigned *ngroups, struct regex_issue *error,
			 struct regex_issue *odd)
{
	struct parsing p = {
		.pattern = pattern, .s = pattern, .ngroups = 1, .error = error, .odd = odd,
	};
	struct tree *all = tree_new(RE_GROUP), *inside = parse_alternatives(&p);

	*ngroups = p.ngroups;
	if (!inside)
		return NULL;
	if (*p.s)
		return failed(&p, p.s, "')' without '('");
	return adopt(all, inside);
}
