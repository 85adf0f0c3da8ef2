// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads and writes Prometheus' text format (metrics.h). */
#include "metrics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/printable.h"
#include "base/table.h"

#define NONE SIZE_MAX

/* A metric: the lines below one TYPE. */
struct metrics_family {
	struct span name, help, type;	/* .p is NULL: not given */
	size_t first, last;		/* its series, or NONE */
};

/* A line. */
struct metrics_series {
	const char *script;
	struct span name, labels, value, time;
	size_t next;			/* of this family, or NONE */
};

static bool equal(struct span a, struct span b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static struct span text_span(const char *text)
{
	return (struct span){ text, strlen(text) };
}

static bool is(struct span a, const char *text)
{
	return equal(a, text_span(text));
}

/* ---- families ---- */

/* Returns the slot that has the family of a name, or is free for it. */
static size_t *find_slot(const struct metrics *m, struct span name)
{
	size_t i = table_hash(name.p, name.n);

	while (m->slots[i & (m->nslots - 1)] &&
	       !equal(m->families[m->slots[i & (m->nslots - 1)] - 1].name, name))
		i++;
	return &m->slots[i & (m->nslots - 1)];
}

/* Makes an array longer if it is full.  Returns false if there is no memory. */
static bool make_room(void *array, size_t n, size_t *room, size_t size)
{
	void **v = array, *more;
	size_t wanted = *room ? 2 * *room : 64;

	if (n < *room)
		return true;
	more = realloc(*v, wanted * size);
	if (!more)
		return false;
	*v = more;
	*room = wanted;
	return true;
}

/* Makes room for one more family: at most half of the slots are taken. */
static bool make_slots(struct metrics *m)
{
	size_t wanted = m->nslots ? 2 * m->nslots : 256, *old = m->slots;

	if (2 * (m->nfamilies + 1) <= m->nslots)
		return true;
	m->slots = calloc(wanted, sizeof(*m->slots));
	if (!m->slots) {
		m->slots = old;
		return false;
	}
	free(old);
	m->nslots = wanted;
	for (size_t i = 0; i < m->nfamilies; i++)
		*find_slot(m, m->families[i].name) = i + 1;
	return true;
}

/* Returns the family of this name, a new one if there is none; NULL without memory. */
static struct metrics_family *take_family(struct metrics *m, struct span name)
{
	size_t *slot;

	if (!make_slots(m) || !make_room(&m->families, m->nfamilies, &m->family_room, sizeof(*m->families)))
		return NULL;
	slot = find_slot(m, name);
	if (!*slot) {
		m->families[m->nfamilies] = (struct metrics_family){ name, .first = NONE, .last = NONE };
		*slot = ++m->nfamilies;
	}
	return &m->families[*slot - 1];
}

/*
 * Returns the family of a line: lines of the histogram "time" are called time_bucket, time_sum and
 * time_count, those of a summary time_sum and time_count too.
 */
static struct metrics_family *family_of_line(struct metrics *m, struct span name)
{
	static const char *const ends[] = { "_bucket", "_sum", "_count" };

	for (size_t i = 0; m->nslots && i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end = strlen(ends[i]), slot;
		struct span base = { name.p, name.n - end };

		if (name.n <= end || memcmp(name.p + base.n, ends[i], end))
			continue;
		slot = *find_slot(m, base);
		if (slot && m->families[slot - 1].type.p &&
		    (is(m->families[slot - 1].type, "histogram") || is(m->families[slot - 1].type, "summary")))
			return &m->families[slot - 1];
	}
	return take_family(m, name);
}

/* ---- one line: each take_…() moves the front of what is left of it ---- */

static void skip_blanks(struct span *left)
{
	while (left->n && (*left->p == ' ' || *left->p == '\t'))
		left->p++, left->n--;
}

static bool take_char(struct span *left, char c)
{
	if (!left->n || *left->p != c)
		return false;
	left->p++, left->n--;
	return true;
}

static struct span take_word(struct span *left)
{
	struct span word = { left->p, 0 };

	while (word.n < left->n && word.p[word.n] != ' ' && word.p[word.n] != '\t')
		word.n++;
	left->p += word.n, left->n -= word.n;
	skip_blanks(left);
	return word;
}

static bool is_name_char(char c, bool first, bool metric)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (metric && c == ':') ||
	       (!first && c >= '0' && c <= '9');
}

/* The name of a metric, or of a label. */
static struct span take_name(struct span *left, bool metric)
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
	if (!take_char(left, '"'))
		return false;
	value->p = left->p;
	while (left->n && *left->p != '"') {
		size_t n = *left->p == '\\' && left->n > 1 ? 2 : 1;

		left->p += n, left->n -= n;
	}
	value->n = left->p - value->p;
	return take_char(left, '"');
}

/* Takes a label and the comma behind it.  Returns NULL, or what is wrong. */
static const char *take_label(struct span *left, struct span *name, struct span *value)
{
	skip_blanks(left);
	*name = take_name(left, false);
	skip_blanks(left);
	if (!name->n || !take_char(left, '='))
		return "no label where one should be";
	skip_blanks(left);
	if (!take_quoted(left, value))
		return "a label without quotes";
	skip_blanks(left);
	if (!take_char(left, ',') && left->n && *left->p != '}')
		return "no comma between labels";
	skip_blanks(left);
	return NULL;
}

/*
 * Takes labels with their braces, if there are any.  RENAMES: write_labels() will write "script" as
 * "exported_script".
 */
static const char *take_labels(struct span *left, struct span *labels, bool renames)
{
	struct span names[METRICS_LABELS], value;
	bool script = false, exported = false;
	size_t n = 0;

	*labels = (struct span){ left->p, 0 };
	if (!take_char(left, '{'))
		return NULL;
	labels->p = left->p;
	skip_blanks(left);
	while (left->n && *left->p != '}') {
		const char *why = n == METRICS_LABELS ? "too many labels" : take_label(left, &names[n], &value);

		if (why)
			return why;
		for (size_t i = 0; i < n; i++)
			if (equal(names[i], names[n]))
				return "two labels of one name";
		script |= is(names[n], "script");
		exported |= is(names[n], "exported_script");
		n++;
	}
	labels->n = left->p - labels->p;
	if (renames && script && exported)
		return "the labels script and exported_script";
	return take_char(left, '}') ? NULL : "labels without an end";
}

/* Returns what Prometheus calls a value that is no number, or NULL. */
static const char *no_number(struct span value)
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

/* Reads a line with a value.  Returns NULL, or what is wrong. */
static const char *read_series(struct span left, struct metrics_series *s)
{
	const char *why;

	s->name = take_name(&left, true);
	if (!s->name.n)
		return "no metric's name";
	if (s->name.n >= strlen(METRICS_OWN) && !memcmp(s->name.p, METRICS_OWN, strlen(METRICS_OWN)))
		return "the name is one of stap-exporter's own";
	skip_blanks(&left);
	why = take_labels(&left, &s->labels, s->script);
	if (why)
		return why;
	skip_blanks(&left);
	s->value = take_word(&left);
	s->time = take_word(&left);
	if (!is_number(s->value) && !no_number(s->value))
		return "no number";
	return left.n || !is_time(s->time) ? "more behind the number than a time" : NULL;
}

/* ---- a page ---- */

/* Reads what follows "# ": the first HELP and TYPE of a metric count, TYPE only before its values. */
static bool add_comment(struct metrics *m, struct span left)
{
	static const char *const types[] = { "counter", "gauge", "histogram", "summary", "untyped" };
	struct span what, name;
	struct metrics_family *family;

	skip_blanks(&left);
	what = take_word(&left);
	name = take_name(&left, true);
	if (!name.n || (!is(what, "HELP") && !is(what, "TYPE")) || (left.n && *left.p != ' ' && *left.p != '\t') ||
	    (name.n >= strlen(METRICS_OWN) && !memcmp(name.p, METRICS_OWN, strlen(METRICS_OWN))))
		return true;
	skip_blanks(&left);
	family = take_family(m, name);
	if (!family)
		return false;
	if (is(what, "HELP")) {
		if (!family->help.p)
			family->help = left;
		return true;
	}
	left = take_word(&left);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (is(left, types[i]) && !family->type.p && family->first == NONE)
			family->type = left;
	return true;
}

static bool add_series(struct metrics *m, const struct metrics_series *s)
{
	struct metrics_family *family = family_of_line(m, s->name);

	if (!family || !make_room(&m->series, m->nseries, &m->series_room, sizeof(*m->series)))
		return false;
	m->series[m->nseries] = *s;
	if (family->first == NONE)
		family->first = m->nseries;
	else
		m->series[family->last].next = m->nseries;
	family->last = m->nseries++;
	return true;
}

static void leave_out(struct metrics_page *page, size_t line, const char *why)
{
	if (!page->left_out++) {
		page->line = line;
		page->why = why;
	}
}

/* Adds a line that has no newline any more.  Returns false if there is no memory left. */
static bool add_line(struct metrics *m, struct metrics_page *page, size_t number, struct span line)
{
	struct metrics_series s = { .script = page->script, .next = NONE };
	const char *why;

	skip_blanks(&line);
	while (line.n && memchr(" \t\r", line.p[line.n - 1], 3))
		line.n--;
	if (!line.n)
		return true;
	if (take_char(&line, '#'))
		return add_comment(m, line);
	why = read_series(line, &s);
	if (!why && (page->series == METRICS_SERIES || m->nseries == METRICS_ALL_SERIES))
		why = "too many series";
	if (why) {
		leave_out(page, number, why);
		return true;
	}
	page->series++;
	return add_series(m, &s);
}

bool metrics_add(struct metrics *m, struct metrics_page *page)
{
	const char *p = page->text, *end = p + page->len;
	size_t number = 0;

	while (p < end) {
		const char *newline = memchr(p, '\n', end - p);

		number++;
		if (!newline) {
			leave_out(page, number, "the page ends within the line");
			return true;
		}
		if (!add_line(m, page, number, (struct span){ p, newline - p }))
			return false;
		p = newline + 1;
	}
	return true;
}

/* ---- writing ---- */

static void write_span(FILE *f, struct span s)
{
	fwrite(s.p, 1, s.n, f);
}

/*
 * Writes a text whose escapes are only \\, \n and, if QUOTES, \".  Another escape is text: its backslash is
 * doubled.  A byte that is no UTF-8 becomes U+FFFD.
 */
static void write_escaped(FILE *f, struct span s, bool quotes)
{
	for (size_t i = 0; i < s.n;) {
		unsigned int n = utf8_length(s.p + i, s.n - i);

		if (s.p[i] == '\\') {
			char next = i + 1 < s.n ? s.p[i + 1] : 0;

			n = next == '\\' || next == 'n' || (quotes && next == '"') ? 2 : 1;
			if (n == 1)
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

/* Labels, with the script's in front.  One that the script calls so itself gets the name that Prometheus
 * gives such labels. */
static void write_labels(FILE *f, const struct metrics_series *s)
{
	struct span left = s->labels, name, value;
	const char *before = "{";

	if (s->script) {
		fputs("{script=\"", f);
		metrics_write_value(f, s->script);
		fputc('"', f);
		before = ",";
	}
	while (left.n && !take_label(&left, &name, &value)) {
		fputs(before, f);
		if (s->script && is(name, "script"))
			fputs("exported_", f);
		write_span(f, name);
		fputs("=\"", f);
		write_escaped(f, value, true);
		fputc('"', f);
		before = ",";
	}
	if (*before == ',')
		fputc('}', f);
}

static void write_series(FILE *f, const struct metrics_series *s)
{
	const char *word = no_number(s->value);

	write_span(f, s->name);
	write_labels(f, s);
	fputc(' ', f);
	if (word)
		fputs(word, f);
	else
		write_span(f, s->value);
	if (s->time.n) {
		fputc(' ', f);
		write_span(f, s->time);
	}
	fputc('\n', f);
}

void metrics_write(const struct metrics *m, FILE *f)
{
	for (const struct metrics_family *family = m->families; family < m->families + m->nfamilies; family++) {
		if (family->first == NONE)
			continue;
		if (family->help.p) {
			fputs("# HELP ", f);
			write_span(f, family->name);
			fputc(' ', f);
			write_escaped(f, family->help, false);
			fputc('\n', f);
		}
		if (family->type.p) {
			fputs("# TYPE ", f);
			write_span(f, family->name);
			fputc(' ', f);
			write_span(f, family->type);
			fputc('\n', f);
		}
		for (size_t i = family->first; i != NONE; i = m->series[i].next)
			write_series(f, &m->series[i]);
	}
}

void metrics_free(struct metrics *m)
{
	free(m->families);
	free(m->series);
	free(m->slots);
	*m = (struct metrics){ 0 };
}
