// SPDX-License-Identifier: GPL-2.0-or-later
/* Matches the patterns of probe points. */
#include <stdlib.h>
#include <string.h>

#include "match.h"

bool is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/*
 * Is C in the set behind the '[' at *P?  Moves *P behind the ']'.  A '['
 * without ']' is an ordinary character.
 */
static bool in_set(const char **p, char c)
{
	const char *s = *p;
	bool negated = *s == '!' || *s == '^', found = false;

	if (negated)
		s++;
	for (const char *start = s; *s && (*s != ']' || s == start); s++) {
		if (s[1] == '-' && s[2] && s[2] != ']') {
			found |= c >= s[0] && c <= s[2];
			s += 2;
		} else {
			found |= c == *s;
		}
	}
	if (!*s)
		return c == '[';
	*p = s + 1;
	return found != negated;
}

/*
 * Backtracks to the last '*' only: once a later '*' is reached, other lengths
 * of earlier ones can't help.  So the time is at most pattern times text.
 */
bool match_glob(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		const char *p = pattern;

		if (*p == '*') {
			star = ++pattern;
			retry = text;
			continue;
		}
		if (*p) {
			char c = *p++;

			if (c == '?' || (c == '[' ? in_set(&p, *text) : c == *text)) {
				pattern = p;
				text++;
				continue;
			}
		}
		if (!star)
			return false;
		pattern = star;
		text = ++retry;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool match_path(const char *pattern, const char *path)
{
	if (match_glob(pattern, path))
		return true;
	for (; (path = strchr(path, '/')); )
		if (match_glob(pattern, ++path))
			return true;
	return false;
}

/* ---- qualified names ------------------------------------------------------------- */

static bool is_operator(const char *part)
{
	return !strncmp(part, "operator", 8) && !strchr("_:", part[8]);
}

/* Counts brackets, but not the '>' of "->". */
static int nesting(const char *name, const char *p)
{
	switch (*p) {
	case '<': case '(': case '{': case '[':
		return 1;
	case '>':
		return p > name && p[-1] == '-' ? 0 : -1;
	case ')': case '}': case ']':
		return -1;
	default:
		return 0;
	}
}

/* Returns the part behind the next "::" that is in no brackets, or NULL. */
static const char *next_part(const char *part)
{
	int depth = 0;

	if (is_operator(part))
		return NULL;
	for (const char *p = part; *p; p++) {
		depth += nesting(part, p);
		if (!depth && p[0] == ':' && p[1] == ':')
			return p + 2;
	}
	return NULL;
}

const char *name_last_part(const char *name)
{
	const char *next;

	while ((next = next_part(name)))
		name = next;
	return name;
}

static bool match_parts(const char *pattern, const char *name, bool literally)
{
	if (!strstr(pattern, "::"))
		name = name_last_part(name);
	for (; name; name = next_part(name))
		if (literally ? !strcmp(pattern, name) : match_glob(pattern, name))
			return true;
	return false;
}

/* Copies a name without the arguments of its templates: "std::vector::push_back". */
static char *without_arguments(const char *name)
{
	char *copy = malloc(strlen(name) + 1), *out = copy;
	const char *part = name;
	int depth = 0;

	for (const char *p = name; copy && *p; p++) {
		if (!depth && p - part >= 2 && p[-1] == ':' && p[-2] == ':')
			part = p;
		if (!depth && p == part && is_operator(part)) {
			strcpy(out, part);
			return copy;
		}
		if (*p == '<' ? depth || p > part : depth && *p == '>')
			depth += nesting(name, p);
		else if (!depth)
			*out++ = *p;
	}
	if (copy)
		*out = 0;
	return copy;
}

bool match_name(const char *pattern, const char *name, bool literally)
{
	char *plain;
	bool found;

	if (match_parts(pattern, name, literally))
		return true;
	if (strchr(pattern, '<') || !strchr(name, '<'))
		return false;
	plain = without_arguments(name);
	found = plain && match_parts(pattern, plain, literally);
	free(plain);
	return found;
}
