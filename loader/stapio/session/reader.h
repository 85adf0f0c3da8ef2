/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader thread: reads the module's trace, and orders, formats and writes its records.  Or it runs an
 * intermediate program (interpret.h), and formats and writes what that prints. */
#ifndef STAP_READER_H
#define STAP_READER_H

#include <pthread.h>
#include <stdbool.h>

#include "stapio/records/jobs.h"

struct records;
struct records_origin;
struct render;
struct sink;
struct trace;
struct usymbols;

/* The thread, and what it uses.  Only the thread may use it before 'ended' is set, except for 'event'. */
struct reader {
	int (*source)(void *arg, struct reader *r, const char **why);	/* what the thread does */
	void *arg;
	struct trace *trace;
	struct sink *sink;
	struct records *records;
	struct render *render;
	struct usymbols *usymbols;
	struct jobs jobs;		/* commands of system() that still run */
	pthread_t thread;
	int event;			/* eventfd: the thread has ended, or can't write any more */
	int told_error;			/* the error of the output that 'event' has told of */
	bool ended;			/* the thread has ended; to be read atomically */
	bool damaged;			/* the trace was malformed; a message was printed */
};

/*
 * Makes what formats and writes the output.  Returns 0, or -1 after a message.
 *
 * FORMATS is the contents of the module's .formats, and must stay.  The thread owns USYMBOLS and SINK until
 * it has ended; the caller frees them.
 */
int reader_open(struct reader *r, struct usymbols *usymbols, const char *formats, size_t bytes,
		struct sink *sink);

/*
 * Start the thread: on the module's .trace; or on any other SOURCE, which is called with ARG and hands on
 * all there is (reader_take()), and returns 0 at its end, or -1 with *WHY set.  0, or -1 after a message.
 */
int reader_start_trace(struct reader *r, int trace);
int reader_start(struct reader *r, int (*source)(void *arg, struct reader *r, const char **why), void *arg);

/* For the source, in the thread: formats a piece of output (records.h); writes what was formatted. */
void reader_take(struct reader *r, const struct records_origin *from, const void *body, size_t bytes);
void reader_flush(struct reader *r);

/* Waits for the thread and frees its memory. */
void reader_join(struct reader *r);

#endif
