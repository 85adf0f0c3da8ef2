// SPDX-License-Identifier: GPL-2.0-or-later
/* Text, as handlers print it. */
#include <stdlib.h>

#include "sinks.h"

struct text_sink {
	struct sink sink;
	struct output out;
};

static void text_close(struct sink *s)
{
	struct text_sink *t = (struct text_sink *)s;

	output_close(&t->out);
	free(t);
}

static struct sink *text_open(const struct sink_target *target)
{
	struct text_sink *t = sink_new(&text_sink, sizeof(*t));

	if (!t)
		return NULL;
	t->sink.text = &t->out;
	if (!sink_open_output(&t->out, target))
		return &t->sink;
	text_close(&t->sink);
	return NULL;
}

static void text_each(struct sink *s, void (*call)(struct output *o))
{
	call(s->text);
}

static struct output *text_stream(struct sink *s)
{
	return s->text;
}

const struct sink_kind text_sink = {
	.name = "text", .open = text_open, .close = text_close, .each = text_each, .stream = text_stream,
};
