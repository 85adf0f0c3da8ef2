// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stapio's formatter.
 *
 * A format becomes a list of steps, each a text and a conversion: "n=%d %s\n" has the steps
 * "n=" %d, " " %s, and "\n".  Plain %d and plain %s, by far the most frequent, are formatted here;
 * the others by runtime/text/format.c, which formats in the kernel too.
 */
#include "render.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/transport.h"
#include "common/say.h"
#include "text/format.h"
#include "text/items.h"
#include "jobs.h"
#include "records.h"
#include "stapio/sinks/sinks.h"
#include "speculation.h"
#include "stapio/names/ustack.h"
#include "stapio/names/usymbols.h"

/* The largest width or precision; larger ones are cut to it. */
#define MAX_FIELD 8192

/* Characters of the longest decimal, "-9223372036854775808". */
#define DECIMAL_MAX 20

/* put_short() may read and write up to this many bytes behind the end. */
#define SLACK 16

enum step_kind { STEP_TEXT, STEP_DECIMAL, STEP_STRING, STEP_OTHER };

struct step {
	enum step_kind kind;
	const char *text;		/* in render.texts, "%%" replaced by "%" */
	unsigned int text_len;
	struct st_directive d;		/* STEP_OTHER; without its text */
};

/* A format, compiled. */
struct format {
	struct step *steps;
	unsigned int n;
	bool simple;			/* no STEP_OTHER */
	size_t room;			/* the most bytes that its texts and decimals need */
	size_t least;			/* bytes of its arguments if all strings are empty */
};

struct render {
	struct sink *sink;
	struct output *out;		/* the sink's text */
	struct usymbols *usymbols;
	struct speculations *speculations;
	struct jobs *jobs;
	struct script_format {
		struct format text, members;
	} *formats;
	unsigned int nformats;
	struct step *steps;		/* of all formats */
	char *texts;
	struct gathering {
		struct st_histogram drawn;	/* without 'bucket', no histogram's buckets come */
		struct records_origin from;	/* of the output that it is part of */
		char *name;		/* a copy of the item that names it */
		size_t name_bytes;
		bool told;		/* a warning has said that one was cut */
	} histogram;
	const struct records_origin *from;	/* of the piece that is formatted */
	bool saw_error;
};

/* ---- formats ---- */

static enum step_kind kind_of(const struct st_directive *d)
{
	if (!d->conversion)
		return STEP_TEXT;
	if (d->flags || d->width >= 0 || d->precision >= 0 || d->width_arg || d->precision_arg)
		return STEP_OTHER;
	if (d->conversion == 'd' || d->conversion == 'i')
		return STEP_DECIMAL;
	return d->conversion == 's' ? STEP_STRING : STEP_OTHER;
}

/* Copies text, replacing "%%" by "%"; returns the length. */
static unsigned int undouble(char *to, const char *text, unsigned int n)
{
	char *start = to;

	for (unsigned int i = 0; i < n; i++) {
		*to++ = text[i];
		if (text[i] == '%' && i + 1 < n && text[i + 1] == '%')
			i++;
	}
	return to - start;
}

/* Returns a directive's width or precision, cut to MAX_FIELD. */
static int bounded(long long field)
{
	return field > MAX_FIELD ? MAX_FIELD : field < -MAX_FIELD ? -MAX_FIELD : field;
}

static struct step *compile(struct format *f, struct step *steps, char **texts,
			    const char *text)
{
	struct st_directive d;

	f->steps = steps;
	f->simple = true;
	while (st_format_next(&text, &d)) {
		struct step *s = steps++;

		s->kind = kind_of(&d);
		s->text = *texts;
		s->text_len = undouble(*texts, d.text, d.text_len);
		*texts += s->text_len;
		f->room += s->text_len + DECIMAL_MAX;
		f->least += s->kind == STEP_DECIMAL ? sizeof(st_long) :
			    s->kind == STEP_STRING ? sizeof(uint32_t) : 0;
		f->simple &= s->kind != STEP_OTHER;
		s->d = d;
		s->d.text_len = 0;
		s->d.width = bounded(d.width);
		s->d.precision = bounded(d.precision);
	}
	f->n = steps - f->steps;
	return steps;
}

/* Counts the formats, of two texts each, and the most steps they can have. */
static void measure(const char *formats, size_t bytes, size_t *n, size_t *steps)
{
	size_t texts = 0;

	*steps = 0;
	for (size_t i = 0; i < bytes; i++) {
		texts += formats[i] == '\0';
		*steps += formats[i] == '\0' || formats[i] == '%';
	}
	*n = texts / 2;
}

struct render *render_new(const char *formats, size_t bytes, struct sink *sink,
			  struct usymbols *usymbols, struct jobs *jobs)
{
	struct render *r = calloc(1, sizeof(*r));
	size_t n, nsteps;

	if (!r)
		return NULL;
	measure(formats, bytes, &n, &nsteps);
	r->sink = sink;
	r->out = sink->text;
	r->usymbols = usymbols;
	r->jobs = jobs;
	r->speculations = speculations_new();
	r->formats = calloc(n + 1, sizeof(*r->formats));
	r->steps = calloc(nsteps + 1, sizeof(*r->steps));
	r->texts = calloc(1, bytes + SLACK);
	if (!r->speculations || !r->formats || !r->steps || !r->texts) {
		render_free(r);
		return NULL;
	}

	struct step *steps = r->steps;
	char *texts = r->texts;

	for (; r->nformats < n; r->nformats++) {
		steps = compile(&r->formats[r->nformats].text, steps, &texts, formats);
		formats += strlen(formats) + 1;
		steps = compile(&r->formats[r->nformats].members, steps, &texts, formats);
		formats += strlen(formats) + 1;
	}
	return r;
}

static void end_gathering(struct render *r)
{
	free(r->histogram.drawn.bucket);
	free(r->histogram.name);
	r->histogram.drawn.bucket = NULL;
	r->histogram.name = NULL;
}

void render_free(struct render *r)
{
	if (!r)
		return;
	speculations_free(r->speculations);
	end_gathering(r);
	free(r->formats);
	free(r->steps);
	free(r->texts);
	free(r);
}

bool render_saw_error(const struct render *r)
{
	return r->saw_error;
}

size_t render_dropped(const struct render *r)
{
	return speculations_dropped(r->speculations);
}

/* ---- items ---- */

/* Copies n bytes, usually few, without a call; returns the end of the copy. */
static inline char *put_short(char *to, const char *p, size_t n)
{
	if (n <= SLACK)
		memcpy(to, p, SLACK);
	else
		memcpy(to, p, n);
	return to + n;
}

static unsigned int count_digits(unsigned long long u)
{
	for (unsigned int n = 1;; n += 4, u /= 10000) {
		if (u < 10)
			return n;
		if (u < 100)
			return n + 1;
		if (u < 1000)
			return n + 2;
		if (u < 10000)
			return n + 3;
	}
}

static char *put_digits(char *to, st_long v)
{
	static const char pairs[] =
		"00010203040506070809" "10111213141516171819"
		"20212223242526272829" "30313233343536373839"
		"40414243444546474849" "50515253545556575859"
		"60616263646566676869" "70717273747576777879"
		"80818283848586878889" "90919293949596979899";
	unsigned long long u = v < 0 ? -(unsigned long long)v : (unsigned long long)v;
	char *p, *end;

	if (v < 0)
		*to++ = '-';
	p = end = to + count_digits(u);
	for (; u >= 100; u /= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (u % 100), 2);
	}
	if (u < 10)
		p[-1] = '0' + u;
	else
		memcpy(p - 2, pairs + 2 * u, 2);
	return end;
}

/* Writes a number to TO, DECIMAL_MAX bytes at most; returns the end. */
static inline char *put_decimal(char *to, st_long v)
{
	if ((unsigned long long)v >= 10)
		return put_digits(to, v);
	*to = '0' + v;
	return to + 1;
}

/* Formats an item of a simple format to START, where there is room for it. */
static bool put_simple(struct output *o, char *start, const struct format *f, struct st_items *b)
{
	const char *p = b->p, *end = p + b->bytes;
	size_t strings = b->bytes - f->least;	/* the most bytes they can have */
	char *to = start;
	uint32_t len;
	st_long v;

	if (b->bytes < f->least)
		return false;
	for (const struct step *s = f->steps, *last = s + f->n; s < last; s++) {
		to = put_short(to, s->text, s->text_len);
		if (s->kind == STEP_DECIMAL) {
			memcpy(&v, p, sizeof(v));
			p += sizeof(v);
			to = put_decimal(to, v);
		} else if (s->kind == STEP_STRING) {
			memcpy(&len, p, sizeof(len));
			p += sizeof(len);
			if (len > strings)
				return false;
			strings -= len;
			if (end - p >= SLACK)
				put_short(to, p, len);
			else
				memcpy(to, p, len);
			p += len;
			to += len;
		}
	}
	*b = (struct st_items){ p, end - p };
	output_took(o, to - start);
	return true;
}

/* Formats any other directive with format.c, for which it collects the arguments. */
static bool put_other(struct output *o, const struct st_directive *d, struct st_items *b)
{
	union st_arg args[3], *end = args;
	const union st_arg *next = args;
	size_t room = 64 + (d->width > 0 ? d->width : 0) + (d->precision > 0 ? d->precision : 0);

	for (int stars = !!d->width_arg + !!d->precision_arg; stars; stars--) {
		st_long field;

		if (!st_take(b, &field, sizeof(field)))
			return false;
		end->i = bounded(field);
		room += end->i < 0 ? -end->i : end->i;
		end++;
	}
	if (st_conversion_is_string(d->conversion)) {
		if (!st_take_str(b, &end->s))
			return false;
		room += 4 * (size_t)end->s.len;	/* escapes, hex digits */
	} else if (!st_take(b, &end->i, sizeof(end->i))) {
		return false;
	}
	char *to = output_room(o, room);

	if (to)
		output_took(o, st_format_one(to, room, d, &next, end + 1));
	return true;
}

/* Adds a string to an output. */
typedef void put_string(struct output *o, const char *p, size_t n);

static void put_plain(struct output *o, const char *p, size_t n)
{
	output_bytes(o, p, n);
}

static bool put_step(struct output *o, const struct step *s, struct st_items *b, put_string *put)
{
	char decimal[DECIMAL_MAX];
	struct st_str str;
	st_long v;

	output_bytes(o, s->text, s->text_len);
	switch (s->kind) {
	case STEP_TEXT:
		return true;
	case STEP_DECIMAL:
		if (!st_take(b, &v, sizeof(v)))
			return false;
		output_bytes(o, decimal, put_decimal(decimal, v) - decimal);
		return true;
	case STEP_STRING:
		if (!st_take_str(b, &str))
			return false;
		put(o, str.p, str.len);
		return true;
	case STEP_OTHER:
		return put_other(o, &s->d, b);
	}
	return false;
}

/* Formats an item step by step.  It takes the item's arguments even if there is no memory for the text,
 * because the next item follows them. */
static bool put_steps(struct output *o, const struct format *f, struct st_items *b, put_string *put)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (!put_step(o, &f->steps[i], b, put))
			return false;
	return true;
}

static inline bool put_text(struct output *o, const struct format *f, struct st_items *b)
{
	char *room = f->simple ? output_room(o, f->room + b->bytes + SLACK) : NULL;

	return room ? put_simple(o, room, f, b) : put_steps(o, f, b, put_plain);
}

static bool put_object(struct render *r, const struct format *members, struct st_items *b)
{
	const struct sink_objects *objects = r->sink->kind->objects;

	objects->begin(r->sink);

	bool ok = put_steps(r->out, members, b, objects->string);

	objects->end(r->sink);
	return ok;
}

static inline bool put_format(struct render *r, const struct script_format *f, struct st_items *b)
{
	return f->members.n && r->sink->kind->objects ? put_object(r, &f->members, b)
						      : put_text(r->out, &f->text, b);
}

/* ---- histograms: their items are gathered up to the last one ---- */

static bool begin_histogram(struct render *r, const struct st_str *item)
{
	struct gathering *g = &r->histogram;
	struct st_items left = { item->p, item->len };

	end_gathering(r);
	if (!st_take_hist(&left, &g->drawn))
		return false;
	g->from = *r->from;
	g->name_bytes = left.bytes;
	g->name = malloc(left.bytes + 1);
	g->drawn.bucket = calloc(st_hist_buckets(&g->drawn.decl), sizeof(*g->drawn.bucket));
	if (g->name && g->drawn.bucket) {
		memcpy(g->name, left.p, left.bytes);
		return true;
	}
	r->out->error = ENOMEM;
	end_gathering(r);
	return true;
}

/* Drops a histogram that began in an earlier output, because its end was lost, or lies behind the point
 * where an output was too large to be held together (records.c). */
static void forget_cut(struct render *r)
{
	struct gathering *g = &r->histogram;

	if (!g->drawn.bucket || (g->from.cpu == r->from->cpu && g->from.time == r->from->time))
		return;
	if (!g->told)
		say_warning("a histogram is left out, because a part of it was lost");
	g->told = true;
	end_gathering(r);
}

static void put_row(void *arg, struct st_str row)
{
	output_bytes(arg, row.p, row.len);
}

static bool put_histogram_object(struct render *r)
{
	const struct sink_objects *objects = r->sink->kind->objects;
	struct gathering *g = &r->histogram;
	struct st_items name = { g->name, g->name_bytes };
	uint16_t format;

	if (!st_take(&name, &format, sizeof(format)) || format >= r->nformats)
		return false;
	objects->begin(r->sink);

	bool ok = put_steps(r->out, &r->formats[format].members, &name, objects->string);

	objects->histogram(r->out, &g->drawn);
	objects->end(r->sink);
	return ok;
}

/*
 * Adds a histogram's bucket.  If there was no memory for the histogram's beginning, the bucket is
 * left out.
 */
static bool put_bucket(struct render *r, const struct st_str *item)
{
	bool ok = true;

	if (!r->histogram.drawn.bucket)
		return true;
	if (item->len)
		return st_take_bucket(*item, &r->histogram.drawn);
	if (r->sink->kind->objects)
		ok = put_histogram_object(r);
	else
		st_histogram_draw(&r->histogram.drawn, put_row, r->out);
	end_gathering(r);
	return ok;
}

/* ---- other items ---- */

/* Sends the module the symbols of the file whose number is in ITEM.  Returns false if it is malformed. */
static bool give_names(struct render *r, const struct st_str *item)
{
	uint16_t file;

	if (item->len != sizeof(file))
		return false;
	memcpy(&file, item->p, sizeof(file));
	usymbols_give_number(r->usymbols, file);
	return true;
}

/* Runs a command of system(), behind what was printed before. */
static void run_command(struct render *r, const struct st_str *command)
{
	output_flush_all(r->out);
	sink_stamp(r->sink, r->from);
	sink_flush(r->sink);
	if (r->jobs)
		jobs_start(r->jobs, sink_for_commands(r->sink), command->p, command->len);
}

static bool put_special(struct render *r, unsigned int format, struct st_items *b)
{
	struct st_str s;

	if (!st_take_str(b, &s))
		return false;
	if (format == ST_FMT_TEXT) {
		output_bytes(r->out, s.p, s.len);
		return true;
	}
	if (format == ST_FMT_USTACK)
		return ustack_print(r->out, r->usymbols, s.p, s.len);
	if (format == ST_FMT_RAW_USTACK)
		return ustack_print_raw(r->out, r->usymbols, r->from->time, s.p, s.len);
	if (format == ST_FMT_SPECULATION)
		return speculations_take(r->speculations, r->out, s.p, s.len);
	if (format == ST_FMT_SYMBOLS)
		return give_names(r, &s);
	if (format == ST_FMT_ORIGIN)
		return !r->sink->kind->origin || r->sink->kind->origin(r->sink, &s);
	if (format == ST_FMT_HIST)
		return begin_histogram(r, &s);
	if (format == ST_FMT_BUCKET)
		return put_bucket(r, &s);
	output_flush(r->out);
	if (format == ST_FMT_WARN) {
		say_warning("%.*s", (int)s.len, s.p);
	} else if (format == ST_FMT_SYSTEM) {
		run_command(r, &s);
	} else if (format == ST_FMT_SWITCH) {
		output_flush_all(r->out);
		output_switch();
	} else {
		say_error("%.*s", (int)s.len, s.p);
		r->saw_error = true;
	}
	return true;
}

static bool put_items(struct render *r, struct st_items *b)
{
	uint16_t format;
	bool ok = true;

	while (ok && b->bytes) {
		if (!st_take(b, &format, sizeof(format)))
			return false;
		if (format >= ST_FMT_LOWEST)
			ok = put_special(r, format, b);
		else
			ok = format < r->nformats && put_format(r, &r->formats[format], b);
	}
	return ok;
}

int render_items(void *render, const struct records_origin *from, const unsigned char *body,
		 size_t bytes)
{
	struct render *r = render;
	const struct sink_kind *kind = r->sink->kind;
	struct st_items b = { (const char *)body, bytes };
	bool ok;

	r->from = from;
	forget_cut(r);
	say_progress_end();		/* begin probes print while places are armed */
	if (kind->begin)
		kind->begin(r->sink, from);
	ok = put_items(r, &b);
	if (kind->end)
		kind->end(r->sink, from);
	sink_stamp(r->sink, from);
	return ok ? 0 : -1;
}
