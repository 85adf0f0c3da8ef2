/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders the outputs in all CPUs' records (runtime/abi/transport.h) by time.
 *
 * Times don't decrease along a CPU's records.  An output's time is its last record's; the
 * earlier pieces of the same output, on the same CPU and level, are held until that.  So the
 * order is that of a merge of the CPUs, earliest record first, up to the batch's bound,
 * below which no further record can come.
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
	uint64_t time;			/* ns, monotonic; of the last piece, if they are held */
};

/* Called for each piece of each output, in order; a piece's body consists of whole items.  Returns
 * 0, or -1 if the body is malformed. */
typedef int (*records_emit)(void *arg, const struct records_origin *from,
			    const unsigned char *body, size_t bytes);

/* A CPU's records that were not taken yet. */
struct records_chunk {
	uint32_t cpu;
	const unsigned char *p;
	size_t bytes;
};

/* NULL if there is no memory. */
struct records *records_new(records_emit emit, void *arg);
void records_free(struct records *r);

/*
 * Emits the records below bound, and moves the chunks' beginnings past them.  Each chunk
 * belongs to another CPU.  Returns 0 if all are emitted; 1 if there are more, but the room of
 * those emitted is worth giving back first; -1 with *why saying what is wrong with the data:
 * then only records_free() may follow.
 */
int records_take(struct records *r, struct records_chunk *chunks, size_t n, uint64_t bound,
		 const char **why);

/* At the end of the trace: emits outputs whose last record never came. */
int records_end(struct records *r, const char **why);

#endif
