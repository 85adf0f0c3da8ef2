/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data: what maps, statistics and strings (data/, text/) need from their surroundings,
 * which are the kernel or the unit tests' imitation of it (testsuite/unit/kernel_stubs.h);
 * and the functions by which the session allocates the script's globals.
 */
#ifndef STAP_DATA_H
#define STAP_DATA_H

#include "stap_script.h"

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/topology.h>
#else
#include "../../testsuite/unit/kernel_stubs.h"
#endif

/*
 * Allocates the memory of st_program.globals and fills their slots.  Called before
 * any probe is armed; may sleep.  Returns 0; or -ENOMEM with a message for the user in
 * 'message' (room bytes) and nothing left allocated.
 */
int st_maps_alloc(char *message, unsigned int room);

/* How many bytes that is, or would be. */
u64 st_maps_bytes(void);

/* Frees all of it, after the last handler. */
void st_maps_free(void);

/* Merge a per-CPU map or statistic for the handler of c, which holds its lock: until release()
 * the handler has the merged data to itself (data/map.h).  Interrupts are off. */
void st_map_hold(struct st_ctx *c, struct st_map *m);
void st_map_release(struct st_map *m);
void st_agg_hold(struct st_ctx *c, struct st_agg *a);
void st_agg_release(struct st_agg *a);

/* Units of st_walk() (abi/stap_script.h). */
#define ST_WALK_BYTES 32		/* bytes of text looked at one by one: a step */
#define ST_WALK_TEXT 128		/* bytes; of a shorter text the call itself is most of the time */
#define ST_WALK_SYMBOL 16		/* steps to find an address' name, */
#define ST_WALK_MODULE 48		/* and so many more in a module: its symbols aren't sorted */

/* st_walk() for work on BYTES of text.  It may be counted when it is done: it is bounded by
 * MAXSTRINGLEN. */
static inline bool st_walk_text(struct st_ctx *c, unsigned int bytes)
{
	return unlikely(bytes >= ST_WALK_TEXT) && st_walk(c, bytes / ST_WALK_BYTES);
}

/* Writes a byte as it appears in quoted text, escaped if necessary: 4 bytes at most; returns
 * how many. */
unsigned int st_show(char *to, unsigned char ch);
/* The same for a Unicode character: 10 bytes at most. */
unsigned int st_show_wide(char *to, unsigned int character);

/*
 * How long, in ns, a handler goes on waiting for locks with interrupts off: for those of globals and
 * of CPUs' data together 10 ms, unless -D MAXTRYLOCK and TRYLOCKDELAY change that.
 */
#define ST_LOCK_TRY_NS 10000		/* the time for each of maxtrylock tries */

u64 st_patience(void);

/* The handler has waited so long. */
void st_waited(u64 ns);

/*
 * The lock of one CPU's data, to which that CPU adds and which any CPU may read, clear or
 * delete.  A holder has interrupts off, so only an NMI or the hypervisor delays it.  An NMI
 * that finds its own CPU the holder gives up at once.
 */
struct st_cpu_lock {
	int holder;			/* CPU + 1; 0: free */
};

/* Waits for the holder, as long as st_patience() says; in an NMI 0.1 ms. */
bool st_cpu_lock_slow(struct st_cpu_lock *l, int me);

/* Takes the lock; interrupts are off.  Returns false if it gave up: the hit counts as skipped. */
static inline bool st_cpu_trylock(struct st_cpu_lock *l)
{
	int me = raw_smp_processor_id() + 1, unheld = 0;

	if (likely(atomic_try_cmpxchg_acquire((atomic_t *)&l->holder, &unheld, me)))
		return true;
	return st_cpu_lock_slow(l, me);
}

static inline void st_cpu_unlock(struct st_cpu_lock *l)
{
	smp_store_release(&l->holder, 0);
}

/* The most bytes that one allocation may take: three quarters of available memory. */
static inline u64 st_data_room(void)
{
	return (u64)si_mem_available() * PAGE_SIZE / 4 * 3;
}

/* Allocates zeroed memory on a node; NULL if the machine is short of it.  May sleep.  kvfree()
 * frees it. */
static inline void *st_data_alloc(unsigned long bytes, int node)
{
	return kvmalloc_node(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY, node);
}

#endif
