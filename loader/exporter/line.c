// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes a line apart (line.h). */
#include "line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/printable.h"

bool span_equal(struct span a, struct span b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

bool span_is(struct span a, const char *text)
{
	return span_equal(a, (struct span){ text, strlen(text) });
}

bool span_ends(struct span a, struct span end)
{
	return a.n > end.n && !memcmp(a.p + a.n - end.n, end.p, end.n);
}

void line_skip_blanks(struct span *left)
{
	while (left->n && (*left->p == ' ' || *left->p == '\t'))
		left->p++, left->n--;
}

bool line_take_char(struct span *left, char c)
{
	if (!left->n || *left->p != c)
		return false;
	left->p++, left->n--;
	return true;
}

struct span line_take_word(struct span *left)
{
	struct span word = { left->p, 0 };

	while (word.n < left->n && word.p[word.n] != ' ' && word.p[word.n] != '\t')
		word.n++;
	left->p += word.n, left->n -= word.n;
	line_skip_blanks(left);
	return word;
}

static bool is_name_char(char c, bool first, bool metric)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (metric && c == ':') ||
	       (!first && c >= '0' && c <= '9');
}

struct span line_take_name(struct span *left, bool metric)
{
	struct span name = { left->p, 0 };

	while (name.n < left->n && is_name_char(name.p[name.n], !name.n, metric))
		name.n++;
	left->p += name.n, left->n -= name.n;
	return name;
}

/* A value between quotes. */
static bool take_quoted(struct span *left, struct span *value)
{
	if (!line_take_char(left, '"'))
		return false;
	value->p = left->p;
	while (left->n && *left->p != '"') {
		size_t n = *left->p == '\\' && left->n > 1 ? 2 : 1;

		left->p += n, left->n -= n;
	}
	value->n = left->p - value->p;
	return line_take_char(left, '"');
}

const char *line_take_label(struct span *left, struct span *name, struct span *value)
{
	line_skip_blanks(left);
	*name = line_take_name(left, false);
	line_skip_blanks(left);
	if (!name->n || !line_take_char(left, '='))
		return "no label where one should be";
	line_skip_blanks(left);
	if (!take_quoted(left, value))
		return "a label without quotes";
	line_skip_blanks(left);
	if (!line_take_char(left, ',') && left->n && *left->p != '}')
		return "no comma between labels";
	line_skip_blanks(left);
	return NULL;
}

/* Takes labels with their braces, if there are any. */
static const char *take_labels(struct span *left, struct span *labels, bool renames)
{
	struct span names[LINE_LABELS + 1], value;
	bool script = false, exported = false;
	size_t n = 0;

	*labels = (struct span){ left->p, 0 };
	if (!line_take_char(left, '{'))
		return NULL;
	labels->p = left->p;
	line_skip_blanks(left);
	while (left->n && *left->p != '}') {
		const char *why = line_take_label(left, &names[n], &value);

		if (n == LINE_LABELS)
			why = "too many labels";
		if (why)
			return why;
		for (size_t i = 0; i < n; i++)
			if (span_equal(names[i], names[n]))
				return "two labels of one name";
		if (span_is(names[n], "__name__"))
			return "the label __name__, which is the metric's name";
		script |= span_is(names[n], "script");
		exported |= span_is(names[n], "exported_script");
		n++;
	}
	labels->n = left->p - labels->p;
	if (renames && script && exported)
		return "the labels script and exported_script";
	return line_take_char(left, '}') ? NULL : "labels without an end";
}

const char *line_no_number(struct span value)
{
	static const struct { const char *word, *name; } words[] = {
		{ "nan", "NaN" }, { "inf", "+Inf" }, { "+inf", "+Inf" }, { "-inf", "-Inf" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (value.n == strlen(words[i].word) && !strncasecmp(value.p, words[i].word, value.n))
			return words[i].name;
	return NULL;
}

static bool is_number(struct span value)
{
	char text[64], *end;
	double number;

	if (!value.n || value.n >= sizeof(text))
		return false;
	memcpy(text, value.p, value.n);
	text[value.n] = 0;
	if (strspn(text, "0123456789+-.eE") != value.n)
		return false;		/* strtod() takes more than Prometheus does */
	number = strtod(text, &end);
	return !*end && isfinite(number);
}

static bool is_time(struct span time)
{
	size_t i = time.n && *time.p == '-';

	if (time.n - i > 18)
		return false;
	for (; i < time.n; i++)
		if (time.p[i] < '0' || time.p[i] > '9')
			return false;
	return time.n != 1 || *time.p != '-';
}

/* Counts the characters of names and values, which OpenMetrics bounds. */
static size_t count_characters(struct span labels)
{
	struct span name, value;
	size_t n = 0;

	while (labels.n && !line_take_label(&labels, &name, &value)) {
		n += name.n;
		for (size_t i = 0; i < value.n; n++)
			i += utf8_length(value.p + i, value.n - i) ?: 1;
	}
	return n;
}

/* Takes an exemplar, if there is one.  Returns NULL, or what is wrong. */
static const char *take_exemplar(struct span left, struct line *line)
{
	struct span *labels = &line->exemplar.labels;
	const char *why;

	if (!line_take_char(&left, '#'))
		return NULL;
	line_skip_blanks(&left);
	why = take_labels(&left, labels, false);
	if (why)
		return why;
	line_skip_blanks(labels);
	if (!labels->n)
		return "an exemplar without labels";
	if (count_characters(*labels) > LINE_EXEMPLAR)
		return "an exemplar with long labels";
	line_skip_blanks(&left);
	line->exemplar.value = line_take_word(&left);
	if (!is_number(line->exemplar.value))
		return "an exemplar without a number";
	line->exemplar.time = line_take_word(&left);
	if (left.n || (line->exemplar.time.n && !is_number(line->exemplar.time)))
		return "more behind an exemplar than a time";
	return NULL;
}

const char *line_read(struct span left, bool renames, struct line *line)
{
	const char *why;

	line->name = line_take_name(&left, true);
	if (!line->name.n)
		return "no metric's name";
	line_skip_blanks(&left);
	why = take_labels(&left, &line->labels, renames);
	if (why)
		return why;
	line_skip_blanks(&left);
	line->value = line_take_word(&left);
	if (!is_number(line->value) && !line_no_number(line->value))
		return "no number";
	line->time = left.n && *left.p == '#' ? (struct span){ 0 } : line_take_word(&left);
	if (!is_time(line->time))
		return "more behind the number than a time";
	if (left.n && *left.p != '#')
		return "more behind the number than a time";
	line->exemplar.value = line->exemplar.time = (struct span){ 0 };
	line->exemplar.why = take_exemplar(left, line);
	if (line->exemplar.why)
		line->exemplar.value.n = 0;
	return NULL;
}
