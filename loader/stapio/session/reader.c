// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader thread.
 *
 * It must keep up with the handlers on all CPUs, so it runs with nice value -20, if it may.
 * The module gathers records for a few milliseconds before a read returns, so writing the
 * output once a batch costs few system calls and delays it little.
 */
#define _GNU_SOURCE
#include "reader.h"

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/say.h"
#include "stapio/names/usymbols.h"
#include "stapio/records/records.h"
#include "stapio/records/render.h"
#include "stapio/records/trace.h"
#include "stapio/sinks/sinks.h"

static void notify(struct reader *r)
{
	eventfd_write(r->event, 1);
}

void reader_take(struct reader *r, const struct records_origin *from, const void *body, size_t bytes)
{
	if (render_items(r->render, from, body, bytes))
		r->damaged = true;
}

void reader_flush(struct reader *r)
{
	int old_error = r->told_error;

	sink_flush(r->sink);
	r->told_error = r->sink->text->error;
	if (r->told_error && !old_error)
		notify(r);
}

/* Relays until the trace ends. */
static int relay_trace(void *trace, struct reader *r, const char **why)
{
	int more;

	do {
		more = trace_relay(trace, r->records, why);
		reader_flush(r);
	} while (more > 0);
	return more;
}

static void *reader_thread(void *arg)
{
	struct reader *r = arg;
	const char *why;

	/* Linux sets it for this thread alone, so the command of -c doesn't inherit it. */
	setpriority(PRIO_PROCESS, 0, -20);
	if (r->source(r->arg, r, &why)) {
		say_error("can't read the module's output: %s", why);
		r->damaged = true;
	}
	sink_finish(r->sink);
	__atomic_store_n(&r->ended, true, __ATOMIC_RELEASE);
	notify(r);
	return NULL;
}

static int no_room(void)
{
	say_error("can't start reading the module's output: no memory or threads left");
	return -1;
}

int reader_open(struct reader *r, struct usymbols *usymbols, const char *formats, size_t bytes,
		struct sink *sink)
{
	*r = (struct reader){ .event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .sink = sink,
			      .usymbols = usymbols };
	r->render = render_new(formats, bytes, sink, usymbols, &r->jobs);
	return r->event >= 0 && r->render ? 0 : no_room();
}

int reader_start(struct reader *r, int (*source)(void *arg, struct reader *r, const char **why), void *arg)
{
	r->source = source;
	r->arg = arg;
	return pthread_create(&r->thread, NULL, reader_thread, r) ? no_room() : 0;
}

int reader_start_trace(struct reader *r, int trace)
{
	r->trace = trace_new(trace);
	r->records = records_new(render_items, r->render);
	if (!r->trace || !r->records)
		return no_room();
	usymbols_meanwhile(r->usymbols, trace_keep, r->trace);
	return reader_start(r, relay_trace, r->trace);
}

void reader_join(struct reader *r)
{
	pthread_join(r->thread, NULL);
	trace_free(r->trace);
	records_free(r->records);
	render_free(r->render);
	close(r->event);
}
