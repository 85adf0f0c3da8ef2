// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap --json: each output of a handler becomes a line with an object in JSON,
 *
 *	{"time":81234567890,"wall":"2026-01-31T12:00:00.123456789Z","cpu":1,"pid":4711,"tid":4711,
 *	 "comm":"cat","probe":"kernel.function(\"vfs_read\")","text":"cat reads\n"}
 *
 * for programs that read logs.  "time" is CLOCK_MONOTONIC in nanoseconds; "wall" is UTC.  Histograms,
 * and the variables that are printed at the end, have lines of their own, with these members instead
 * of "text".  The translator makes them (struct st_format of abi/stap_script.h), up to the buckets:
 *
 *	… "name":"reads","key":["cat"],"value":12}
 *	… "name":"sizes","histogram":[{"min":8,"max":15,"count":3}]}
 *
 * Of a task in a container there is "container":"8d2f0a6c1be9" too.
 * The session's own output, which no handler printed, has no "pid", "tid", "comm" and "probe".
 *
 * Lines are valid UTF-8 (RFC 8259), whatever bytes a script prints.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/transport.h"
#include "base/printable.h"
#include "sinks.h"
#include "stapio/records/records.h"
#include "text/histogram.h"

struct json {
	struct sink sink;
	struct output text, out;	/* one output of a handler, without a file; the lines */
	const struct records_origin *from;	/* origin of the current piece */
	struct st_str who;		/* the piece's st_origin and probe; empty: the session's output */
	int64_t wall;			/* wall clock minus monotonic clock, in ns */
};

/* The most bytes that one byte becomes: "\u001f". */
#define ESCAPE_MAX 6

/* The most bytes that put() adds. */
#define PUT_MAX 128

static void put(struct output *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct output *o, const char *fmt, ...)
{
	char *to = output_room(o, PUT_MAX);
	va_list ap;

	va_start(ap, fmt);
	if (to)
		output_took(o, vsnprintf(to, PUT_MAX, fmt, ap));
	va_end(ap);
}

/* Writes an ASCII character, escaped if necessary; returns the end. */
static char *put_ascii(char *to, unsigned char c)
{
	static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *found = c ? strchr(named, c) : NULL;

	if (found)
		return to + sprintf(to, "\\%c", names[found - named]);
	if (c < 0x20 || c == 0x7f)
		return to + sprintf(to, "\\u%04x", c);
	*to = c;
	return to + 1;
}

/* Writes what goes between the quotes of a string; returns the end.  U+FFFD replaces a byte that isn't part
 * of a UTF-8 character. */
static char *put_text(char *to, const unsigned char *p, size_t left)
{
	static const char unknown[] = "\xef\xbf\xbd";
	unsigned int n;

	while (left) {
		n = utf8_length((const char *)p, left);
		if (n == 1) {
			to = put_ascii(to, *p);
		} else if (n && utf8_is_control((const char *)p, n)) {
			to += sprintf(to, "\\u00%02x", p[1]);
		} else if (n) {
			memcpy(to, p, n);
			to += n;
		} else {
			memcpy(to, unknown, sizeof(unknown) - 1);
			to += sizeof(unknown) - 1;
			n = 1;
		}
		p += n;
		left -= n;
	}
	return to;
}

static void put_string(struct output *o, const char *p, size_t n)
{
	char *start = output_room(o, ESCAPE_MAX * n + 2), *to = start;

	if (!start)
		return;
	*to++ = '"';
	to = put_text(to, (const unsigned char *)p, n);
	*to++ = '"';
	output_took(o, to - start);
}

/* ---- lines ---- */

static int64_t nanoseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Writes "wall".  The wall clock may be set at any time, so its distance to the monotonic clock is measured
 * for each line.  A change below a millisecond only comes from reading the two clocks one after the other;
 * it is ignored, so that the lines' times keep their distances. */
static void put_wall(struct json *j, uint64_t time)
{
	int64_t now = nanoseconds(CLOCK_REALTIME) - nanoseconds(CLOCK_MONOTONIC);
	char text[64];
	struct tm tm;
	time_t seconds;

	if (now - j->wall > 1000000 || j->wall - now > 1000000)
		j->wall = now;
	time += j->wall;
	seconds = time / 1000000000;
	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%FT%T", &tm))
		put(&j->out, ",\"wall\":\"%s.%09uZ\"", text, (unsigned int)(time % 1000000000));
}

static void put_who(struct json *j)
{
	struct st_origin who;
	const char *point;

	if (!j->who.len)
		return;
	memcpy(&who, j->who.p, sizeof(who));
	point = j->who.p + sizeof(who);
	put(&j->out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"comm\":", who.pid, who.tid);
	put_string(&j->out, who.comm, strnlen(who.comm, sizeof(who.comm)));
	if (*who.container) {
		put(&j->out, ",\"container\":");
		put_string(&j->out, who.container, strnlen(who.container, sizeof(who.container)));
	}
	put(&j->out, ",\"probe\":");
	put_string(&j->out, point, strnlen(point, j->who.len - sizeof(who)));
}

/* Writes a line with the collected text: as it is if it consists of MEMBERS of an object, else as the value
 * of "text". */
static void put_line(struct json *j, bool members)
{
	const struct output *t = &j->text;

	if (t->used) {
		put(&j->out, "{\"time\":%" PRIu64, j->from->time);
		put_wall(j, j->from->time);
		put(&j->out, ",\"cpu\":%" PRIu32, j->from->cpu);
		put_who(j);
		put(&j->out, members ? "," : ",\"text\":");
		if (members)
			output_bytes(&j->out, t->buf, t->used);
		else
			put_string(&j->out, t->buf, t->used);
		put(&j->out, "}\n");
	}
	j->text.used = 0;
}

/* ---- pieces ---- */

static void json_begin(struct sink *s, const struct records_origin *from)
{
	struct json *j = (struct json *)s;

	j->from = from;
	j->who.len = 0;
}

static bool json_origin(struct sink *s, const struct st_str *item)
{
	struct json *j = (struct json *)s;

	if (item->len < sizeof(struct st_origin))
		return false;
	j->who = *item;
	return true;
}

static void json_end(struct sink *s, const struct records_origin *from)
{
	(void)from;
	put_line((struct json *)s, false);
}

/* ---- objects ---- */

static void object_begin(struct sink *s)
{
	put_line((struct json *)s, false);
}

static void object_end(struct sink *s)
{
	put_line((struct json *)s, true);
}

static void put_bucket(struct output *o, const struct st_histogram *h, unsigned int i)
{
	st_long value;

	put(o, "{");
	if (st_bucket_least(&h->decl, i, &value))
		put(o, "\"min\":%lld,", value);
	if (st_bucket_greatest(&h->decl, i, &value))
		put(o, "\"max\":%lld,", value);
	put(o, "\"count\":%lld}", h->bucket[i]);
}

/* Writes the buckets that have values: "histogram":[{"min":8,"max":15,"count":3}]. */
static void put_histogram(struct output *o, const struct st_histogram *h)
{
	unsigned int n = st_hist_buckets(&h->decl);
	bool first = true;

	put(o, ",\"histogram\":[");
	for (unsigned int i = 0; i < n; i++) {
		if (!h->bucket[i])
			continue;
		if (!first)
			put(o, ",");
		put_bucket(o, h, i);
		first = false;
	}
	put(o, "]");
}

static const struct sink_objects objects = {
	.begin = object_begin, .end = object_end, .string = put_string, .histogram = put_histogram,
};

/* ---- the sink ---- */

static void json_close(struct sink *s)
{
	struct json *j = (struct json *)s;

	output_close(&j->text);
	output_close(&j->out);
	free(j);
}

static struct sink *json_open(const struct sink_target *target)
{
	struct json *j = sink_new(&json_sink, sizeof(*j));

	if (!j)
		return NULL;
	j->sink.text = &j->text;
	if (!output_init(&j->text, -1) && !sink_open_output(&j->out, target))
		return &j->sink;
	json_close(&j->sink);
	return NULL;
}

static void json_each(struct sink *s, void (*call)(struct output *o))
{
	struct json *j = (struct json *)s;

	call(&j->out);
	if (j->out.error)
		j->text.error = j->out.error;
}

static struct output *json_stream(struct sink *s)
{
	return &((struct json *)s)->out;
}

const struct sink_kind json_sink = {
	.name = "json", .open = json_open, .close = json_close, .begin = json_begin,
	.origin = json_origin, .end = json_end, .objects = &objects, .each = json_each,
	.stream = json_stream,
};
