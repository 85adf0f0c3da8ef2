// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader thread.
 *
 * It must keep up with handlers on all CPUs, so it runs at the highest ordinary
 * priority, where it is allowed to, and its buffer holds all that the module's
 * usually do: what was read is room for the handlers again, however long
 * formatting takes.  The module gathers records for a few milliseconds before a
 * read returns, so one write a batch is both seldom and soon enough.
 */
#define _GNU_SOURCE
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "records.h"
#include "render.h"
#include "say.h"

/* Touched only as far as batches reach. */
#define BATCH_SIZE (64u << 20)

static void notify(struct reader *r)
{
	eventfd_write(r->event, 1);
}

/* Relays until the trace ends.  0, or -1 with *why. */
static int relay(struct reader *r, char *batch, const char **why)
{
	for (;;) {
		ssize_t n = read(r->trace, batch, BATCH_SIZE);
		int old_error = r->out.error;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			*why = strerror(errno);
			return -1;
		}
		if (n ? records_take(r->records, batch, n, why) : records_end(r->records, why))
			return -1;
		output_flush(&r->out);
		if (r->out.error && !old_error)
			notify(r);
		if (!n)
			return 0;
	}
}

static void *reader_thread(void *arg)
{
	struct reader *r = arg;
	char *batch = mmap(NULL, BATCH_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	const char *why = "no memory";

	/* Of this thread alone: the command of -c doesn't inherit it. */
	setpriority(PRIO_PROCESS, 0, -20);
	if (batch == MAP_FAILED || relay(r, batch, &why)) {
		say_error("can't read the module's output: %s", why);
		r->damaged = true;
	}
	output_flush(&r->out);
	if (batch != MAP_FAILED)
		munmap(batch, BATCH_SIZE);
	__atomic_store_n(&r->ended, true, __ATOMIC_RELEASE);
	notify(r);
	return NULL;
}

int reader_start(struct reader *r, int trace, const char *formats, size_t bytes, int fd,
		 const struct output_files *files)
{
	*r = (struct reader){ .trace = trace };
	r->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->event >= 0 && !output_init(&r->out, fd)) {
		r->out.files = *files;
		r->render = render_new(formats, bytes, &r->out);
		r->records = records_new(render_items, r->render);
	}
	if (!r->render || !r->records ||
	    pthread_create(&r->thread, NULL, reader_thread, r)) {
		say_error("can't start reading the module's output: no memory or threads left");
		return -1;
	}
	return 0;
}

void reader_join(struct reader *r)
{
	pthread_join(r->thread, NULL);
	records_free(r->records);
	render_free(r->render);
	free(r->out.buf);
	close(r->event);
}
