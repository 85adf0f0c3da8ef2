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

#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stapio/sinks/bulk.h"
#include "common/say.h"
#include "stapio/records/records.h"
#include "stapio/records/render.h"
#include "stapio/records/trace.h"

static void notify(struct reader *r)
{
	eventfd_write(r->event, 1);
}

/* Relays until the trace ends.  Returns 0, or -1 with *WHY set. */
static int relay(struct reader *r, const char **why)
{
	int more, old_error;

	do {
		old_error = r->out.error;
		more = trace_relay(r->trace, r->records, why);
		if (r->bulk)
			bulk_flush(r->bulk);
		else
			output_flush(&r->out);
		if (r->out.error && !old_error)
			notify(r);
	} while (more > 0);
	output_flush_all(&r->out);
	output_settle(&r->out);
	if (r->bulk)
		bulk_settle(r->bulk);
	return more;
}

static void *reader_thread(void *arg)
{
	struct reader *r = arg;
	const char *why;

	/* Linux sets it for this thread alone, so the command of -c doesn't inherit it. */
	setpriority(PRIO_PROCESS, 0, -20);
	if (relay(r, &why)) {
		say_error("can't read the module's output: %s", why);
		r->damaged = true;
	}
	__atomic_store_n(&r->ended, true, __ATOMIC_RELEASE);
	notify(r);
	return NULL;
}

/* Connects the records to what formats them: text, JSON or bulk mode.  Returns NULL if that fails. */
static struct records *output_new(struct reader *r, int fd, bool json)
{
	if (fd < 0) {
		r->bulk = bulk_new(&r->out.files, r->render, &r->out);
		return r->bulk ? records_new(bulk_items, r->bulk) : NULL;
	}
	if (!json)
		return records_new(render_items, r->render);
	r->json = (struct json){ .render = r->render, .text = &r->text, .out = &r->out };
	render_for_json(r->render, &r->json);
	return records_new(json_items, &r->json);
}

int reader_start(struct reader *r, int trace, struct usymbols *usymbols,
		 const char *formats, size_t bytes, int fd, const struct output_files *files,
		 bool json)
{
	*r = (struct reader){ .trace = trace_new(trace) };
	r->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->event >= 0 && !output_init(&r->out, fd) && !output_init(&r->text, -1)) {
		r->out.files = *files;
		r->usymbols = usymbols;
		r->render = render_new(formats, bytes, json ? &r->text : &r->out, r->usymbols,
				       &r->jobs);
		r->records = r->render ? output_new(r, fd, json) : NULL;
	}
	if (!r->trace || !r->render || !r->records ||
	    pthread_create(&r->thread, NULL, reader_thread, r)) {
		say_error("can't start reading the module's output: no memory or threads left");
		return -1;
	}
	return 0;
}

void reader_join(struct reader *r)
{
	pthread_join(r->thread, NULL);
	trace_free(r->trace);
	records_free(r->records);
	bulk_free(r->bulk);
	render_free(r->render);
	free(r->text.buf);
	free(r->out.buf);
	close(r->event);
}
