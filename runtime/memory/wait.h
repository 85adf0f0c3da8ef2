/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for user memory.
 *
 * A handler runs in its CPU's context with preemption disabled, and can't wait.  But a
 * uprobe's handler runs for a process that comes from user space, holds nothing of the
 * kernel's, and may wait for a page of its memory to be read from disk.  So at a page that
 * isn't resident the handler leaves its CPU, and takes its context along:
 *
 *	CPU 0: context A runs the handler, which reads a page that isn't there
 *	CPU 0: gets the spare context B; preemption is enabled; the process sleeps
 *	       (other handlers on CPU 0 run in B)
 *	CPU 1: the process wakes up here; preemption is disabled; A becomes CPU 1's context,
 *	       the one that CPU 1 had becomes a spare
 *
 * Nothing else of the handler belongs to a CPU at that point: the output collected so far is
 * the context's, and a handler that holds locks, or has committed a part of its output, doesn't
 * wait; the read fails there, as it does in probes that may never wait.
 *
 * It waits for no memory that a program or another machine must bring (memory/bring.h): a program would
 * decide how long, and other tracers wait too.  The end of the session doesn't cut a wait short, but
 * no new one begins: a handler that would have to wait then is aborted.
 */
#ifndef STAP_WAIT_H
#define STAP_WAIT_H

#include <linux/types.h>

#include "handler/context.h"
#include "handler/handler.h"

/*
 * Allocates the first spares, unless another family has: 0, or -ENOMEM with st_message set.  Before
 * the first handler; free() after the last.
 */
int st_spares_alloc(void);
void st_spares_free(void);

/* So many spares are free when a handler begins that may wait: one for each CPU's handler. */
#define ST_SPARES_FREE min(num_online_cpus(), 32u)

extern unsigned int st_nfree;		/* spares that are free */

/* Are enough free?  If so in a handler, there is one for it, whenever it waits. */
static __always_inline bool st_spares_enough(void)
{
	unsigned int n = READ_ONCE(st_nfree);

	return likely(n >= num_online_cpus()) || n >= ST_SPARES_FREE;
}

/* Makes spares until enough are free; false: there can't be more.  Process context, may sleep. */
bool st_spares_make(void);

/* How long a handler waits in all for locks of its process's mappings, in jiffies. */
#define ST_MAPPINGS_PATIENCE HZ

/* st_enter() for a handler that may wait.  Process context, may sleep. */
static __always_inline struct st_context *st_enter_to_wait(const struct st_point *point)
{
	bool more = true;

	for (;;) {
		struct st_context *x = st_take_context(point, ST_RUNNING);

		if (!x)
			return NULL;
		if (st_spares_enough() || !more) {
			st_prepare(x, ST_RUNNING);
			x->may_wait = true;
			x->patience = ST_MAPPINGS_PATIENCE;
			return x;
		}
		st_give(x);
		more = st_spares_make();	/* others may take them meanwhile */
	}
}

/*
 * Call these around anything that may wait for memory of the current process: a handler's copy, or
 * a read or write of a file of the script's. enter() returns false if the session is ending: then
 * nothing may wait. leave() follows in both cases.  Any context in which a task runs.
 */
bool st_wait_enter(void);
void st_wait_leave(void);

/*
 * Returns when no handler waits any more; after the session has begun to end.  Call it before
 * anything is disarmed.  The kernel holds up all hits of a uprobe from when one begins to
 * unregister it until its handlers have ended, also hits in a process that could bring the memory
 * (a FUSE server).  And in kernels since 6.13 a uprobe's handler is a reader of RCU Tasks Trace,
 * for which a task that unregisters a tracepoint waits, and can't be interrupted.  A task that
 * removes a file in /proc waits the same way for reads and writes of it.  Process context.
 */
void st_waits_end(void);

/*
 * Copy N bytes of the current process's memory, waiting for them.  Called in a handler, when the
 * copy without waiting has failed.  Return 0, or -EFAULT: the memory isn't there, only another could
 * bring it, or the handler may not wait.
 */
int st_wait_read(void *to, unsigned long addr, unsigned int n);
int st_wait_write(unsigned long addr, const void *from, unsigned int n);

#endif
