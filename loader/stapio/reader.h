/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that reads the module's trace, and orders, formats and writes its records. */
#ifndef STAP_READER_H
#define STAP_READER_H

#include <pthread.h>
#include <stdbool.h>

#include "jobs.h"
#include "json.h"
#include "output.h"

struct bulk;
struct records;
struct render;
struct trace;
struct usymbols;

struct reader {
	struct trace *trace;
	struct output out;		/* with bulk: one output of a handler */
	struct bulk *bulk;		/* -b: the processors' files; NULL: all goes to out */
	struct output text;		/* --json: one output of a handler */
	struct json json;
	struct records *records;
	struct render *render;
	struct usymbols *usymbols;
	struct jobs jobs;		/* the caller's when the thread has ended */
	pthread_t thread;
	int event;			/* eventfd: the thread has ended, or can't write any more */
	/* valid when the thread has ended */
	bool ended;
	bool damaged;			/* the trace made no sense; a message was printed */
};

/* Starts the thread: 0, or -1 after a message.  USYMBOLS are the thread's until it has ended.
 * FORMATS is the contents of the module's .formats and must stay.  Output goes to fd, then to further FILES; if fd is -1, to the processors' files,
 * whose names begin with FILES' base.  JSON: each output becomes an object; not if fd is -1. */
int reader_start(struct reader *r, int trace, struct usymbols *usymbols,
		 const char *formats, size_t bytes, int fd, const struct output_files *files,
		 bool json);

/* Waits for the thread and frees its memory. */
void reader_join(struct reader *r);

#endif
