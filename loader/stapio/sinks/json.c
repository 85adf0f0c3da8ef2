// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes lines of JSON (json.h, RFC 8259).  They are valid UTF-8, whatever bytes a script prints. */
#include "json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "abi/transport.h"
#include "base/printable.h"
#include "common/say.h"
#include "output.h"
#include "stapio/records/records.h"
#include "stapio/records/render.h"

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

void json_string(struct output *o, const char *p, size_t n)
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
		put(j->out, ",\"wall\":\"%s.%09uZ\"", text, (unsigned int)(time % 1000000000));
}

static void put_who(struct json *j)
{
	struct st_origin who;
	const char *point;

	if (!j->who.len)
		return;
	memcpy(&who, j->who.p, sizeof(who));
	point = j->who.p + sizeof(who);
	put(j->out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"comm\":", who.pid, who.tid);
	json_string(j->out, who.comm, strnlen(who.comm, sizeof(who.comm)));
	put(j->out, ",\"probe\":");
	json_string(j->out, point, strnlen(point, j->who.len - sizeof(who)));
}

/* Writes a line with the collected text: as it is if it consists of MEMBERS of an object, else as the value
 * of "text". */
static void put_line(struct json *j, bool members)
{
	const struct output *t = j->text;

	if (t->error)
		j->out->error = t->error;
	if (t->used) {
		put(j->out, "{\"time\":%" PRIu64, j->from->time);
		put_wall(j, j->from->time);
		put(j->out, ",\"cpu\":%" PRIu32, j->from->cpu);
		put_who(j);
		put(j->out, members ? "," : ",\"text\":");
		if (members)
			output_bytes(j->out, t->buf, t->used);
		else
			json_string(j->out, t->buf, t->used);
		put(j->out, "}\n");
	}
	j->text->used = 0;
}

/* ---- items ---- */

bool json_origin(struct json *j, const struct st_str *item)
{
	if (item->len < sizeof(struct st_origin))
		return false;
	j->who = *item;
	return true;
}

bool json_object(struct json *j, const struct st_str *item)
{
	bool begins = item->len == 1 && *item->p == '{';

	if (!begins && (item->len != 1 || *item->p != '}'))
		return false;
	if (begins || j->in_object)
		put_line(j, j->in_object);
	j->in_object = begins;
	j->object = *j->from;
	return true;
}

/* Drops an object that began in an earlier output, because its end was lost, or lies behind the point where
 * an output was too large to be held together (records.c). */
static void forget_cut(struct json *j)
{
	if (!j->in_object || (j->object.cpu == j->from->cpu && j->object.time == j->from->time))
		return;
	if (!j->told)
		say_warning("an object of --json was cut, and is left out");
	j->told = true;
	j->in_object = false;
	j->text->used = 0;
}

int json_items(void *json, const struct records_origin *from, const unsigned char *body,
	       size_t bytes)
{
	struct json *j = json;
	int bad;

	j->from = from;
	j->who.len = 0;
	forget_cut(j);
	bad = render_items(j->render, from, body, bytes);
	if (!j->in_object)
		put_line(j, false);
	return bad;
}
