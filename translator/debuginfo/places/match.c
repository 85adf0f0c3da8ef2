// SPDX-License-Identifier: GPL-2.0-or-later
/* Matches the patterns of probe points. */
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
