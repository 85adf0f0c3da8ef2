// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses the format of an answer by the header Accept:
 *
 *	application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3, …
 *
 * OpenMetrics is for those who name it, and like nothing named better.
 */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Takes what is in front of one of ENDS, without blanks around it, and that end. */
static struct span take_until(struct span *left, const char *ends)
{
	struct span word = { left->p, 0 };

	while (word.n < left->n && !strchr(ends, word.p[word.n]))
		word.n++;
	left->p += word.n, left->n -= word.n;
	if (left->n)
		left->p++, left->n--;
	line_skip_blanks(&word);
	while (word.n && (word.p[word.n - 1] == ' ' || word.p[word.n - 1] == '\t'))
		word.n--;
	return word;
}

static bool is_word(struct span a, const char *word)
{
	return a.n == strlen(word) && !strncasecmp(a.p, word, a.n);
}

/* Returns how much a client likes a type, in one element of its list; 0 if the element is of another. */
static double liked(struct span range, const char *type, const char *version)
{
	double q = 1;

	if (!is_word(take_until(&range, ";"), type))
		return 0;
	while (range.n) {
		struct span value = take_until(&range, ";"), name = take_until(&value, "=");

		if (is_word(name, "version") && !is_word(value, version))
			return 0;
		if (is_word(name, "q"))
			q = strtod(value.p, NULL);
	}
	return q;
}

enum metrics_format metrics_accepted(const char *accept)
{
	struct span left = { accept, accept ? strlen(accept) : 0 };
	double open = 0, text = 0;

	while (left.n) {
		struct span range = take_until(&left, ",");
		double as_open = liked(range, "application/openmetrics-text", "1.0.0");
		double as_text = liked(range, "text/plain", "0.0.4");

		open = as_open > open ? as_open : open;
		text = as_text > text ? as_text : text;
	}
	return open > 0 && open >= text ? METRICS_OPEN : METRICS_TEXT;
}
