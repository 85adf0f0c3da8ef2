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
 * Shown are the buckets with something in them, those between and two on
 * either side; of more than four (twice HIST_ELISION) empty ones in a row the
 * middle is a tilde.  A logarithmic one without negative values begins at 0.
 * What fell below or above a linear histogram has a row, "<LOW" and ">HIGH",
 * only when there is any.  An empty line ends the drawing.
 */
#include "stat.h"

#define BAR 50
#define MARGIN 2			/* rows around those with something in them */
#define LABEL_MAX 24			/* of a 64-bit number, with '<' or '>' */
#define ROOM (2 * LABEL_MAX + BAR + 8)

struct drawing {
	const struct st_stat *st;
	const struct st_stat_decl *d;
	unsigned int low, high;		/* buckets shown, inclusive */
	int label_width, count_width;
	st_long scale;			/* values a '@' stands for */
};

/* Where lines go: to the output, or to the end of a string. */
struct canvas {
	struct st_ctx *c;
	char *at, *end;			/* NULL: output */
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

/* Decides what is shown and how wide; false: nothing. */
static bool plan(struct drawing *w)
{
	unsigned int i, n = st_hist_buckets(w->d);
	st_long most = 0;
	char text[LABEL_MAX];

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
	if (w->d->hist == ST_HIST_LOG && w->low >= ST_LOG_ZERO)
		w->low -= min(w->low - ST_LOG_ZERO, (unsigned int)MARGIN);
	else
		w->low -= min(w->low, (unsigned int)MARGIN);
	w->high = min(w->high + MARGIN, n - 1);
	w->scale = (most + BAR - 1) / BAR;
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

	memset(line + len, '-', BAR);
	len += BAR;
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
	memset(line + len + bar, ' ', BAR - bar);
	len += BAR;
	len += scnprintf(line + len, sizeof(line) - len, " %*lld\n", w->count_width, count);
	put_line(cv, line, len);
}

static void draw_tilde(const struct drawing *w, struct canvas *cv)
{
	char line[ROOM];
	int len = scnprintf(line, sizeof(line), "%*s~\n", w->label_width + 1, "");

	put_line(cv, line, len);
}

/* Is a bucket with something in it no further from i than empty ones are shown?
 * last and *next are the nearest such ones on either side, -1 and n for none. */
static bool near_full(const struct drawing *w, long i, long last, long *next)
{
	long n = st_hist_buckets(w->d), margin = st_program.hist_elision;

	if (*next < i)
		for (*next = i; *next < n && !w->st->bucket[*next]; )
			++*next;
	return margin < 0 || (last >= 0 && i - last <= margin) ||
	       (*next < n && *next - i <= margin);
}

static void draw(struct canvas *cv, const struct st_stat *st, const struct st_stat_decl *d)
{
	struct drawing w = { .st = st, .d = d };
	long i, last = -1, next = -1;
	bool left_out = false, drawn = false;

	if (!st || !plan(&w))
		return;
	draw_header(&w, cv);
	for (i = w.low; i <= w.high; i++) {
		if (st->bucket[i])
			last = i;
		if (!near_full(&w, i, last, &next)) {
			left_out = true;
			continue;
		}
		if (left_out && drawn)
			draw_tilde(&w, cv);
		left_out = false;
		drawn = true;
		if (shown(&w, i))
			draw_bucket(&w, cv, i);
	}
	put_line(cv, "\n", 1);
}

void st_print_hist(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d)
{
	struct canvas cv = { .c = c };

	if (!c->error)
		draw(&cv, st, d);
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
