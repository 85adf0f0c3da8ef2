// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writing side of the rings, and their memory.
 *
 * Only a CPU itself writes its ring, with preemption disabled; an interrupt or
 * NMI may nest a commit in the middle of another.  So room is reserved with a
 * compare-and-exchange that needs no bus lock, and reserved records become
 * visible ("published") when the outermost commit on the CPU ends: by then all
 * of them are written.  The time is taken between reading the reservation and
 * changing it; if another commit nested in between, both are done again.  So
 * times never decrease along a ring.
 *
 * The pages of a ring are mapped twice in a row, so no record is ever split.  The
 * reader maps them too: a record is written once and never copied.
 *
 * A commit begins by raising 'nest', a full barrier, and only then takes its time
 * and looks whether the reader waits.  session/trace.c, which explains how the
 * reader uses that order, relies on it.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "port/port.h"
#include "core/report.h"
#include "core/state.h"
#include "core/supply.h"
#include "ring.h"

/* By default, all rings together take 1/16 of memory, each 16 MB at most. */
#define ST_RING_MAX_MB 16
#define ST_MEMORY_FRACTION 16

/* Kept free for the empty records that end truncated outputs, one per level. */
#define ST_SPARE (4 * sizeof(struct st_rec))

struct st_ring __percpu *st_rings __read_mostly;

unsigned long st_buffer_mb;
unsigned long st_ring_bytes;
int st_waiting;
bool st_overwrite;
static DEFINE_MUTEX(st_ring_memory);

/* ---- writing -------------------------------------------------------------- */

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
#pragma GCC unroll 4
	for (i = 0; i < DIV_ROUND_UP(bytes, 8); i++)
		to[i] = from[i];
}

int st_commit(unsigned int level, bool more, bool begun, const u64 *body, unsigned int bytes)
{
	struct st_ring *r = this_cpu_ptr(st_rings);
	unsigned long whole = sizeof(struct st_rec) + ALIGN(bytes, 8);
	struct st_rec *rec;
	bool done, waiting;
	u64 time;

	ring_enter(r);
	waiting = READ_ONCE(st_waiting);
	done = ring_reserve(r, whole, ST_SPARE, &rec, &time);
	if (likely(done)) {
		*rec = (struct st_rec){ bytes, level, more ? ST_REC_MORE : 0, time };
		copy_body((u64 *)(rec + 1), body, bytes);
	} else {
		this_cpu_inc(st_rings->lost);
		if (begun && ring_reserve(r, sizeof(*rec), 0, &rec, &time))
			*rec = (struct st_rec){ 0, level, 0, time };
	}
	ring_leave(r);
	if (unlikely(waiting)) {
		WRITE_ONCE(st_waiting, 0);
		st_wake();
	}
	return done ? 0 : -1;
}

unsigned long st_lost(void)
{
	unsigned long lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu_ptr(st_rings, cpu)->lost);
	return lost;
}

unsigned long st_overwritten(void)
{
	unsigned long overwritten = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		overwritten += READ_ONCE(per_cpu_ptr(st_rings, cpu)->overwritten);
	return overwritten;
}

/* ---- memory ---------------------------------------------------------------- */

int st_rings_create(void)
{
	st_rings = alloc_percpu(struct st_ring);
	return st_rings ? 0 : -ENOMEM;
}

void st_rings_destroy(void)
{
	free_percpu(st_rings);
}

static void ring_free(struct st_ring *r)
{
	unsigned long i, n = r->size >> PAGE_SHIFT;

	if (r->data)
		vunmap(r->data);
	for (i = 0; r->pages && i < n && r->pages[i]; i++)
		__free_page(r->pages[i]);
	kvfree(r->pages);
	memset(r, 0, sizeof(*r));
}

/*
 * Allocates a CPU's ring.  The CPU may be writing already, and finds no room until the size is
 * stored, last.
 */
static int ring_alloc(int cpu)
{
	struct st_ring *r = per_cpu_ptr(st_rings, cpu);
	unsigned long i, n = st_ring_bytes >> PAGE_SHIFT;
	/* While a CPU is offline, its node may be too. */
	int node = cpu_online(cpu) ? cpu_to_node(cpu) : NUMA_NO_NODE;
	struct page **pages;
	char *data = NULL;

	pages = kvcalloc(2 * n, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		pages[i] = alloc_pages_node(node,
					    GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
					    __GFP_NORETRY, 0);
		if (!pages[i])
			break;
		pages[n + i] = pages[i];
	}
	if (i == n)
		data = vmap(pages, 2 * n, VM_MAP, PAGE_KERNEL);
	if (!data) {
		while (i--)
			__free_page(pages[i]);
		kvfree(pages);
		return -ENOMEM;
	}
	r->pages = pages;
	r->data = data;
	smp_store_release(&r->size, st_ring_bytes);
	return 0;
}

/* Is there room for the rings of N more CPUs? */
static bool rings_fit(unsigned int n)
{
	return (u64)n * st_ring_bytes <= st_data_room();
}

static unsigned long default_mb(void)
{
	unsigned long mb = (totalram_pages() >> (20 - PAGE_SHIFT)) / ST_MEMORY_FRACTION /
			   num_present_cpus();

	return clamp(mb, 1ul, (unsigned long)ST_RING_MAX_MB);
}

int st_rings_alloc(void)
{
	unsigned long mb = st_buffer_mb ?: default_mb();
	int cpu, err;

	mutex_lock(&st_ring_memory);
	st_ring_bytes = rounddown_pow_of_two(mb) << 20;
	err = rings_fit(num_present_cpus()) ? 0 : -ENOMEM;
	for_each_present_cpu(cpu)
		if (!err)
			err = ring_alloc(cpu);
	mutex_unlock(&st_ring_memory);
	if (!err)
		return 0;
	st_rings_free();
	return st_fail(err, "no memory for %lu MB of output buffers a CPU "
		       "(make them smaller with -s)", mb);
}

void st_rings_free(void)
{
	int cpu;

	mutex_lock(&st_ring_memory);
	for_each_possible_cpu(cpu)
		ring_free(per_cpu_ptr(st_rings, cpu));
	st_ring_bytes = 0;
	mutex_unlock(&st_ring_memory);
}

void st_rings_add(void)
{
	int cpu;

	mutex_lock(&st_ring_memory);
	for_each_present_cpu(cpu)
		if (st_ring_bytes && !per_cpu_ptr(st_rings, cpu)->data && rings_fit(1))
			ring_alloc(cpu);
	mutex_unlock(&st_ring_memory);
}

void st_rings_lock(void)
{
	mutex_lock(&st_ring_memory);
}

void st_rings_unlock(void)
{
	mutex_unlock(&st_ring_memory);
}
