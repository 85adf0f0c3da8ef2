// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commits a handler's output (emit.c) to the CPU's ring.  Once a piece finds no room the rest of
 * the output is dropped, and the record counts as lost.
 *
 * Only a CPU itself writes its ring, with preemption disabled; an interrupt or
 * NMI may nest a commit in the middle of another.  So room is reserved with a
 * compare-and-exchange that needs no bus lock, and reserved records become
 * visible ("published") when the outermost commit on the CPU ends: by then all
 * of them are written.  The time is taken between reading the reservation and
 * changing it; if another commit nested in between, both are done again.  So
 * times never decrease along a ring.
 *
 * The reader maps a ring's pages too: a record is written once and never copied.
 *
 * A commit begins by raising 'nest', a full barrier, and only then takes its time
 * and looks whether the reader waits.  session/trace.c, which explains how the
 * reader uses that order, relies on it.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "core/state.h"
#include "core/supply.h"
#include "container.h"
#include "context.h"
#include "print.h"
#include "ring.h"

/* Kept free for the empty records that end truncated outputs, one per level. */
#define ST_SPARE (4 * sizeof(struct st_rec))

bool st_origins;

/* ---- the ring --------------------------------------------------------------- */

static __always_inline void ring_enter(struct st_ring *r)
{
	WRITE_ONCE(r->nest, r->nest + 1);
	smp_mb();
}

/* Publishes what is reserved, unless this commit is nested in another, which will. */
static __always_inline void ring_leave(struct st_ring *r)
{
	unsigned long reserved;

	if (unlikely(r->nest > 1)) {
		WRITE_ONCE(r->nest, r->nest - 1);
		return;
	}
	for (;;) {
		reserved = READ_ONCE(r->reserved);
		smp_store_release(&r->published, reserved);
		smp_store_release(&r->nest, 0);
		barrier();
		if (likely(READ_ONCE(r->reserved) == reserved))
			return;
		/* An interrupt's commit relied on us to publish, after we had. */
		WRITE_ONCE(r->nest, 1);
	}
}

/*
 * Drops the oldest record if the trace has no reader.  Returns false if none can be dropped,
 * because all are being written.  If an interrupt did the same, and may have overwritten the record
 * we looked at, the exchange fails.  Whatever size was read there, 'taken' never passes
 * 'published', so the caller's loop ends.
 */
static noinline bool ring_forget(struct st_ring *r)
{
	unsigned long old = READ_ONCE(r->taken), left = READ_ONCE(r->published) - old;
	const struct st_rec *rec;
	bool ends;

	/* A CPU without a ring has published nothing. */
	if (!READ_ONCE(st_overwrite) || !left)
		return false;
	rec = st_ring_record(r, old);
	ends = !(READ_ONCE(rec->flags) & ST_REC_MORE);
	left = min(left, st_record_size(rec));
	if (cmpxchg_local(&r->taken, old, old + left) == old && ends)
		this_cpu_inc(st_rings->overwritten);
	return true;
}

/* Reserves room for a record at *rec and takes its time; leaves SPARE bytes free. */
static __always_inline bool ring_reserve(struct st_ring *r, unsigned long bytes,
					 unsigned long spare, struct st_rec **rec, u64 *time)
{
	unsigned long at, used;

	if (unlikely(bytes + spare > READ_ONCE(r->size)))
		return false;		/* or all that is kept would be dropped for it */
	do {
		at = READ_ONCE(r->reserved);
		used = at - smp_load_acquire(&r->taken);
		while (unlikely(used + bytes + spare > r->size)) {
			if (!ring_forget(r))
				return false;
			used = at - READ_ONCE(r->taken);
		}
		*time = ktime_get_mono_fast_ns();
	} while (unlikely(cmpxchg_local(&r->reserved, at, at + bytes) != at));
	*rec = (struct st_rec *)(r->data + (at & (r->size - 1)));
	return true;
}

/* Copies a body by a loop, which is faster than memcpy() for a few words, and most have few. */
static __always_inline void copy_body(u64 *to, const u64 *from, unsigned int bytes)
{
	unsigned int i;

	if (unlikely(bytes > 256)) {
		memcpy(to, from, bytes);
		return;
	}
#pragma GCC unroll 2
	for (i = 0; i < DIV_ROUND_UP(bytes, 8); i++)
		to[i] = from[i];
}

/*
 * Appends a record of BYTES at BODY (padded to whole words) to this CPU's ring, and leaves SPARE
 * bytes free.  Preemption is disabled; any context, NMI included.  Returns false if there is no
 * room.  MORE: another piece of this output follows (ST_REC_MORE).
 */
static __always_inline bool commit(unsigned int level, bool more, const u64 *body,
				   unsigned int bytes, unsigned long spare)
{
	struct st_ring *r = this_cpu_ptr(st_rings);
	unsigned long whole = sizeof(struct st_rec) + ALIGN(bytes, 8);
	struct st_rec *rec;
	bool done;
	u64 time;

	ring_enter(r);
	done = ring_reserve(r, whole, spare, &rec, &time);
	if (likely(done)) {
		*rec = (struct st_rec){ bytes, level, more ? ST_REC_MORE : 0, time };
		copy_body((u64 *)(rec + 1), body, bytes);
	}
	ring_leave(r);
	if (unlikely(READ_ONCE(st_waiting))) {
		WRITE_ONCE(st_waiting, 0);
		st_wake();
	}
	return done;
}

/* ---- a handler's output ------------------------------------------------------ */

/* Writes the item ST_FMT_ORIGIN right before the output; returns its length, in whole words. */
static noinline unsigned int origin_put(const struct st_context *x)
{
	const char *point = x->c.point->pp;
	size_t n = strnlen(point, ST_ORIGIN_POINT);
	unsigned int whole = ALIGN(6 + sizeof(struct st_origin) + n, 8);
	struct st_origin origin = { .pid = current->tgid, .tid = current->pid };
	char *p = x->c.output - whole;
	u16 format = ST_FMT_ORIGIN;
	u32 len = whole - 6;

	memcpy(origin.comm, current->comm, sizeof(origin.comm));
	st_container_of_current(origin.container);
	memset(x->c.output - 8, 0, 8);		/* the padding of the last word */
	memcpy(p, &format, 2);
	memcpy(p + 2, &len, 4);
	memcpy(p + 6, &origin, sizeof(origin));
	memcpy(p + 6 + sizeof(origin), point, n);
	return whole;
}

/* Counts an output that is lost, or the rest of one, which an empty record ends. */
static noinline void lose(struct st_context *x)
{
	this_cpu_inc(st_rings->lost);
	x->cut = true;
	if (x->begun)
		commit(x->level, false, NULL, 0, 0);
}

void st_flush(struct st_ctx *c, bool more)
{
	struct st_context *x = st_context_of(c);
	unsigned int origin = st_origins ? origin_put(x) : 0;
	unsigned int bytes = c->out - c->output + origin;
	u64 *body = (u64 *)(c->output - origin);

	c->out = c->output;
	if (!x->cut && !commit(x->level, more, body, bytes, ST_SPARE))
		lose(x);
	x->begun = more;
	if (!more)
		x->cut = false;
}

void st_tell(unsigned short format, const char *fmt, ...)
{
	u64 words[64];
	char *item = (char *)words;
	va_list args;
	u32 len;

	va_start(args, fmt);
	len = vscnprintf(item + 6, sizeof(words) - 6, fmt, args);
	va_end(args);
	memcpy(item, &format, 2);
	memcpy(item + 2, &len, 4);
	preempt_disable();
	if (!commit(ST_TASK, false, words, 6 + len, ST_SPARE))
		this_cpu_inc(st_rings->lost);
	preempt_enable();
}

atomic_long_t *st_speculations(void)
{
	static atomic_long_t last;

	return &last;
}
