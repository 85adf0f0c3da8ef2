// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes text of JSON, and of sums (text.h). */
#include "remote/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sbuf.h"
#include "remote/sums.h"
#include "text/histogram.h"

/* ---- objects ---- */

/* Adds a character of 16 bits as UTF-8. */
static void put_character(struct sbuf *to, unsigned long c)
{
	if (c >= 0x800)
		sbuf_putc(to, (char)(0xe0 | c >> 12));
	if (c >= 0x80)
		sbuf_putc(to, (char)((c >= 0x800 ? 0x80 : 0xc0) | (c >> 6 & (c >= 0x800 ? 0x3f : 0x1f))));
	sbuf_putc(to, (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
}

/* Adds what a string of JSON means, from behind its quote on.  Returns what is behind its end; NULL: it is none. */
static const char *put_string(struct sbuf *to, const char *p)
{
	static const char names[] = "\"\\/bfnrt", named[] = "\"\\/\b\f\n\r\t";

	for (; *p && *p != '"'; p++) {
		const char *found;
		char hex[5] = "";

		if (*p != '\\') {
			sbuf_putc(to, *p);
			continue;
		}
		found = *++p ? strchr(names, *p) : NULL;
		if (found) {
			sbuf_putc(to, named[found - names]);
		} else if (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") >= 4) {
			put_character(to, strtoul(memcpy(hex, p + 1, 4), NULL, 16));
			p += 4;
		} else {
			return NULL;
		}
	}
	return *p ? p + 1 : NULL;
}

/* Adds the name of a variable with its key, as they are in JSON: reads["cat",1].  ID ends before END. */
static void put_naming(struct sbuf *to, const char *id, const char *end)
{
	static const char name[] = "\"name\":\"", key[] = "\",\"key\":";
	const char *from = id + strlen(name), *rest = strstr(from, key);

	if (rest && rest < end) {
		sbuf_add(to, from, rest - from);
		sbuf_add(to, rest + strlen(key), end - rest - strlen(key));
	} else if (end > from) {
		sbuf_add(to, from, end - from - 1);
	}
}

bool text_of_object(const char *line, struct sbuf *to)
{
	static const char text[] = ",\"text\":\"", name[] = ",\"name\":\"", value[] = ",\"value\":\"";
	const char *p = strstr(line, text), *id = strstr(line, name), *v = id ? strstr(id, value) : NULL;

	/* Within a string the quotes would be escaped. */
	if (p && !id) {
		p = put_string(to, p + strlen(text));
	} else if (v) {
		put_naming(to, id + 1, v);
		sbuf_puts(to, "=\"");
		p = put_string(to, v + strlen(value));
		sbuf_puts(to, "\"\n");
	} else {
		return false;
	}
	return p && !strcmp(p, "}\n");
}

/* ---- histograms ---- */

enum { BUCKETS_MOST = 4096 };

/* Finds the shape of a linear histogram by its buckets, of which only those with values are known:  lo, and how many
 * steps of the same size there are to hi.  A host may send any numbers: they wrap around. */
static void find_linear(struct st_stat_decl *d, const struct sum *s)
{
	const struct part *first = s->parts, *last = s->parts + s->n - 1;
	const struct part *inner = first->has_min ? first : first + 1;

	d->hist = ST_HIST_LINEAR;
	d->step = inner <= last && inner->has_min && inner->has_max ? (uint64_t)inner->max - inner->min + 1 : 1;
	d->lo = first->has_min ? (uint64_t)first->min : (uint64_t)first->max + 1;
	d->hi = !last->has_min ? (uint64_t)d->lo : (uint64_t)last->min - (last->has_max ? 0 : d->step);
}

/* Puts a bucket where one of the histogram has the same bounds.  Returns false if none has. */
static bool place(st_long *buckets, const struct st_stat_decl *d, const struct part *p)
{
	st_long least, greatest;

	if (p->count < 0)
		return false;		/* a forged one, or too large a sum: no bar has this length */
	for (unsigned int i = 0; i < st_hist_buckets(d); i++)
		if (st_bucket_least(d, i, &least) == p->has_min && (!p->has_min || least == p->min) &&
		    st_bucket_greatest(d, i, &greatest) == p->has_max && (!p->has_max || greatest == p->max)) {
			buckets[i] = p->count;
			return true;
		}
	return false;
}

static void put_row(void *to, struct st_str row)
{
	fwrite(row.p, 1, row.len, to);
}

/* Draws the histogram, if its buckets are those of the shape D. */
static bool draw(FILE *to, const struct sum *s, const struct st_stat_decl *d)
{
	struct st_histogram h = { .decl = *d, .width = 50, .elision = 2 };
	bool fits = d->hist == ST_HIST_LOG ||
		    (d->step > 0 && d->hi >= d->lo && ((uint64_t)d->hi - (uint64_t)d->lo) / d->step < BUCKETS_MOST);

	h.bucket = fits ? calloc(st_hist_buckets(d), sizeof(*h.bucket)) : NULL;
	for (size_t i = 0; h.bucket && fits && i < s->n; i++)
		fits = place(h.bucket, d, &s->parts[i]);
	fits = fits && h.bucket;
	if (fits)
		st_histogram_draw(&h, put_row, to);
	free(h.bucket);
	return fits;
}

/* ---- sums ---- */

static void print_statistic(FILE *to, const struct part *p)
{
	fprintf(to, " @count=%" PRId64, p->count);
	if (p->has_min)
		fprintf(to, " @min=%" PRId64, p->min);
	if (p->has_max)
		fprintf(to, " @max=%" PRId64, p->max);
	if (p->count)
		fprintf(to, " @sum=%" PRId64 " @avg=%" PRId64, p->sum, sums_average(p));
	putc('\n', to);
}

void text_sum(FILE *to, const struct sum *s)
{
	struct st_stat_decl linear = { 0 }, log = { .hist = ST_HIST_LOG };
	struct sbuf naming = { 0 };

	put_naming(&naming, s->id, s->id + strlen(s->id));
	fputs(sbuf_str(&naming), to);
	sbuf_free(&naming);
	if (s->kind == NUMBER) {
		fprintf(to, "=%" PRId64 "\n", s->parts->sum);
	} else if (s->kind == STATISTIC) {
		print_statistic(to, s->parts);
	} else {
		putc('\n', to);
		if (s->n)
			find_linear(&linear, s);
		/* What has another shape, as hosts may send it, is shown as it came. */
		if (s->n && !draw(to, s, &log) && !draw(to, s, &linear))
			sums_json(to, s);
	}
}
