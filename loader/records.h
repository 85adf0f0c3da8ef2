/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From batches of per-CPU records (runtime/transport.h) to outputs in the
 * order of their times.
 *
 * The pieces of one CPU and level are a stream: in it, outputs come one after
 * the other and times don't decrease.  So ordering is a merge of streams, the
 * earliest first, up to the batch's bound, below which nothing can come any more.
 */
#ifndef STAP_RECORDS_H
#define STAP_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct records;

/* Called for each piece of each output, in order; a piece's body has whole items.
 * 0, or -1: the body makes no sense. */
typedef int (*records_emit)(void *arg, const unsigned char *body, size_t bytes);

/* NULL without memory. */
struct records *records_new(records_emit emit, void *arg);
void records_free(struct records *r);

/*
 * Takes what one read of trace gave: whole batches.  Emits what lies below their
 * bounds and keeps a copy of the rest.  0, or -1 with *why set to what is wrong
 * with the data: nothing but records_free() may follow.
 */
int records_take(struct records *r, const void *p, size_t n, const char **why);

/* The trace ended: emits all that is left, also outputs that have no end. */
int records_end(struct records *r, const char **why);

#endif
