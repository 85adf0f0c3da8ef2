/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings: each CPU writes its records (abi/transport.h) into a ring of its own.
 * print.c writes; session/trace.c reads.
 */
#ifndef STAP_RING_H
#define STAP_RING_H

#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "abi/transport.h"

/* Positions count bytes since the start and are taken modulo size, a power of two. */
struct st_ring {
	/* the writer's */
	char *data;			/* size bytes, mapped twice in a row; NULL: none yet */
	unsigned long size;
	unsigned long reserved;		/* position */
	int nest;			/* commits under way, nested in each other */
	unsigned long lost;		/* records that found no room */
	unsigned long overwritten;	/* outputs dropped while there was no reader */
	/* from the writer for the reader */
	unsigned long published ____cacheline_aligned;	/* position: records before it are whole */
	/* the reader's */
	unsigned long taken ____cacheline_aligned;	/* position: room before it is free */
	unsigned long upto;		/* the end of what the last batch contained */
	struct page **pages;		/* of data */
};

/*
 * Not a variable of each CPU's (DEFINE_PER_CPU): all modules of a kernel share 8 KB for those,
 * and a dozen scripts would use it up.
 */
extern struct st_ring __percpu *st_rings;

/* Megabytes per CPU, set before the start; 0: the default. */
extern unsigned long st_buffer_mb;

/* The size of each ring in bytes; 0: not allocated. */
extern unsigned long st_ring_bytes;

/* The reader sleeps and wants the next commit to call st_wake(). */
extern int st_waiting;

/* There is no reader, so the oldest records make room for new ones. */
extern bool st_overwrite;

/*
 * Make and free the rings' structs, before and after everything else. create() returns 0 or
 * -ENOMEM.
 */
int st_rings_create(void);
void st_rings_destroy(void);

/*
 * Allocates a ring for each present CPU, since one that is offline may come online and write
 * at any time: 0, or -ENOMEM with st_message set and nothing allocated.  add() allocates them
 * for CPUs that have been added to the machine since.  All may sleep.
 * The memory lock is held while rings are allocated, mapped or freed; it is innermost.
 */
int st_rings_alloc(void);
void st_rings_add(void);
void st_rings_free(void);
void st_rings_lock(void);
void st_rings_unlock(void);

/* Records lost and outputs overwritten so far, on all CPUs. */
unsigned long st_lost(void);
unsigned long st_overwritten(void);

static __always_inline const struct st_rec *st_ring_record(const struct st_ring *r,
							   unsigned long at)
{
	return (const struct st_rec *)(r->data + (at & (r->size - 1)));
}

static __always_inline unsigned long st_record_size(const struct st_rec *rec)
{
	return sizeof(*rec) + ALIGN((unsigned long)READ_ONCE(rec->bytes), 8);
}

#endif
