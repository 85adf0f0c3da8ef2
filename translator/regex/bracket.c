// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bracket expressions: [a-z], [^…], [[:alpha:]], [[.x.]], [[=x=]].
 *
 * They follow the C locale: classes contain ASCII only, ranges go by byte
 * value, and a collating element is one byte.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "internal.h"

struct bracket {
	const char *pattern, *s;
	struct regex_issue *error;
};

static int wrong(struct bracket *b, const char *at, const char *what)
{
	b->error->at = at - b->pattern;
	b->error->what = what;
	return -1;
}

static const struct class {
	const char *name;
	int (*holds)(int c);
} classes[] = {
	{ "alpha", isalpha }, { "digit", isdigit }, { "alnum", isalnum }, { "upper", isupper },
	{ "lower", islower }, { "space", isspace }, { "blank", isblank }, { "punct", ispunct },
	{ "print", isprint }, { "graph", isgraph }, { "cntrl", iscntrl }, { "xdigit", isxdigit },
};

/*
 * Returns the inside of [:…:], [.….] or [=…=] and moves B->s behind it, or
 * returns NULL after an error.
 */
static const char *delimited(struct bracket *b, size_t *len)
{
	const char *at = b->s, close[] = { at[1], ']', '\0' };
	const char *end = strstr(at + 2, close);

	if (!end) {
		wrong(b, at, arena_printf("'[%c' without '%s'", at[1], close));
		return NULL;
	}
	b->s = end + 2;
	*len = end - at - 2;
	return at + 2;
}

static bool add_class(struct bracket *b, struct byteset *set)
{
	size_t len;
	const char *at = b->s, *name = delimited(b, &len);

	if (!name)
		return false;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strlen(classes[i].name) != len || memcmp(classes[i].name, name, len))
			continue;
		for (int c = 0; c < 128; c++)
			if (classes[i].holds(c))
				byteset_add(set, c);
		return true;
	}
	b->error->hint = "there are alpha, digit, alnum, upper, lower, space, blank, punct, "
			 "print, graph, cntrl and xdigit";
	wrong(b, at, "unknown character class");
	return false;
}

/*
 * Reads one byte: plain, after a backslash, or in [. .] or [= =].  Returns -1
 * after an error.
 */
static int element(struct bracket *b)
{
	size_t len;
	const char *at = b->s, *inside;

	if (at[0] == '[' && (at[1] == '.' || at[1] == '=')) {
		inside = delimited(b, &len);
		if (inside && len != 1)
			return wrong(b, at, "a collating element is one character");
		return inside ? (unsigned char)*inside : -1;
	}
	if (at[0] == '[' && at[1] == ':')
		return wrong(b, at, "a character class can't end a range");
	if (at[0] == '\\' && at[1])
		b->s++;
	return (unsigned char)*b->s++;
}

static bool add_range(struct bracket *b, struct byteset *set)
{
	const char *at = b->s;
	int first = element(b), last = first;

	if (first >= 0 && b->s[0] == '-' && b->s[1] && b->s[1] != ']') {
		b->s++;
		last = element(b);
	}
	if (first < 0 || last < 0)
		return false;
	if (last < first) {
		wrong(b, at, "the range's end is below its beginning");
		return false;
	}
	for (int c = first; c <= last; c++)
		byteset_add(set, c);
	return true;
}

bool regex_bracket(const char *pattern, const char **s, struct byteset *set,
		   struct regex_issue *error)
{
	struct bracket b = { pattern, *s, error };
	bool negated = *b.s == '^', first = true;

	for (b.s += negated; *b.s && (first || *b.s != ']'); first = false) {
		bool class = b.s[0] == '[' && b.s[1] == ':';

		if (!(class ? add_class(&b, set) : add_range(&b, set)))
			return false;
	}
	if (!*b.s) {
		wrong(&b, *s - 1, "'[' without ']'");
		return false;
	}
	for (int i = 0; negated && i < 4; i++)
		set->bits[i] = ~set->bits[i];
	*s = b.s + 1;
	return true;
}
