/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that reads the module's trace, orders, formats and writes it. */
#ifndef STAP_READER_H
#define STAP_READER_H

#include <pthread.h>
#include <stdbool.h>

#include "output.h"

struct records;
struct render;
struct trace;

struct reader {
	struct trace *trace;
	struct output out;
	struct records *records;
	struct render *render;
	pthread_t thread;
	int event;			/* eventfd: the thread ended, or can't write any more */
	/* Valid when the thread has ended: */
	bool ended;
	bool damaged;			/* after a message */
};

/* formats: the module's (kept a pointer to); output goes to fd, and to what follows
 * it of files.  0, or -1 after a message. */
int reader_start(struct reader *r, int trace, const char *formats, size_t bytes, int fd,
		 const struct output_files *files);

/* Waits for the thread and frees what it had. */
void reader_join(struct reader *r);

#endif
