// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locks of global variables: reader-writer try-locks in one word each.
 *
 * Interrupts are off while any is held, so only an NMI delays a holder (and, in a
 * guest, the host).  All waits of a handler together are bounded by time
 * (core/supply.h); after it the hit is skipped.  If this CPU itself holds locks
 * below us (we are its NMI), their holder can't go on while we wait: then there is
 * no waiting.
 */
#include <linux/irqflags.h>
#include <linux/processor.h>

#include "core/supply.h"
#include "data/globals.h"
#include "context.h"
#include "overload.h"

/*
 * Is this CPU holding locks, or taking them?  It is set before the first is taken, because an NMI
 * may come at any point.
 */
static DEFINE_PER_CPU(int, st_holding);

static bool try_write(struct st_lock *lock)
{
	int unheld = 0;

	return atomic_try_cmpxchg_acquire((atomic_t *)&lock->word, &unheld, -1);
}

static bool try_read(struct st_lock *lock)
{
	int readers = READ_ONCE(lock->word);

	while (readers >= 0)
		if (atomic_try_cmpxchg_acquire((atomic_t *)&lock->word, &readers, readers + 1))
			return true;
	return false;
}

static bool try_one(const struct st_lockref *ref)
{
	return ref->write ? try_write(ref->lock) : try_read(ref->lock);
}

static void drop_one(const struct st_lockref *ref)
{
	if (ref->write)
		atomic_set_release((atomic_t *)&ref->lock->word, 0);
	else
		atomic_dec_return_release((atomic_t *)&ref->lock->word);
}

/* Returns the context of the handler that runs on this CPU. */
static struct st_context *waiter(void)
{
	return st_this_context();
}

u64 st_patience(void)
{
	u64 most = (u64)st_program.maxtrylock * ST_LOCK_TRY_NS, waited = waiter()->waited;

	return most > waited ? most - waited : 0;
}

void st_waited(u64 ns)
{
	struct st_context *x = waiter();

	x->waited += ns;
	if (!x->started)
		x->started = get_cycles() - st_ns_cycles(ns);
}

/* Waits for a lock.  Returns false if it gave up. */
static noinline bool wait_one(const struct st_lockref *ref, bool nested)
{
	u64 began, end, now;
	bool done;

	atomic_inc((atomic_t *)&ref->lock->contended);
	if (nested)
		return false;
	began = ktime_get_mono_fast_ns();
	end = began + st_patience();
	do {
		cpu_relax();
		done = try_one(ref);
		now = ktime_get_mono_fast_ns();
	} while (!done && now < end);
	st_waited(min(now, end) - began);
	return done;
}

static noinline void hold_one(struct st_ctx *c, const struct st_lockref *ref)
{
	bool failed = c->error;

	if (ref->map)
		st_map_hold(c, *ref->map);
	if (ref->agg)
		st_agg_hold(c, *ref->agg);
	if (unlikely(c->error && !failed))
		c->near = ref->near;
}

static void release_one(const struct st_lockref *ref)
{
	if (ref->map)
		st_map_release(*ref->map);
	if (ref->agg)
		st_agg_release(*ref->agg);
}

/* Gives back the locks before the one at REF, which was not to be had. */
static noinline int give_up(struct st_context *x, const struct st_lockref *refs, const struct st_lockref *ref)
{
	atomic_inc((atomic_t *)&ref->lock->timed_out);
	while (ref-- > refs)
		drop_one(ref);
	__this_cpu_write(st_holding, x->nested_lock);
	raw_local_irq_restore(x->irq_flags);
	st_skip();
	return -1;
}

int st_lock_all(struct st_ctx *c, const struct st_lockref *refs, unsigned int n)
{
	struct st_context *x = st_context_of(c);
	const struct st_lockref *ref, *end = refs + n;
	unsigned long flags;

	raw_local_irq_save(flags);
	x->irq_flags = flags;
	x->nested_lock = __this_cpu_read(st_holding);
	__this_cpu_write(st_holding, 1);
	for (ref = refs; ref < end; ref++)
		if (unlikely(!try_one(ref)) && !wait_one(ref, x->nested_lock))
			return give_up(x, refs, ref);
	for (ref = refs; ref < end; ref++)
		if (ref->map || ref->agg)
			hold_one(c, ref);
	return 0;
}

void st_unlock_all(struct st_ctx *c, const struct st_lockref *refs, unsigned int n)
{
	struct st_context *x = st_context_of(c);

	while (n--) {
		release_one(&refs[n]);
		drop_one(&refs[n]);
	}
	__this_cpu_write(st_holding, x->nested_lock);
	if (!raw_irqs_disabled_flags(x->irq_flags))
		x->opened = true;
	raw_local_irq_restore(x->irq_flags);
}
