// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes metrics in the one format or the other (metrics.h).  What OpenMetrics has otherwise:
 *
 *	# TYPE reads counter		a counter without the end that its line has
 *	reads_total 7 1.700		a time in seconds
 *	# UNIT …, # {pid="17"} 1	units, and exemplars
 *	# EOF				the end; other comments are wrong
 */
#include "metrics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

static void write_span(FILE *f, struct span s)
{
	fwrite(s.p, 1, s.n, f);
}

/*
 * Writes a text whose escapes are a backslash and one of ESCAPED.  Another escape is text: its backslash is
 * doubled.  A byte that is no UTF-8 becomes U+FFFD.  With QUOTES a quotation mark that is no escape becomes
 * one.
 */
static void write_escaped(FILE *f, struct span s, const char *escaped, bool quotes)
{
	for (size_t i = 0; i < s.n;) {
		/* Prometheus' parser takes a NUL for the end of the page. */
		unsigned int n = s.p[i] ? utf8_length(s.p + i, s.n - i) : 0;

		if (s.p[i] == '\\') {
			n = i + 1 < s.n && s.p[i + 1] && strchr(escaped, s.p[i + 1]) ? 2 : 1;
			if (n == 1)
				fputc('\\', f);
		} else if (s.p[i] == '"' && quotes) {
			fputc('\\', f);
		}
		if (n)
			fwrite(s.p + i, 1, n, f);
		else
			fputs("\xef\xbf\xbd", f);
		i += n ?: 1;
	}
}

void metrics_write_value(FILE *f, const char *text)
{
	for (; *text; text++) {
		unsigned int n = utf8_length(text, strlen(text));

		if (*text == '\\' || *text == '"')
			fputc('\\', f);
		if (*text == '\n')
			fputs("\\n", f);
		else if (!n)
			fputs("\xef\xbf\xbd", f);
		else
			fwrite(text, 1, n, f), text += n - 1;
	}
}

/* Is a bucket's limit written without a point?  It is a float, so it gets one, in both formats: the label is
 * then the same. */
static bool lacks_point(struct span value)
{
	size_t i = value.n && *value.p == '-';

	for (; i < value.n; i++)
		if (value.p[i] < '0' || value.p[i] > '9')
			return false;
	return value.n && *(value.p + value.n - 1) != '-';
}

/* Labels, with the script's in front.  One that the script calls so itself gets the name that Prometheus
 * gives such labels. */
static void write_labels(FILE *f, const char *script, struct span left, bool bucket)
{
	const char *before = "{";
	struct span name, value;

	if (script) {
		fputs("{script=\"", f);
		metrics_write_value(f, script);
		fputc('"', f);
		before = ",";
	}
	while (left.n && !line_take_label(&left, &name, &value)) {
		fputs(before, f);
		if (script && span_is(name, "script"))
			fputs("exported_", f);
		write_span(f, name);
		fputs("=\"", f);
		write_escaped(f, value, "\\n\"", false);
		fputs(bucket && span_is(name, "le") && lacks_point(value) ? ".0\"" : "\"", f);
		before = ",";
	}
	if (*before == ',')
		fputc('}', f);
}

static void write_number(FILE *f, struct span value)
{
	const char *word = line_no_number(value);

	fputc(' ', f);
	if (word)
		fputs(word, f);
	else
		write_span(f, value);
}

/* In ms, or in s. */
static void write_time(FILE *f, struct span time, enum metrics_format format)
{
	bool negative = *time.p == '-';
	int64_t ms = 0;

	for (size_t i = negative; i < time.n; i++)
		ms = 10 * ms + time.p[i] - '0';
	fputs(negative ? " -" : " ", f);
	if (format == METRICS_OPEN)
		fprintf(f, "%" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));
	else
		fprintf(f, "%" PRId64, ms);
}

static bool has_type(const struct metrics_family *family, const char *type)
{
	return family->type.p && span_is(family->type, type);
}

/*
 * OpenMetrics' name of a family: that of a counter lacks _total.  A counter that hasn't it, or whose name
 * without it is another family's, is written as of unknown type, so that its lines are called the same in both
 * formats.
 */
static struct span name_in(const struct metrics *m, const struct metrics_family *family,
			   enum metrics_format format)
{
	static const struct span total = { "_total", 6 };
	struct span name = family->name;

	if (format == METRICS_OPEN && has_type(family, "counter") && span_ends(name, total))
		name.n -= total.n;
	return name.n < family->name.n && metrics_family(m, name) ? family->name : name;
}

static void write_descriptor(FILE *f, const char *what, struct span name)
{
	fprintf(f, "# %s ", what);
	write_span(f, name);
	fputc(' ', f);
}

static void write_family(const struct metrics *m, const struct metrics_family *family, FILE *f,
			 enum metrics_format format)
{
	struct span name = name_in(m, family, format);
	bool open = format == METRICS_OPEN, counts = name.n < family->name.n;

	if (family->help.p) {
		write_descriptor(f, "HELP", name);
		write_escaped(f, family->help, "\\n", open);
		fputc('\n', f);
	}
	if (family->type.p) {
		write_descriptor(f, "TYPE", name);
		if (open && (has_type(family, "untyped") || (has_type(family, "counter") && !counts)))
			fputs("unknown", f);
		else
			write_span(f, family->type);
		fputc('\n', f);
	}
	if (open && family->unit.p && span_ends(name, family->unit)) {
		write_descriptor(f, "UNIT", name);
		write_span(f, family->unit);
		fputc('\n', f);
	}
	for (size_t i = family->first; i != METRICS_NONE; i = m->series[i].next) {
		const struct metrics_series *s = &m->series[i];
		bool bucket = has_type(family, "histogram") && s->line.name.n == name.n + strlen("_bucket");

		write_span(f, s->line.name);
		write_labels(f, s->script, s->line.labels, bucket);
		write_number(f, s->line.value);
		if (s->line.time.n)
			write_time(f, s->line.time, format);
		if (open && s->line.exemplar.value.n && (counts || bucket)) {
			fputs(" # ", f);
			write_labels(f, NULL, s->line.exemplar.labels, false);
			write_number(f, s->line.exemplar.value);
			if (s->line.exemplar.time.n)
				write_number(f, s->line.exemplar.time);
		}
		fputc('\n', f);
	}
}

void metrics_write(const struct metrics *m, FILE *f, enum metrics_format format)
{
	for (size_t i = 0; i < m->nfamilies; i++)
		if (m->families[i].first != METRICS_NONE)
			write_family(m, &m->families[i], f, format);
	if (format == METRICS_OPEN)
		fputs("# EOF\n", f);
}

const char *metrics_content_type(enum metrics_format format)
{
	return format == METRICS_OPEN ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
				      : "text/plain; version=0.0.4; charset=utf-8";
}
