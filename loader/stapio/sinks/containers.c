// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap --container-prefix: text, each line of which begins with the container of the task that printed it:
 *
 *	8d2f0a6c1be9: nginx opens /etc/nginx.conf
 *	-: cron opens /etc/crontab			in no container
 *
 * A line that one handler began and another in the same container ends is one line.  If the other is in
 * another container, it is broken.
 */
#include <stdlib.h>
#include <string.h>

#include "abi/transport.h"
#include "sinks.h"

struct containers {
	struct sink sink;
	struct output text, out;	/* a piece, without a file; the lines */
	char name[ST_ORIGIN_CONTAINER + 1];	/* of the piece's container */
	char last[ST_ORIGIN_CONTAINER + 1];	/* of the container whose line has not ended; "" if none */
};

static void put_name(struct containers *c)
{
	output_bytes(&c->out, c->name, strlen(c->name));
	output_bytes(&c->out, ": ", 2);
}

static void containers_begin(struct sink *s, const struct records_origin *from)
{
	(void)from;
	strcpy(((struct containers *)s)->name, "-");
}

static bool containers_origin(struct sink *s, const struct st_str *item)
{
	struct containers *c = (struct containers *)s;
	struct st_origin origin;

	if (item->len < sizeof(origin))
		return false;
	memcpy(&origin, item->p, sizeof(origin));
	if (*origin.container) {
		memcpy(c->name, origin.container, ST_ORIGIN_CONTAINER);
		c->name[ST_ORIGIN_CONTAINER] = '\0';
	}
	return true;
}

static void containers_end(struct sink *s, const struct records_origin *from)
{
	struct containers *c = (struct containers *)s;
	const char *p = c->text.buf, *end = p + c->text.used, *line;

	(void)from;
	if (c->text.used && *c->last && strcmp(c->last, c->name)) {
		output_bytes(&c->out, "\n", 1);
		*c->last = '\0';
	}
	for (; p < end; p = line) {
		line = memchr(p, '\n', end - p);
		line = line ? line + 1 : end;
		if (!*c->last)
			put_name(c);
		output_bytes(&c->out, p, line - p);
		strcpy(c->last, line[-1] == '\n' ? "" : c->name);
	}
	c->text.used = 0;
}

/* ---- the sink ---- */

static void containers_close(struct sink *s)
{
	struct containers *c = (struct containers *)s;

	output_close(&c->text);
	output_close(&c->out);
	free(c);
}

static struct sink *containers_open(const struct sink_target *target)
{
	struct containers *c = sink_new(&containers_sink, sizeof(*c));

	if (!c)
		return NULL;
	c->sink.text = &c->text;
	if (!output_init(&c->text, -1) && !sink_open_output(&c->out, target))
		return &c->sink;
	containers_close(&c->sink);
	return NULL;
}

static void containers_each(struct sink *s, void (*call)(struct output *o))
{
	struct containers *c = (struct containers *)s;

	call(&c->out);
	if (c->out.error)
		c->text.error = c->out.error;
}

static struct output *containers_stream(struct sink *s)
{
	return &((struct containers *)s)->out;
}

const struct sink_kind containers_sink = {
	.name = "containers", .open = containers_open, .close = containers_close, .begin = containers_begin,
	.origin = containers_origin, .end = containers_end, .each = containers_each,
	.stream = containers_stream,
};
