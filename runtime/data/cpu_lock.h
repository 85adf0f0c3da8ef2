/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock of one CPU's data, to which that CPU adds and which any CPU may read, clear or
 * delete.
 *
 *	if (st_cpu_trylock(&part->lock, raw_smp_processor_id())) {
 *		…
 *		st_cpu_unlock(&part->lock);
 *	}
 *
 * A holder has interrupts off, so only an NMI or the hypervisor delays it.  An NMI that finds its
 * own CPU the holder gives up at once.  How long a handler waits in all is its context's affair
 * (core/supply.h).
 */
#ifndef STAP_CPU_LOCK_H
#define STAP_CPU_LOCK_H

#include "port/port.h"

/* The lock; all zeroes is a free one. */
struct st_cpu_lock {
	int holder;			/* CPU + 1; 0: free */
};

/* Waits for the holder, as long as st_patience() says; in an NMI 0.1 ms. */
bool st_cpu_lock_slow(struct st_cpu_lock *l, int me);

/* Takes the lock for CPU, the current one; interrupts are off.  Returns false if it gave up: the hit
 * counts as skipped. */
static inline bool st_cpu_trylock(struct st_cpu_lock *l, int cpu)
{
	int me = cpu + 1, unheld = 0;

	if (likely(atomic_try_cmpxchg_acquire((atomic_t *)&l->holder, &unheld, me)))
		return true;
	return st_cpu_lock_slow(l, me);
}

static inline void st_cpu_unlock(struct st_cpu_lock *l)
{
	smp_store_release(&l->holder, 0);
}

#endif
