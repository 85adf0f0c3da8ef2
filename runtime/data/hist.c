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
 */
#include "stat.h"

#define BAR_MAX 200
#define MARGIN 2
#define LABEL_MAX 24			/* bytes of a 64-bit number with '<' or '>' */
#define ROOM (2 * LABEL_MAX + BAR_MAX + 8)

struct drawing {
	const struct st_stat *st;
	const struct st_stat_decl *d;
	unsigned int low, high;		/* the first and the last bucket drawn */
	int label_width, count_width, bar;
	st_long scale;			/* values for each '@' */
};

/* The destination of lines: the output, or a string. */
struct canvas {
	struct st_ctx *c;
	char *at, *end;			/* in the string; NULL: the output */
};

static void put_line(struct canvas *cv, const char *line, unsigned int len)
{
	if (!cv->at) {
		st_print_text(cv->c, (struct st_str){ line, len });
		return;
	}
	len = min_t(unsigned long, len, cv->end - cv->at);
	memcpy(cv->at, line, len);
	cv->at += len;
}

static bool outside(const struct st_stat_decl *d, unsigned int i)
{
	return d->hist == ST_HIST_LINEAR && (i == 0 || i == st_hist_buckets(d) - 1);
}

static int label(const struct drawing *w, unsigned int i, char *text)
{
	const char *mark = !outside(w->d, i) ? "" : i ? ">" : "<";

	return scnprintf(text, LABEL_MAX, "%s%lld", mark, st_hist_value(w->d, i));
}

static bool shown(const struct drawing *w, unsigned int i)
{
	return w->st->bucket[i] || !outside(w->d, i);
}

/* The first bucket to draw, if i is the first with values. */
static unsigned int first_shown(const struct st_stat_decl *d, unsigned int i)
{
	unsigned int n = MARGIN;

	while (n-- && i && !(d->hist == ST_HIST_LOG && st_hist_value(d, i) == 0))
		i--;
	return i;
}

/*
 * Decides which buckets are drawn, and how wide; false: there are no values, or the handler's time
 * is over.  What the buckets take to draw is counted here, as they are few (ST_BUCKETS_MOST).
 */
static bool plan(struct st_ctx *c, struct drawing *w)
{
	unsigned int i, n = st_hist_buckets(w->d);
	st_long most = 0;
	char text[LABEL_MAX];

	if (st_walk(c, n))
		return false;
	w->low = n;
	for (i = 0; i < n; i++) {
		if (!w->st->bucket[i])
			continue;
		if (w->low == n)
			w->low = i;
		w->high = i;
		most = max(most, w->st->bucket[i]);
	}
	if (!most)
		return false;
	w->low = first_shown(w->d, w->low);
	w->high = min(w->high + MARGIN, n - 1);
	w->bar = min(st_program.hist_width, BAR_MAX);
	w->scale = (most + w->bar - 1) / w->bar;
	w->count_width = scnprintf(text, sizeof(text), "%lld", most);
	w->label_width = strlen("value");
	for (i = w->low; i <= w->high; i++)
		if (shown(w, i))
			w->label_width = max(w->label_width, label(w, i, text));
	return true;
}

static void draw_header(const struct drawing *w, struct canvas *cv)
{
	char line[ROOM];
	int len = scnprintf(line, sizeof(line), "%*s |", w->label_width, "value");

	memset(line + len, '-', w->bar);
	len += w->bar;
	len += scnprintf(line + len, sizeof(line) - len, " count\n");
	put_line(cv, line, len);
}

static void draw_bucket(const struct drawing *w, struct canvas *cv, unsigned int i)
{
	st_long count = w->st->bucket[i];
	unsigned int bar = count / w->scale;
	char line[ROOM], text[LABEL_MAX];
	int len;

	label(w, i, text);
	len = scnprintf(line, sizeof(line), "%*s |", w->label_width, text);
	memset(line + len, '@', bar);
	memset(line + len + bar, ' ', w->bar - bar);
	len += w->bar;
	len += scnprintf(line + len, sizeof(line) - len, " %*lld\n", w->count_width, count);
	put_line(cv, line, len);
}

static void draw_tilde(const struct drawing *w, struct canvas *cv)
{
	char line[ROOM];
	int len = scnprintf(line, sizeof(line), "%*s~\n", w->label_width + 1, "");

	put_line(cv, line, len);
}

/* How many empty buckets follow each other from i on, up to the last one drawn. */
static unsigned int empty_run(const struct drawing *w, unsigned int i)
{
	unsigned int n = 0;

	while (i + n <= w->high && !w->st->bucket[i + n])
		n++;
	return n;
}

static void draw_buckets(const struct drawing *w, struct canvas *cv, unsigned int i,
			 unsigned int end)
{
	for (; i < end; i++)
		if (shown(w, i))
			draw_bucket(w, cv, i);
}

/* Draws the n empty buckets from i on. */
static void draw_empty(const struct drawing *w, struct canvas *cv, unsigned int i, unsigned int n)
{
	unsigned int kept = st_program.hist_elision;

	if (st_program.hist_elision < 0 || (i + n <= w->high && n <= 2ull * kept)) {
		draw_buckets(w, cv, i, i + n);
		return;
	}
	draw_buckets(w, cv, i, i + min(n, kept));
	if (i + n > w->high)
		return;
	draw_tilde(w, cv);
	draw_buckets(w, cv, i + n - kept, i + n);
}

static void draw(struct canvas *cv, const struct st_stat *st, const struct st_stat_decl *d)
{
	struct drawing w = { .st = st, .d = d };
	unsigned int i, empty;

	if (!st || !plan(cv->c, &w))
		return;
	draw_header(&w, cv);
	for (i = w.low; i <= w.high; i += empty + 1) {
		empty = empty_run(&w, i);
		draw_empty(&w, cv, i, empty);
		if (i + empty <= w.high)
			draw_bucket(&w, cv, i + empty);
	}
	put_line(cv, "\n", 1);
}

void st_print_hist(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d)
{
	struct canvas cv = { .c = c };

	if (!c->error)
		draw(&cv, st, d);
}

/* The least and the greatest value that bucket i counts; false: there is no least, or no greatest. */
static bool least(const struct st_stat_decl *d, unsigned int i, st_long *value)
{
	st_long v = st_hist_value(d, i);

	if (outside(d, i)) {
		/* the last bucket of the range goes as far as its step does */
		*value = st_hist_value(d, 1) + (st_long)((i - 1ull) * d->step);
		return i;
	}
	*value = d->hist == ST_HIST_LOG && v < 0 && v != LLONG_MIN ? 2 * v + 1 : v;
	return true;
}

static bool greatest(const struct st_stat_decl *d, unsigned int i, st_long *value)
{
	st_long v = st_hist_value(d, i);

	if (outside(d, i)) {
		*value = d->lo - 1;
		return !i;
	}
	if (d->hist == ST_HIST_LINEAR)
		*value = v > LLONG_MAX - (d->step - 1) ? LLONG_MAX : v + (d->step - 1);
	else
		*value = v > 0 ? v + (v - 1) : v;
	return true;
}

static void print_bucket(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d,
			 unsigned int i, const char *comma)
{
	char text[4 * LABEL_MAX];
	unsigned int n = scnprintf(text, sizeof(text), "%s{", comma);
	st_long value;

	if (least(d, i, &value))
		n += scnprintf(text + n, sizeof(text) - n, "\"min\":%lld,", value);
	if (greatest(d, i, &value))
		n += scnprintf(text + n, sizeof(text) - n, "\"max\":%lld,", value);
	n += scnprintf(text + n, sizeof(text) - n, "\"count\":%lld}", st->bucket[i]);
	st_print_text(c, (struct st_str){ text, n });
}

void st_print_buckets(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d)
{
	const char *comma = "";
	unsigned int i;

	st_print_text(c, ST_LIT("["));
	for (i = 0; st && i < st_hist_buckets(d) && !st_walk(c, 1); i++) {
		if (!st->bucket[i])
			continue;
		print_bucket(c, st, d, i, comma);
		comma = ",";
	}
	st_print_text(c, ST_LIT("]"));
}

struct st_str st_format_hist(struct st_ctx *c, const struct st_stat *st,
			     const struct st_stat_decl *d)
{
	unsigned int room = st_program.maxstringlen - 1;
	char *text = st_scratch(c, room);
	struct canvas cv = { .c = c, .at = text, .end = text + room };

	if (!text)
		return ST_LIT("");
	draw(&cv, st, d);
	*cv.at = '\0';
	c->sp = cv.at + 1;
	return (struct st_str){ text, cv.at - text };
}
