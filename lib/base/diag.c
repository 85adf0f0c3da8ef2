// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages: their layout, and the search for similar names. */
#include "diag.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "color.h"
#include "printable.h"
#include "progress.h"
#include "sbuf.h"
#include "vec.h"

enum { ERRORS_SHOWN = 100 };	/* more than anybody reads */

unsigned diag_errors;
bool diag_no_warnings, diag_warnings_are_errors, diag_all_warnings, diag_keep_catalog;

static int quiet;
static const char *quiet_first;
static bool last_shown;		/* a hint follows only a printed message */

const char *loc_text(struct loc at)
{
	if (!at.src)
		return "<unknown>";
	return arena_printf("%s:%u:%u", at.src->name, at.line, at.col);
}

/*
 * Returns the start of line LINE and its length in *LEN, or NULL if there is no
 * such line.
 */
static const char *source_line(const struct source *src, unsigned line, size_t *len)
{
	const char *s = src->text, *end = src->text + src->len;

	for (; line > 1 && s < end; line--) {
		const char *nl = memchr(s, '\n', end - s);

		if (!nl)
			return NULL;
		s = nl + 1;
	}
	if (s >= end)
		return NULL;
	const char *nl = memchr(s, '\n', end - s);

	*len = (nl ? nl : end) - s;
	return s;
}

const char *loc_word(struct loc at)
{
	size_t len, n = 0;
	const char *s = at.src ? source_line(at.src, at.line, &len) : NULL;

	if (!s || at.col > len)
		return "";
	s += at.col - 1;
	len -= at.col - 1;
	while (n < len && (isalnum((unsigned char)s[n]) || s[n] == '_'))
		n++;
	return arena_strndup(s, n ? n : 1);
}

/*
 * Prints the source line with a caret under the column.  Tabs are repeated so
 * that the caret aligns.
 */
static void show_source(struct loc at)
{
	static const char label[] = "        source: ";
	size_t len;
	const char *s = at.src ? source_line(at.src, at.line, &len) : NULL;

	if (!s)
		return;
	if (len > 400)
		len = 400;
	fprintf(stderr, "%s%s", label, color_on(COLOR_SOURCE));
	for (size_t i = 0; i < len; i++)	/* control characters must not reach the terminal */
		fputc((unsigned char)s[i] < ' ' && s[i] != '\t' ? '?' : s[i], stderr);
	fprintf(stderr, "%s\n%*s", color_off(), (int)strlen(label), "");
	for (size_t i = 0; i + 1 < at.col && i < len; i++)
		fputc(s[i] == '\t' ? '\t' : ' ', stderr);
	fprintf(stderr, "%s^%s\n", color_on(COLOR_CARET), color_off());
}

static void show_via(struct loc at)
{
	int depth = 0;

	for (const struct loc *via = at.via; via && depth < 8; via = via->via, depth++) {
		fputs("        in expansion of macro: ", stderr);
		printable_print(stderr, loc_text(*via), "");
		fputc('\n', stderr);
		show_source(*via);
	}
}

/* ---- repeated messages ---- */

struct given {
	const char *text;		/* interned, but for the catalog's */
	struct loc at;
};

static vec(struct given) given;		/* warnings */
static vec(struct given) shown;		/* errors, up to ERRORS_SHOWN */
static vec(struct given) catalog;	/* semantic errors */
static unsigned suppressed;

static bool same_place(struct loc a, struct loc b)
{
	return a.src == b.src && a.line == b.line && a.col == b.col;
}

/*
 * Returns true if this warning was printed before.  The same text at the same position is dropped,
 * because a handler is checked once for each of its places.  The same text at another position is
 * counted in 'suppressed', unless -v asks for all warnings.
 */
static bool was_given(const char *text, struct loc at)
{
	bool alike = false;

	for (size_t i = 0; i < given.n; i++) {
		if (given.v[i].text != text)
			continue;
		if (same_place(given.v[i].at, at))
			return true;
		alike = true;
	}
	vec_push(&given, ((struct given){ text, at }));
	if (alike && !diag_all_warnings)
		suppressed++;
	return alike && !diag_all_warnings;
}

/*
 * Remembers an error.  Returns false if it must not be printed: it is one too many, or it was
 * printed, as a handler is checked once for each of its places.
 */
static bool is_new_error(const char *text, struct loc at)
{
	for (size_t i = 0; i < shown.n; i++)
		if (shown.v[i].text == text && same_place(shown.v[i].at, at))
			return false;
	if (shown.n > ERRORS_SHOWN)
		return false;
	vec_push(&shown, ((struct given){ text, at }));
	if (shown.n <= ERRORS_SHOWN)
		return true;
	fputs("too many errors: no more are shown\n", stderr);
	return false;
}

void diag_summary(void)
{
	if (suppressed)
		fprintf(stderr, "Number of similar warning messages suppressed: %u.\n"
			"Rerun with -v to see them.\n", suppressed);
	suppressed = 0;
}

void diag_reset(void)
{
	memset(&given, 0, sizeof(given));
	memset(&shown, 0, sizeof(shown));
	memset(&catalog, 0, sizeof(catalog));
	quiet_first = NULL;
	suppressed = diag_errors = 0;
}

/* ---- the catalog of errors ---- */

void diag_print_catalog(void)
{
	if (catalog.n)
		fprintf(stderr, "SEMANTIC_ERRORS: %zu\n", catalog.n);
	for (size_t i = 0; i < catalog.n; i++) {
		const struct given *g = &catalog.v[i];
		char *text = arena_strdup(g->text);

		for (char *c = text; *c; c++)
			if (iscntrl((unsigned char)*c))
				*c = ' ';
		fprintf(stderr, "SEMANTIC_ERROR\t%s\t%u\t%u\t%s\t%s\n",
			g->at.src ? g->at.src->name : "-", g->at.line, g->at.col,
			g->at.src ? loc_word(g->at) : "-", text);
	}
	if (catalog.n)
		fputs("SEMANTIC_ERRORS_END\n", stderr);
	memset(&catalog, 0, sizeof(catalog));
}

/* Counts a message.  Returns false if it must not be printed. */
static bool admit(enum diag_kind kind, struct loc at, const char *text)
{
	last_shown = false;
	if (quiet) {
		if (kind != DIAG_WARNING && !quiet_first)
			quiet_first = text;
		return false;
	}
	if (kind == DIAG_SEMANTIC_ERROR && diag_keep_catalog)
		vec_push(&catalog, ((struct given){ text, at }));
	if (kind == DIAG_WARNING) {
		if (diag_no_warnings)
			return false;
		if (was_given(intern(text), at))
			return false;
		if (diag_warnings_are_errors)
			diag_errors++;
	} else {
		diag_errors++;
		if (!is_new_error(intern(text), at))
			return false;
	}
	return last_shown = true;
}

static const char *kind_text(enum diag_kind kind)
{
	static const char *const texts[] = {
		[DIAG_PARSE_ERROR] = "parse error:",
		[DIAG_SEMANTIC_ERROR] = "semantic error:",
		[DIAG_ERROR] = "ERROR:",
		[DIAG_WARNING] = "WARNING:",
	};
	enum color color = kind == DIAG_WARNING ? COLOR_WARNING : COLOR_ERROR;

	return arena_printf("%s%s%s ", color_on(color), texts[kind], color_off());
}

/* Prints LABEL, the text, " at FILE:LINE:COL" and the source line. */
static void show(const char *label, struct loc at, const char *text)
{
	fputs(label, stderr);
	printable_print(stderr, text, "\n\t");
	if (at.src) {
		fputs(" at ", stderr);
		printable_print(stderr, loc_text(at), "");
	}
	fputc('\n', stderr);
	show_source(at);
}

static void message(enum diag_kind kind, struct loc at, const char *fmt, va_list ap)
{
	const char *text = arena_vprintf(fmt, ap);

	progress_end();
	if (!admit(kind, at, text))
		return;
	fflush(stdout);
	show(kind_text(kind), at, text);
	show_via(at);
}

void diag_at(enum diag_kind kind, struct loc at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(kind, at, fmt, ap);
	va_end(ap);
}

void diag(enum diag_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(kind, (struct loc){ NULL }, fmt, ap);
	va_end(ap);
}

void diag_also(struct loc at, const char *fmt, ...)
{
	va_list ap;

	if (!last_shown)
		return;
	va_start(ap, fmt);
	show("        ", at, arena_vprintf(fmt, ap));
	va_end(ap);
}

void diag_hint(const char *fmt, ...)
{
	va_list ap;

	if (!last_shown)
		return;
	fputs("        hint: ", stderr);
	va_start(ap, fmt);
	printable_print(stderr, arena_vprintf(fmt, ap), "\n\t");
	va_end(ap);
	fputc('\n', stderr);
}

void diag_quiet_begin(void)
{
	if (!quiet++)
		quiet_first = NULL;
}

void diag_quiet_end(void)
{
	quiet--;
}

const char *diag_quiet_first(void)
{
	return quiet_first;
}

/* ---- similar names ---- */

enum { NAME_MAX_LEN = 64 };

/*
 * Edit distance: letters inserted, removed or replaced, and neighbours swapped,
 * each count one.  Keeps the last three rows of the table, and returns LIMIT as
 * soon as the distance can't be below it.
 */
static unsigned distance(const char *a, const char *b, unsigned limit)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned rows[3][NAME_MAX_LEN + 1];
	unsigned *row = rows[0], *above = rows[1], *second = rows[2];

	if (na > NAME_MAX_LEN || nb > NAME_MAX_LEN ||
	    (na > nb ? na - nb : nb - na) >= limit)
		return limit;
	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *oldest = second, least = i;

		second = above;
		above = row;
		row = oldest;
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned d = above[j - 1] + (a[i - 1] != b[j - 1]);

			if (above[j] + 1 < d)
				d = above[j] + 1;
			if (row[j - 1] + 1 < d)
				d = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    second[j - 2] + 1 < d)
				d = second[j - 2] + 1;
			row[j] = d;
			if (d < least)
				least = d;
		}
		if (least >= limit)
			return limit;
	}
	return row[nb] < limit ? row[nb] : limit;
}

const char *diag_nearest(const char *name, const char *const *names, size_t n,
			 unsigned limit)
{
	struct { const char *name; unsigned d; } best[8];
	unsigned found = 0, bound = strlen(name) < 8 ? 2 : strlen(name) / 4 + 1;

	if (limit > 8)
		limit = 8;
	for (size_t i = 0; i < n; i++) {
		unsigned d = distance(name, names[i], bound);

		bool known = !d || d >= bound;	/* the name itself, or too far */

		for (unsigned j = 0; !known && j < found; j++)
			known = !strcmp(best[j].name, names[i]);
		if (known)
			continue;
		unsigned at = found < limit ? found++ : limit;

		for (; at > 0 && best[at - 1].d > d; at--)
			if (at < limit)
				best[at] = best[at - 1];
		if (at < limit) {
			best[at].name = names[i];
			best[at].d = d;
		}
	}
	while (found && best[found - 1].d > best[0].d + 1)
		found--;
	if (!found)
		return NULL;
	struct sbuf text = { 0 };

	for (unsigned i = 0; i < found; i++)
		sbuf_printf(&text, "%s%s", i ? ", " : "", best[i].name);
	return sbuf_take(&text);
}

bool diag_enough(void)
{
	return diag_errors > ERRORS_SHOWN;
}
