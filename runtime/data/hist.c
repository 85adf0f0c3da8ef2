// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records histograms of statistics, for stapio to draw, or draws them into a string.
 *
 * The work on all buckets is counted before the first one, because they are few (ST_BUCKETS_MOST).
 */
#include "abi/transport.h"
#include "stat.h"
#include "text/histogram.h"

/* ---- printed ---------------------------------------------------------------- */

char *st_print_hist(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d,
		    unsigned short format, unsigned long bytes)
{
	const struct st_hist_head head = {
		.hist = d->hist, .width = st_program.hist_width, .elision = st_program.hist_elision,
		.lo = d->lo, .hi = d->hi, .step = d->step,
	};
	u32 len = sizeof(head) + sizeof(format) + bytes;
	char *p;

	if (c->error || st_walk(c, st ? st_hist_buckets(d) : 0))
		return NULL;
	p = st_emit(c, ST_FMT_HIST, sizeof(len) + sizeof(head) + sizeof(format) + bytes);
	if (!p)
		return NULL;
	memcpy(p, &len, sizeof(len));
	p += sizeof(len);
	memcpy(p, &head, sizeof(head));
	p += sizeof(head);
	memcpy(p, &format, sizeof(format));
	return p + sizeof(format);
}

void st_print_buckets(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d)
{
	struct st_bucket b = { 0 };
	unsigned int n = st ? st_hist_buckets(d) : 0;

	for (; b.number < n; b.number++) {
		b.count = st->bucket[b.number];
		if (b.count)
			st_emit_one(c, ST_FMT_BUCKET, (struct st_str){ (char *)&b, sizeof(b) });
	}
	st_emit_one(c, ST_FMT_BUCKET, ST_LIT(""));
}

/* ---- as a string -------------------------------------------------------------- */

/* The rest of a string's room. */
struct canvas {
	char *at, *end;
};

static void draw_line(void *arg, struct st_str line)
{
	struct canvas *cv = arg;
	unsigned int len = min_t(unsigned long, line.len, cv->end - cv->at);

	memcpy(cv->at, line.p, len);
	cv->at += len;
}

struct st_str st_format_hist(struct st_ctx *c, const struct st_stat *st,
			     const struct st_stat_decl *d)
{
	unsigned int room = st_program.maxstringlen - 1;
	char *text = st_scratch(c, room);
	struct canvas cv = { .at = text, .end = text + room };

	if (!text)
		return ST_LIT("");
	if (st && !st_walk(c, st_hist_buckets(d))) {
		const struct st_histogram h = {
			.decl = *d, .bucket = (st_long *)st->bucket,
			.width = st_program.hist_width, .elision = st_program.hist_elision,
		};

		st_histogram_draw(&h, draw_line, &cv);
	}
	*cv.at = '\0';
	c->sp = cv.at + 1;
	return (struct st_str){ text, cv.at - text };
}
