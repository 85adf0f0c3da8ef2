// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of sinks, and what they have in common. */
#include "sinks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/say.h"
#include "stapio/records/records.h"

const struct sink_kind *sink_kind(size_t i)
{
	static const struct sink_kind *const kinds[] = { &text_sink, &json_sink, &containers_sink,
							 &bulk_sink };

	return i < sizeof(kinds) / sizeof(*kinds) ? kinds[i] : NULL;
}

void *sink_new(const struct sink_kind *kind, size_t size)
{
	struct sink *s = calloc(1, size);

	if (s)
		s->kind = kind;
	else
		say_error("no memory for the output");
	return s;
}

int sink_open_output(struct output *o, const struct sink_target *target)
{
	bool in_memory = target->stamped || target->kept;
	const struct output_files files = {
		.base = in_memory ? NULL : target->path, .limit = target->limit, .keep = target->keep,
		.lines = target->limit,
	};
	int fd = files.base ? output_open(&files) : in_memory ? -1 : STDOUT_FILENO;

	if (fd < 0 && !in_memory) {
		say_error("Couldn't open output file %s: %s", files.base, strerror(errno));
		return -1;
	}
	if (output_init(o, fd)) {
		say_error("no memory for the output");
		return -1;
	}
	o->files = files;
	return 0;
}

struct sink *sink_open(const struct sink_kind *kind, const struct sink_target *target)
{
	struct sink *s;

	if (target->kept && !kind->stream) {
		say_error("--detach keeps text and JSON, not a file for each CPU");
		return NULL;
	}
	if (target->stamped && !target->kept && (target->path || !kind->stream)) {
		say_error("--stamped is for text and JSON on standard output");
		return NULL;
	}
	s = kind->open(target);
	if (!s || !(target->stamped || target->kept))
		return s;
	s->stamped = target->kept ? stamped_keep(&(struct output_files){
		.base = target->path, .limit = target->limit, .keep = target->keep, .fresh = true,
		.counted = true,
	}) : stamped_open();
	if (s->stamped)
		return s;
	kind->close(s);
	return NULL;
}

int sink_close(struct sink *s)
{
	int err = s->text->error, late = s->stamped ? stamped_close(s->stamped) : 0;

	s->kind->close(s);
	return err ? err : late;
}

void sink_stamp(struct sink *s, const struct records_origin *from)
{
	if (s->stamped)
		stamped_put(s->stamped, from->time, s->kind->stream(s));
}

int sink_for_commands(const struct sink *s)
{
	if (s->text->fd >= 0)
		return s->text->fd;
	return s->stamped && s->kind == &text_sink ? STDOUT_FILENO : STDERR_FILENO;
}

void sink_flush(struct sink *s)
{
	s->kind->each(s, output_flush);

	int err = s->stamped ? stamped_flush(s->stamped) : 0;

	if (err)
		s->text->error = err;
}

void sink_finish(struct sink *s)
{
	sink_flush(s);
	s->kind->each(s, output_flush_all);
	s->kind->each(s, output_settle);
}
