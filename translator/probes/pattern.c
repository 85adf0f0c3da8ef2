/* Parses "function@file:line": see pattern.h. */
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* The most lines that one list may name. */
#define LINES_MOST 1000

typedef vec(struct line_range) line_ranges;

/* Parses a number that ends at one of the characters ENDS or at the end of the text. */
static bool parse_line(const char **p, const char *ends, int *out)
{
	char *end;
	long n = strtol(*p, &end, 10);

	if (end == *p || **p == '-' || **p == '+' || n < 0 || n > INT32_MAX ||
	    (*end && !strchr(ends, *end)))
		return false;
	*out = n;
	*p = end;
	return true;
}

/* Parses "12,15-20". */
static bool parse_lines(const char *p, struct place_query *q)
{
	line_ranges ranges = { 0 };

	for (;; p++) {
		struct line_range r;

		if (!parse_line(&p, "-,", &r.first))
			return false;
		r.last = r.first;
		if (*p == '-' && (p++, !parse_line(&p, ",", &r.last) || r.last < r.first))
			return false;
		if (ranges.n == LINES_MOST)
			return false;
		vec_push(&ranges, r);
		if (!*p)
			break;
	}
	q->line_kind = LINE_LIST;
	q->lines = ranges.v;
	q->nlines = ranges.n;
	if (ranges.n == 1 && ranges.v->first == ranges.v->last) {
		q->line_kind = LINE_ABSOLUTE;
		q->line = ranges.v->first;
	}
	return true;
}

/* Parses "fs/open.c:12", "fs/open.c+3". */
static bool parse_file(const char *text, struct place_query *q)
{
	const char *p = strpbrk(text, ":+");

	if (!*text || p == text)
		return false;
	q->file = p ? intern_n(text, p - text) : intern(text);
	if (!p)
		return true;
	if (!strcmp(p, ":*")) {
		q->line_kind = LINE_WILD;
		return true;
	}
	if (*p++ == ':')
		return parse_lines(p, q);
	q->line_kind = LINE_RELATIVE;
	return parse_line(&p, "", &q->line);
}

/* Parses what follows ';': text of a line, and perhaps "@FILE". */
static bool parse_text(const char *text, struct place_query *q)
{
	const char *at = q->file ? NULL : strrchr(text, '@');

	if (at) {
		q->file = intern(at + 1);
		text = intern_n(text, at - text);
	}
	q->text = text;
	if (q->line_kind == LINE_NONE)
		q->line_kind = LINE_WILD;
	return text[strspn(text, " \t")] && (!q->file || *q->file);
}

const char *pattern_parse(const char *text, struct place_query *q)
{
	size_t before = strcspn(text, ";");
	const char *place = intern_n(text, before), *at = strchr(place, '@');
	bool good = true;

	q->function = at ? intern_n(place, at - place) : place;
	if (!*q->function)
		q->function = intern("*");
	if (at)
		good = parse_file(at + 1, q);
	if (good && text[before])
		good = parse_text(text + before + 1, q);
	if (good)
		return NULL;
	return arena_printf("'%s' is not FUNCTION[@FILE[:LINES | +LINE | :*]] or "
			    "FUNCTION[@FILE];TEXT, with LINES like 12,15-20", text);
}
