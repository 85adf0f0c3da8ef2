// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Histograms as text, as SystemTap draws them:
 *
 *	value |-------------------------------------------------- count
 *	    8 |                                                      0
 *	   16 |                                                      0
 *	   32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@            1601
 *	      ~
 *
 * Rows are drawn for the buckets with values, for those between, and for two on either
 * side; for negative buckets only if there are negative values.  A run of more than four
 * (twice -DHIST_ELISION) empty buckets is shortened to a tilde in its middle, or cut at the
 * end.  Values below or above a linear histogram's range have the rows "<LOW" and ">HIGH" if
 * there are any.  An empty line ends the drawing.
 *
 * It includes no kernel or C library header, because stapio draws with it as well.
 */
#include "histogram.h"

#include "abi/bounds.h"
#include "format.h"

#define MARGIN 2
#define LABEL_MAX 24			/* bytes of a 64-bit number with '<' or '>' */
#define LONGEST __LONG_LONG_MAX__
#define ROOM (2 * LABEL_MAX + ST_HIST_WIDTH_MOST + 8)

/* ---- buckets -------------------------------------------------------------- */

static unsigned long long span_of(const struct st_stat_decl *d)
{
	return (unsigned long long)d->hi - (unsigned long long)d->lo;
}

unsigned int st_hist_buckets(const struct st_stat_decl *d)
{
	switch (d->hist) {
	case ST_HIST_LOG:
		return ST_LOG_BUCKETS;
	case ST_HIST_LINEAR:
		return span_of(d) / (unsigned long long)d->step + 3;
	default:
		return 0;
	}
}

st_long st_hist_value(const struct st_stat_decl *d, unsigned int i)
{
	if (d->hist == ST_HIST_LINEAR) {
		if (i == 0)
			return d->lo;
		if (i >= st_hist_buckets(d) - 1)
			return d->hi;
		return (unsigned long long)d->lo + (i - 1ull) * (unsigned long long)d->step;
	}
	if (i == ST_LOG_ZERO)
		return 0;
	if (i > ST_LOG_ZERO)
		return 1ll << (i - ST_LOG_ZERO - 1);
	return -(1ull << (ST_LOG_ZERO - 1 - i));
}

static int outside(const struct st_stat_decl *d, unsigned int i)
{
	return d->hist == ST_HIST_LINEAR && (i == 0 || i == st_hist_buckets(d) - 1);
}

int st_bucket_least(const struct st_stat_decl *d, unsigned int i, st_long *value)
{
	st_long v = st_hist_value(d, i);

	if (outside(d, i))
		/* the last bucket of the range goes as far as its step does */
		*value = (unsigned long long)d->lo + (i - 1ull) * (unsigned long long)d->step;
	else
		*value = d->hist == ST_HIST_LOG && v < 0 && v > -LONGEST ? 2 * v + 1 : v;
	return !outside(d, i) || i;
}

int st_bucket_greatest(const struct st_stat_decl *d, unsigned int i, st_long *value)
{
	st_long v = st_hist_value(d, i);

	if (outside(d, i))
		*value = (unsigned long long)d->lo - 1;
	else if (d->hist == ST_HIST_LINEAR)
		*value = v > LONGEST - (d->step - 1) ? LONGEST : v + (d->step - 1);
	else
		*value = v > 0 ? v + (v - 1) : v;
	return !outside(d, i) || !i;
}

/* ---- drawing -------------------------------------------------------------- */

struct drawing {
	const struct st_histogram *h;
	unsigned int low, high;		/* the first and the last bucket drawn */
	unsigned int label_width, count_width;
	unsigned long long scale;	/* values for each '@' */
	void (*put)(void *arg, struct st_str line);
	void *arg;
};

static void put_line(const struct drawing *w, const char *line, unsigned int len)
{
	w->put(w->arg, (struct st_str){ line, len });
}

static unsigned int label(const struct drawing *w, unsigned int i, char *text)
{
	const struct st_stat_decl *d = &w->h->decl;
	const char *mark = !outside(d, i) ? "" : i ? ">" : "<";
	const union st_arg args[] = { { .s = { mark, *mark != 0 } }, { .i = st_hist_value(d, i) } };

	return st_format_all(text, LABEL_MAX, "%s%d", args, 2);
}

static int shown(const struct drawing *w, unsigned int i)
{
	return w->h->bucket[i] || !outside(&w->h->decl, i);
}

/* Returns the first bucket to draw, if i is the first with values. */
static unsigned int first_shown(const struct st_stat_decl *d, unsigned int i)
{
	unsigned int n = MARGIN;

	while (n-- && i && !(d->hist == ST_HIST_LOG && st_hist_value(d, i) == 0))
		i--;
	return i;
}

/* Finds the buckets with values, and returns the most that one has; 0 if there are no values. */
static st_long find_range(struct drawing *w, unsigned int n)
{
	st_long most = 0;
	unsigned int i;

	w->low = n;
	for (i = 0; i < n; i++) {
		if (!w->h->bucket[i])
			continue;
		if (w->low == n)
			w->low = i;
		w->high = i;
		if (w->h->bucket[i] > most)
			most = w->h->bucket[i];
	}
	return most;
}

/* Decides which buckets are drawn, and how wide.  Returns 0 if there are no values. */
static int plan(struct drawing *w)
{
	unsigned int i, width, n = st_hist_buckets(&w->h->decl);
	const union st_arg most = { .i = find_range(w, n) };
	char text[LABEL_MAX];

	if (!most.i)
		return 0;
	w->low = first_shown(&w->h->decl, w->low);
	w->high = w->high + MARGIN < n ? w->high + MARGIN : n - 1;
	w->scale = ((unsigned long long)most.i + w->h->width - 1) / w->h->width;
	w->count_width = st_format_all(text, sizeof(text), "%d", &most, 1);
	w->label_width = sizeof("value") - 1;
	for (i = w->low; i <= w->high; i++) {
		width = shown(w, i) ? label(w, i, text) : 0;
		if (width > w->label_width)
			w->label_width = width;
	}
	return 1;
}

/* Begins a row: the label, right-justified, and a bar. */
static unsigned int begin_row(const struct drawing *w, char *line, struct st_str text, char bar,
			      unsigned int bar_len)
{
	const union st_arg args[] = { { .i = w->label_width }, { .s = text } };
	unsigned int len = st_format_all(line, ROOM, "%*s |", args, 2);

	__builtin_memset(line + len, bar, bar_len);
	__builtin_memset(line + len + bar_len, ' ', w->h->width - bar_len);
	return len + w->h->width;
}

static void draw_header(const struct drawing *w)
{
	static const union st_arg none;
	char line[ROOM];
	unsigned int len = begin_row(w, line, ST_LIT("value"), '-', w->h->width);

	put_line(w, line, len + st_format_all(line + len, ROOM - len, " count\n", &none, 0));
}

static void draw_bucket(const struct drawing *w, unsigned int i)
{
	const union st_arg count[] = { { .i = w->count_width }, { .i = w->h->bucket[i] } };
	char line[ROOM], text[LABEL_MAX];
	struct st_str name = { text, label(w, i, text) };
	unsigned int len = begin_row(w, line, name, '@', count[1].i / w->scale);

	put_line(w, line, len + st_format_all(line + len, ROOM - len, " %*d\n", count, 2));
}

static void draw_tilde(const struct drawing *w)
{
	const union st_arg args[] = { { .i = w->label_width + 1 }, { .s = { "", 0 } } };
	char line[ROOM];

	put_line(w, line, st_format_all(line, ROOM, "%*s~\n", args, 2));
}

/* Returns how many empty buckets follow each other from i on, up to the last one drawn. */
static unsigned int empty_run(const struct drawing *w, unsigned int i)
{
	unsigned int n = 0;

	while (i + n <= w->high && !w->h->bucket[i + n])
		n++;
	return n;
}

static void draw_buckets(const struct drawing *w, unsigned int i, unsigned int end)
{
	for (; i < end; i++)
		if (shown(w, i))
			draw_bucket(w, i);
}

/* Draws the n empty buckets from i on. */
static void draw_empty(const struct drawing *w, unsigned int i, unsigned int n)
{
	unsigned int kept = w->h->elision;

	if (w->h->elision < 0 || (i + n <= w->high && n <= 2ull * kept)) {
		draw_buckets(w, i, i + n);
		return;
	}
	draw_buckets(w, i, i + (n < kept ? n : kept));
	if (i + n > w->high)
		return;
	draw_tilde(w);
	draw_buckets(w, i + n - kept, i + n);
}

void st_histogram_draw(const struct st_histogram *h, void (*put)(void *arg, struct st_str line),
		       void *arg)
{
	struct drawing w = { .h = h, .put = put, .arg = arg };
	unsigned int i, empty;

	if (!plan(&w))
		return;
	draw_header(&w);
	for (i = w.low; i <= w.high; i += empty + 1) {
		empty = empty_run(&w, i);
		draw_empty(&w, i, empty);
		if (i + empty <= w.high)
			draw_bucket(&w, i + empty);
	}
	put_line(&w, "\n", 1);
}
