// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats handlers' output in a process.  Handlers record it as in the kernel; here it is formatted
 * at once, by the code that stapio formats with.
 */
#include "core/report.h"
#include "core/supply.h"
#include "text/format.h"
#include "text/items.h"
#include "internal.h"

/* Bytes of a number in any base, or of an escaped character. */
#define NUMBER_ROOM 64

static struct st_output output;

/* Text that was formatted and not delivered. */
static struct {
	char *p;
	unsigned long n, room;
} text;

/* The histogram whose buckets are recorded now; without 'bucket' there is none. */
static struct st_histogram histogram;

static void end_histogram(void)
{
	kvfree(histogram.bucket);
	histogram.bucket = NULL;
}

void st_output_to(const struct st_output *to)
{
	output = to ? *to : (struct st_output){ NULL, NULL };
	end_histogram();
	if (to)
		return;
	free(text.p);
	memset(&text, 0, sizeof(text));
}

static void deliver(void)
{
	if (text.n)
		output.take(output.arg, ST_FMT_TEXT, (struct st_str){ text.p, text.n });
	text.n = 0;
}

/* Returns where BYTES more of text fit, or NULL without memory. */
static char *text_room(unsigned long bytes)
{
	unsigned long room = 2 * (text.n + bytes);
	char *p;

	if (text.room - text.n >= bytes)
		return text.p + text.n;
	p = realloc(text.p, room);
	if (!p)
		return NULL;
	text.p = p;
	text.room = room;
	return p + text.n;
}

/* Counts lost output, in the counter that also counts what could not be recorded. */
static void lose(void)
{
	atomic_long_inc(&st_counts.unread);
}

static void put_text(struct st_str s)
{
	char *p = text_room(s.len);

	if (!p) {
		lose();
		return;
	}
	memcpy(p, s.p, s.len);
	text.n += s.len;
}

static unsigned long magnitude(st_long field)
{
	return field < 0 ? -(unsigned long)field : (unsigned long)field;
}

/* Formats a directive with the arguments that come next; false: they are malformed. */
static bool put_directive(struct st_items *left, const struct st_directive *d)
{
	unsigned long room = d->text_len + NUMBER_ROOM;
	union st_arg args[3], *end = args;
	const union st_arg *next = args;
	int stars = d->conversion ? d->width_arg + d->precision_arg : 0;
	char *p;

	room += d->width > 0 ? d->width : 0;
	room += d->precision > 0 ? d->precision : 0;
	for (; stars; stars--, end++) {
		if (!st_take(left, &end->i, sizeof(end->i)))
			return false;
		room += min(magnitude(end->i), (unsigned long)ST_FIELD_MAX);
	}
	if (st_conversion_is_string(d->conversion)) {
		if (!st_take_str(left, &end->s))
			return false;
		room += 2ul * end++->s.len;	/* hex digits */
	} else if (d->conversion && !st_take(left, &end++->i, sizeof(st_long))) {
		return false;
	}
	p = text_room(room);
	if (p)
		text.n += st_format_one(p, room, d, &next, end);
	else
		lose();
	return true;
}

static bool put_format(struct st_items *left, const char *format)
{
	struct st_directive d;

	while (st_format_next(&format, &d))
		if (!put_directive(left, &d))
			return false;
	return true;
}

/* Begins a histogram.  The item that names it is not printed. */
static bool begin_histogram(struct st_str item)
{
	struct st_items left = { item.p, item.len };

	end_histogram();
	if (!st_take_hist(&left, &histogram))
		return false;
	histogram.bucket = kvmalloc_node(st_hist_buckets(&histogram.decl) * sizeof(st_long), 0, 0);
	if (!histogram.bucket)
		lose();
	return true;
}

static void put_row(void *arg, struct st_str row)
{
	(void)arg;
	put_text(row);
}

static bool put_bucket(struct st_str item)
{
	if (!histogram.bucket)
		return true;
	if (item.len)
		return st_take_bucket(item, &histogram);
	st_histogram_draw(&histogram, put_row, NULL);
	end_histogram();
	return true;
}

static bool put_special(struct st_items *left, unsigned short kind)
{
	struct st_str s;

	if (!st_take_str(left, &s))
		return false;
	if (kind == ST_FMT_TEXT) {
		put_text(s);
		return true;
	}
	if (kind == ST_FMT_HIST)
		return begin_histogram(s);
	if (kind == ST_FMT_BUCKET)
		return put_bucket(s);
	deliver();
	output.take(output.arg, kind, s);
	return true;
}

static bool put_item(struct st_items *left)
{
	unsigned short format;

	if (!st_take(left, &format, sizeof(format)))
		return false;
	if (format >= ST_FMT_LOWEST)
		return put_special(left, format);
	return format < st_program.nformats && put_format(left, st_program.formats[format].text);
}

void st_flush(struct st_ctx *c, bool more)
{
	struct st_items left = { c->output, c->out - c->output };

	(void)more;
	while (left.bytes)
		if (!put_item(&left)) {		/* nor can what follows be read */
			lose();
			break;
		}
	deliver();
	c->out = c->output;
}
