/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader thread: reads the module's trace, and orders, formats and writes its records. */
#ifndef STAP_READER_H
#define STAP_READER_H

#include <pthread.h>
#include <stdbool.h>

#include "stapio/records/jobs.h"
#include "stapio/sinks/json.h"
#include "stapio/sinks/output.h"

struct bulk;
struct records;
struct render;
struct trace;
struct usymbols;

/* The thread, and what it uses.  Only the thread may use it before 'ended' is set, except for 'event'. */
struct reader {
	struct trace *trace;
	struct output out;		/* where all goes; with bulk, what one handler printed */
	struct bulk *bulk;		/* -b: the CPUs' files; else NULL */
	struct output text;		/* --json: what one handler printed */
	struct json json;
	struct records *records;
	struct render *render;
	struct usymbols *usymbols;
	struct jobs jobs;		/* commands of system() that still run */
	pthread_t thread;
	int event;			/* eventfd: the thread has ended, or can't write any more */
	bool ended;			/* the thread has ended; to be read atomically */
	bool damaged;			/* the trace was malformed; a message was printed */
};

/*
 * Starts the thread.  Returns 0, or -1 after a message.
 *
 * TRACE is the module's .trace; FORMATS is the contents of its .formats, and must stay.  The thread owns
 * USYMBOLS until it has ended.  Output goes to FD, and continues in further FILES; if FD is -1, it goes to
 * one file for each CPU, whose names begin with FILES' base.  With JSON, each output becomes an object;
 * JSON can't be combined with an FD of -1.
 */
int reader_start(struct reader *r, int trace, struct usymbols *usymbols,
		 const char *formats, size_t bytes, int fd, const struct output_files *files,
		 bool json);

/* Waits for the thread and frees its memory. */
void reader_join(struct reader *r);

#endif
