// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records that stapio reads: the input is
 *
 *	a byte		1: as JSON
 *	a u16, bytes	the formats
 *	a byte, a u16, bytes	a processor and its records, any number of times
 *
 * It is read to its end, or refused with a reason, whatever is in it.
 */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/transport.h"
#include "common/say.h"
#include "stapio/names/inlined.h"
#include "stapio/records/jobs.h"
#include "stapio/sinks/sinks.h"
#include "stapio/records/records.h"
#include "stapio/records/render.h"
#include "stapio/names/usymbols.h"

enum { CHUNKS = 16 };

/* ---- what stapio would do ---- */

bool say_no_warnings;

static void make(const char *fmt, va_list ap)
{
	char text[1 << 16];

	vsnprintf(text, sizeof(text), fmt, ap);
}

void say_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	make(fmt, ap);
	va_end(ap);
}

void say_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	make(fmt, ap);
	va_end(ap);
}

void say_progress_end(void)
{
}

/* Some frames have names, some lines. */
void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   bool lines, struct usymbol *out)
{
	static const struct place places[] = { { .function = "f;g", .source = "a.c", .line = 7 } };

	(void)u;
	(void)behind;
	*out = (struct usymbol){
		.file = file % 2 ? "/lib/x" : NULL, .name = offset % 2 ? "name" : NULL,
		.offset = offset, .size = offset, .places = places, .nplaces = lines && offset % 4 == 3,
	};
}

/* No frames, or one at the address of the item's first bytes. */
unsigned int usymbols_unwind(struct usymbols *u, const void *raw, size_t bytes, uint64_t time, struct st_uframe *frames)
{
	(void)u;
	(void)time;
	if (bytes < 2 * sizeof(uint64_t))
		return 0;
	frames[0] = (struct st_uframe){ .file = bytes };
	memcpy(&frames[0].address, (const char *)raw + sizeof(uint64_t), sizeof(uint64_t));
	return 1;
}

void usymbols_give_number(struct usymbols *u, unsigned int number)
{
	(void)u;
	(void)number;
}

void jobs_start(struct jobs *j, int out, const char *command, size_t length)
{
	(void)j;
	(void)out;
	(void)command;
	(void)length;
}

/* ---- the input ---- */

/* Takes N bytes, or as many as there are, into memory of that size. */
static uint8_t *take(const uint8_t **data, size_t *left, size_t *n)
{
	uint8_t *copy;

	*n = *n < *left ? *n : *left;
	copy = malloc(*n + !*n);
	memcpy(copy, *data, *n);
	*data += *n;
	*left -= *n;
	return copy;
}

static unsigned number(const uint8_t **data, size_t *left, size_t bytes)
{
	size_t n = bytes;
	uint8_t *p = take(data, left, &n);
	unsigned value = n == bytes ? p[0] | (bytes > 1 ? p[1] << 8 : 0) : 0;

	free(p);
	return value;
}

static void relay(struct records *r, const uint8_t *data, size_t left)
{
	struct records_chunk chunks[CHUNKS];
	uint8_t *copies[CHUNKS];
	const char *why = NULL;
	unsigned n = 0;
	int more;

	for (; left && n < CHUNKS; n++) {
		unsigned cpu = number(&data, &left, 1);
		size_t bytes = number(&data, &left, 2);

		copies[n] = take(&data, &left, &bytes);
		chunks[n] = (struct records_chunk){ cpu, copies[n], bytes };
	}
	do
		more = records_take(r, chunks, n, UINT64_MAX, &why);
	while (more > 0);
	fuzz_must(!more || why, "records that are refused without a reason");
	records_end(r, &why);
	while (n)
		free(copies[--n]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned json = number(&data, &size, 1);
	size_t bytes = number(&data, &size, 2);
	uint8_t *formats = take(&data, &size, &bytes);
	const struct sink_target target = { .path = "/dev/null" };
	struct sink *sink = (json & 1 ? &json_sink : &text_sink)->open(&target);
	struct jobs jobs = { 0 };

	if (bytes)
		formats[bytes - 1] = '\0';	/* the module sees to that */

	struct render *render = render_new((char *)formats, bytes, sink, NULL, &jobs);
	struct records *r = records_new(render_items, render);

	relay(r, data, size);
	records_free(r);
	render_free(render);
	sink->kind->close(sink);
	free(formats);
	return 0;
}
