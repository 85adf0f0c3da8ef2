/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the CPUs' records (runtime/abi/transport.h) to outputs in the order of their
 * times.
 *
 * Times don't decrease along a CPU's records.  An output's place is its last
 * record's; what came before it on the same CPU and level, pieces of the same
 * output, waits for that.  So ordering is a merge of the CPUs, the earliest record
 * first, up to the batch's bound, below which nothing can come any more.
 */
#ifndef STAP_RECORDS_H
#define STAP_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct records;

/* Called for each piece of each output, in order; a piece's body has whole items.
 * 0, or -1: the body makes no sense. */
typedef int (*records_emit)(void *arg, const unsigned char *body, size_t bytes);

/* Records of a CPU that are yet to be taken. */
struct records_chunk {
	uint32_t cpu;
	const unsigned char *p;
	size_t bytes;
};

/* NULL without memory. */
struct records *records_new(records_emit emit, void *arg);
void records_free(struct records *r);

/*
 * Emits what is below bound, and moves the chunks' beginnings past it.  1: not yet
 * all of it, but so much that the room it had is worth giving back first; 0: all; -1
 * with *why set to what is wrong with the data: nothing but records_free() may follow.
 * Chunks are of different CPUs.
 */
int records_take(struct records *r, struct records_chunk *chunks, size_t n, uint64_t bound,
		 const char **why);

/* The trace ended: emits also outputs that have no end. */
int records_end(struct records *r, const char **why);

#endif
