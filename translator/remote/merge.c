// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the output of all hosts as one, in the order of time.
 *
 * A line waits until each other host that runs has shown a later one, as then none before it can come
 * any more. Most hosts print seldom, so it waits for no longer than HOLD: what comes later than that is
 * out of order, and counted.
 *
 *	web1:  10 "a"  40 "c"
 *	web2:  20 "b"			prints a b; c waits for web2, or until HOLD is over
 *
 * A line's time is that of its arrival at the latest, since a host whose clock is wrong, or that lies, must not
 * stand behind all others for ever.
 *
 * With one host, or a file for each, nothing waits.
 */
#include <errno.h>
#include <limits.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/printable.h"
#include "options.h"
#include "remote/host.h"
#include "remote/sums.h"
#include "remote/text.h"

enum {
	LINE_MOST = 1 << 20,		/* a longer line is printed in parts */
	WAITING_MOST = 4 << 20,		/* with more bytes a host's lines don't wait */
};
#define HOLD INT64_C(300000000)		/* ns */

static struct {
	bool json, prefix;
	bool sums;			/* objects with a name are added up (sums.h) */
	bool text;			/* hosts send JSON, which becomes text (text.h) */
	bool apart;			/* each host has a file */
	bool pieces;			/* output goes on as it comes, not only whole lines */
	bool terminal;			/* it obeys control characters */
	bool failed;			/* something could not be written */
	int64_t printed;		/* time of the latest line */
	uint64_t late;
} merge;

/* ---- files ---- */

/* Makes a file's name of -o's FILE: %H is the host, and strftime(3) expands the rest. */
static const char *file_name(const char *file, const char *host)
{
	struct sbuf b = { 0 };
	char name[PATH_MAX];
	time_t now = time(NULL);
	struct tm tm;

	for (const char *p = file; *p; p++) {
		if (p[0] == '%' && p[1] == 'H') {
			for (const char *q = host; *q; q++)
				sbuf_puts(&b, *q == '/' ? "_" : *q == '%' ? "%%" : (char[]){ *q, 0 });
			p++;
		} else {
			sbuf_putc(&b, *p);
			if (p[0] == '%' && p[1])
				sbuf_putc(&b, *++p);
		}
	}
	if (strftime(name, sizeof(name), sbuf_str(&b), localtime_r(&now, &tm)))
		return sbuf_free(&b), arena_strdup(name);
	return sbuf_free(&b), NULL;
}

static FILE *open_file(const char *file, const char *host)
{
	const char *name = file_name(file, host);
	FILE *f = name ? fopen(name, "we") : NULL;

	if (!name)
		diag(DIAG_ERROR, "cannot make a file name of '%s'", file);
	else if (!f)
		diag(DIAG_ERROR, "cannot write to '%s': %s", name, strerror(errno));
	return f;
}

/* Is there a %H?  It may stand behind a %%. */
static bool names_host(const char *file)
{
	for (const char *p = file; *p; p++)
		if (*p == '%' && *++p == 'H')
			return true;
		else if (!*p)
			return false;
	return false;
}

bool merge_begin(const struct options *o)
{
	const char *file = o->relayed.output;
	FILE *all = stdout;

	merge.apart = file && names_host(file);
	merge.json = o->json;
	merge.sums = o->merge;
	merge.text = o->merge && !o->json;
	merge.prefix = o->remote_prefix || (nhosts > 1 && !merge.apart);
	merge.pieces = nhosts == 1 && !merge.prefix && !merge.json;
	merge.terminal = !file && isatty(STDOUT_FILENO);
	if (file && !merge.apart)
		all = open_file(file, "");
	for (size_t i = 0; all && i < nhosts; i++) {
		hosts[i].file = merge.apart ? open_file(file, hosts[i].name) : all;
		if (!hosts[i].file)
			return false;
	}
	return all;
}

/* ---- lines ---- */

/*
 * Is it one JSON object, as stapio writes them, that names no host?  A host may write anything; in
 *
 *	{"host":"another","text":"x"}
 *
 * readers would take the last of two members called "host", and an escape may spell that name.
 */
static bool is_object(const char *text, size_t n)
{
	size_t depth = 0, from = 0;
	bool quoted = false, escaped = false;

	if (n < 3 || *text != '{' || strlen(text) != n || strcmp(text + n - 2, "}\n"))
		return false;
	for (size_t i = 0; i < n - 1; i++) {
		char c = text[i];

		if (quoted && c == '\\') {
			escaped = true;
			i++;
		} else if (quoted && c == '"') {
			quoted = false;
			if (depth == 1 && text[i + 1] != ',' && text[i + 1] != '}' &&
			    (text[i + 1] != ':' || escaped || (i - from == 4 && !memcmp(text + from, "host", 4))))
				return false;
		} else if (c == '"') {
			quoted = true;
			escaped = false;
			from = i + 1;
		} else if (!quoted && (c == '{' || c == '[')) {
			depth++;
		} else if (!quoted && (c == '}' || c == ']') && !--depth && i != n - 2) {
			return false;
		}
	}
	return !depth && !quoted;
}

/* The text ends with a NUL. */
static void print(struct host *h, const char *text, size_t n)
{
	char *shown;
	FILE *f = h->file;

	if (merge.json && !is_object(text, n)) {
		print_message(h, text, n - (text[n - 1] == '\n'));
		return;
	}
	h->lines += text[n - 1] == '\n' || merge.prefix;
	if (merge.json && merge.sums && sums_take(h, text))
		return;
	shown = merge.terminal && merge.prefix ? printable(text, n, "\n\t") : NULL;
	if (merge.json)
		fprintf(f, "{\"host\":\"%s\",", h->name), text++, n--;
	else if (merge.prefix && !merge.json)
		fprintf(f, "%s: ", h->name);
	if (shown)
		fputs(shown, f);
	else
		fwrite(text, 1, n, f);
	if (merge.prefix && text[n - 1] != '\n')
		putc('\n', f);
	free(shown);
}

/* Ends the line in text[OUT]. */
static void end_line(struct host *h)
{
	struct sbuf *b = &h->text[OUT];
	struct line *l = malloc(sizeof(*l) + b->len + 1);
	int64_t now = now_ns();

	if (!l || nhosts == 1 || merge.apart) {
		print(h, b->s, b->len);
		free(l);
	} else {
		*l = (struct line){ .time = h->line_time < now ? h->line_time : now, .arrived = now,
				    .n = b->len };
		memcpy(l->text, b->s, b->len + 1);
		*(h->first ? &h->end->next : &h->first) = l;
		h->end = l;
		h->waiting += sizeof(*l) + l->n;
	}
	b->len = 0;
}

static void take_text(struct host *h, int64_t time, const char *p, size_t n)
{
	struct sbuf *b = &h->text[OUT];

	while (n) {
		const char *nl = memchr(p, '\n', n);
		size_t part = nl ? (size_t)(nl - p) + 1 : n;

		if (!b->len)
			h->line_time = time;
		if (part > LINE_MOST - b->len)
			part = LINE_MOST - b->len;
		sbuf_add(b, p, part);
		p += part;
		n -= part;
		if (b->s[b->len - 1] == '\n' || b->len == LINE_MOST || merge.pieces)
			end_line(h);
	}
}

/* Takes an object as data, or as the text that it has. */
static void end_object(struct host *h, int64_t time)
{
	struct sbuf *b = &h->object, text = { 0 };
	bool sound = is_object(b->s, b->len);

	if (sound && sums_take(h, b->s))
		h->lines++;
	else if (sound && text_of_object(b->s, &text))
		take_text(h, time, sbuf_str(&text), text.len);
	else
		print_message(h, b->s, b->len - (b->s[b->len - 1] == '\n'));
	sbuf_free(&text);
	b->len = 0;
}

void merge_take(struct host *h, int64_t time, const char *p, size_t n)
{
	if (!merge.text) {
		take_text(h, time, p, n);
		return;
	}
	for (; n; p++, n--) {
		sbuf_putc(&h->object, *p);
		if (*p == '\n' || h->object.len == LINE_MOST)
			end_object(h, time);
	}
}

void merge_end(struct host *h)
{
	if (h->object.len)
		end_object(h, h->line_time);
	if (h->text[OUT].len)
		end_line(h);
}

static void print_first(struct host *h)
{
	struct line *l = h->first;

	if (l->time < merge.printed)
		merge.late++;
	else
		merge.printed = l->time;
	h->first = l->next;
	h->waiting -= sizeof(*l) + l->n;
	print(h, l->text, l->n);
	free(l);
}

int64_t merge_print(int64_t now)
{
	for (;;) {
		bool silent = false, due = false;
		int64_t next = INT64_MAX;
		struct host *best = NULL;

		for (struct host *h = hosts; h < hosts + nhosts; h++) {
			if (!h->first) {
				silent |= h->step == RUNNING;
				continue;
			}
			if (!best || h->first->time < best->first->time)
				best = h;
			if (h->first->arrived + HOLD < next)
				next = h->first->arrived + HOLD;
			due |= h->waiting > WAITING_MOST;
		}
		if (!best || (silent && !due && next > now))
			return next;
		print_first(best);
	}
}

void merge_sums(void)
{
	sums_print(merge.apart ? stdout : hosts[0].file, merge.text ? text_sum : sums_json);
}

uint64_t merge_late(void)
{
	return merge.late;
}

/* What can't be written is dropped.  That the reader of a pipe has ended ("| head") is no error. */
static bool flush(FILE *f)
{
	if (!fflush(f) && !ferror(f))
		return true;
	if (errno == EINTR) {
		clearerr(f);		/* a signal: the rest waits for the next time */
		return true;
	}
	if (errno != EPIPE && !merge.failed)
		diag(DIAG_ERROR, "can't write the output: %s", strerror(errno));
	merge.failed = true;
	__fpurge(f);
	clearerr(f);
	return false;
}

bool merge_flush(void)
{
	bool good = true;

	for (struct host *h = hosts; h < hosts + nhosts; h++)
		good &= flush(h->file);
	return good;
}
