/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What maps, statistics and strings need from where they run: the kernel, or
 * the unit tests' imitation of it (testsuite/unit/kernel_stubs.h).  And what
 * the runtime's core calls to give the script's globals their memory.
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
 * Allocates what st_program.globals ask for and fills their slots; before any
 * probe is armed, may sleep.  0, or -ENOMEM with a message for the user in
 * 'message' (room bytes); then nothing is left allocated.
 */
int st_maps_alloc(char *message, unsigned int room);

/* Frees it all, after the last handler. */
void st_maps_free(void);

/* What is kept per CPU: between the two the handler of c, which has its lock, has
 * all that was added before to itself.  Interrupts are off. */
void st_map_hold(struct st_ctx *c, struct st_map *m);
void st_map_release(struct st_map *m);
void st_agg_hold(struct st_agg *a);
void st_agg_release(struct st_agg *a);

/* How a byte shows in a quoted text: up to 4 bytes, how many. */
unsigned int st_show(char *to, unsigned char ch);

/*
 * How long a handler may wait with interrupts off, for all the locks it takes at once or
 * for the lock of one CPU's data: until then.  10 ms, unless MAXTRYLOCK and TRYLOCKDELAY
 * say otherwise.
 */
#define ST_LOCK_TRY_NS 10000		/* what one of maxtrylock tries stands for */

static inline u64 st_wait_end(void)
{
	return ktime_get_mono_fast_ns() + (u64)st_program.maxtrylock * ST_LOCK_TRY_NS;
}

/*
 * One CPU's data: the CPU adds to it, any CPU may read, clear or delete.  All
 * with interrupts off on their own CPU, so a holder is only ever delayed by an
 * NMI or by the hypervisor, and an NMI that finds its own CPU the holder gives
 * up at once.
 */
struct st_cpu_lock {
	int holder;			/* CPU + 1, 0 free */
};

/* Waits for the holder, until st_wait_end() at most (NMI: for no time to speak of). */
bool st_cpu_lock_slow(struct st_cpu_lock *l, int me);

/* Interrupts are off.  False: given up, counted. */
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

/* Bytes one allocation may ask for without starving the machine. */
static inline u64 st_data_room(void)
{
	return (u64)si_mem_available() * PAGE_SIZE / 4 * 3;
}

/* Zeroed memory on a node; NULL when the machine is short of it.  May sleep. */
static inline void *st_data_alloc(unsigned long bytes, int node)
{
	return kvmalloc_node(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY, node);
}

#endif
