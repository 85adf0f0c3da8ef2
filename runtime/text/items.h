/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading recorded items (abi/transport.h) back.  Like format.h it needs no other header.
 *
 *	struct st_items left = { body, bytes };
 *
 *	while (left.bytes)
 *		if (!st_take(&left, &format, sizeof(format)) || …)
 *			the record is damaged
 *
 * A histogram's items are gathered:
 *
 *	if (st_take_hist(&left, &h)) {			ST_FMT_HIST; what is left names it
 *		h.bucket = zeroed memory for st_hist_buckets(&h.decl) numbers;
 *		while (the next item's string is not empty)
 *			st_take_bucket(string, &h);	ST_FMT_BUCKET
 *		st_histogram_draw(&h, put, arg);
 *	}
 */
#ifndef STAP_ITEMS_H
#define STAP_ITEMS_H

#include "abi/bounds.h"
#include "abi/stap_script.h"
#include "abi/transport.h"
#include "histogram.h"

/* The rest of a piece of output. */
struct st_items {
	const char *p;
	unsigned long bytes;
};

/* Takes N bytes off, or returns 0 if there are fewer. */
static inline int st_take(struct st_items *left, void *to, unsigned long n)
{
	if (left->bytes < n)
		return 0;
	__builtin_memcpy(to, left->p, n);
	left->p += n;
	left->bytes -= n;
	return 1;
}

/* Takes a string off, which stays where it is. */
static inline int st_take_str(struct st_items *left, struct st_str *s)
{
	if (!st_take(left, &s->len, sizeof(s->len)) || s->len > left->bytes)
		return 0;
	s->p = left->p;
	left->p += s->len;
	left->bytes -= s->len;
	return 1;
}

/* Takes the struct st_hist_head off an item and sets all of H but 'bucket'.  Returns 0 if it makes no
 * sense. */
static inline int st_take_hist(struct st_items *left, struct st_histogram *h)
{
	struct st_hist_head head;
	struct st_stat_decl *d = &h->decl;

	if (!st_take(left, &head, sizeof(head)))
		return 0;
	*d = (struct st_stat_decl){ .hist = head.hist, .lo = head.lo, .hi = head.hi, .step = head.step };
	h->width = (int)head.width;
	h->elision = (int)head.elision;
	h->bucket = 0;
	if (h->width < 1 || h->width > ST_HIST_WIDTH_MOST)
		return 0;
	if (head.hist == ST_HIST_LINEAR)
		return d->step > 0 && d->hi > d->lo &&
		       (head.hi - head.lo) / head.step < ST_BUCKETS_MOST;
	return head.hist == ST_HIST_LOG;
}

/* Adds an item's bucket to H.  Returns 0 if it makes no sense. */
static inline int st_take_bucket(struct st_str item, struct st_histogram *h)
{
	struct st_bucket b;

	if (item.len != sizeof(b))
		return 0;
	__builtin_memcpy(&b, item.p, sizeof(b));
	if (b.number >= st_hist_buckets(&h->decl) || (st_long)b.count < 1)
		return 0;
	h->bucket[b.number] = b.count;
	return 1;
}

#endif
