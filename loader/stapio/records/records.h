/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the CPUs' records (runtime/abi/transport.h) into one stream, in order of time.
 *
 * Times don't decrease along a CPU's records, so the record to take next is the earliest of the CPUs'
 * next ones, as long as it lies below the batch's bound: no record below the bound can still come.  An
 * output of several records has its last record's time; its earlier pieces, from the same CPU and
 * level, are held until that one comes.
 *
 *	CPU 0:  10 "a"  40 "c"		bound 50:  emits a b c; d stays in its ring
 *	CPU 1:  20 "b"  60 "d"
 */
#ifndef STAP_RECORDS_H
#define STAP_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct records;

/* Where and when a piece of output was written. */
struct records_origin {
	uint32_t cpu;
	uint64_t time;			/* ns, CLOCK_MONOTONIC; all held pieces have the last one's */
};

/* Takes a piece of an output; called for all pieces in order.  The body consists of whole items.
 * Returns 0, or -1 if the body is malformed. */
typedef int (*records_emit)(void *arg, const struct records_origin *from,
			    const unsigned char *body, size_t bytes);

/* The records of a CPU that were not taken yet. */
struct records_chunk {
	uint32_t cpu;
	const unsigned char *p;
	size_t bytes;
};

/* Returns NULL if there is no memory.  EMIT is called with ARG. */
struct records *records_new(records_emit emit, void *arg);
void records_free(struct records *r);

/*
 * Emits the records of N chunks that lie below BOUND, and moves the chunks' beginnings past them.
 * Each chunk belongs to another CPU.  Returns 0 if all are emitted; 1 if there are more, but the
 * caller should first give the room of the emitted ones back to the rings; -1, with *WHY set, if a
 * record is malformed: then only records_free() may follow.
 */
int records_take(struct records *r, struct records_chunk *chunks, size_t n, uint64_t bound,
		 const char **why);

/* At the end of the trace: emits outputs whose last record never came. */
int records_end(struct records *r, const char **why);

#endif
