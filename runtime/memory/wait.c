// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps spare contexts, and makes copies that wait. */
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/timex.h>
#include <linux/uaccess.h>

#include "port/port.h"
#include "core/run.h"
#include "core/report.h"
#include "core/state.h"
#include "handler/print.h"
#include "life/wake.h"
#include "process/tasks.h"
#include "bring.h"
#include "space.h"
#include "wait.h"

/* How many handlers can wait at once: fewer, if contexts are large. */
#define ST_SPARES_MOST 256

/* All spares together may take this fraction of the memory that a script's arrays may. */
#define ST_SPARES_SHARE 4

/* The time after a failed allocation until the next one is tried. */
#define ST_SPARES_AGAIN HZ

/* Taken with preemption disabled, by tasks only. */
static DEFINE_RAW_SPINLOCK(st_spares_lock);
static struct st_context *st_spares;		/* a list; guarded by the lock */
unsigned int st_nfree;				/* in the list */
static unsigned int st_nspares;			/* all, also those in use */
static unsigned int st_spares_most;		/* there are no more than these */
static unsigned long st_spares_again;		/* jiffies: when memory is asked for next */

static atomic_t st_nwaits;			/* tasks that wait, or are about to */
static struct task_struct *st_some_waiters[16];	/* some of them, to name one */

/* How often a page is brought again, because it may go away before it is copied. */
#define ST_BRING_TRIES 32

static void spare_put(struct st_context *x)
{
	raw_spin_lock(&st_spares_lock);
	x->next = st_spares;
	st_spares = x;
	WRITE_ONCE(st_nfree, st_nfree + 1);
	raw_spin_unlock(&st_spares_lock);
}

static struct st_context *spare_get(void)
{
	struct st_context *x;

	raw_spin_lock(&st_spares_lock);
	x = st_spares;
	if (x) {
		st_spares = x->next;
		WRITE_ONCE(st_nfree, st_nfree - 1);
	}
	raw_spin_unlock(&st_spares_lock);
	return x;
}

/* Counts a spare that is about to be made; false: there are enough. */
static bool spare_count(void)
{
	bool room;

	preempt_disable();
	raw_spin_lock(&st_spares_lock);
	room = st_nspares < st_spares_most;
	st_nspares += room;
	raw_spin_unlock(&st_spares_lock);
	preempt_enable();
	return room;
}

static void spare_uncount(void)
{
	preempt_disable();
	raw_spin_lock(&st_spares_lock);
	st_nspares--;
	raw_spin_unlock(&st_spares_lock);
	preempt_enable();
}

static int spare_make(void)
{
	struct st_context *x;

	if (time_before(jiffies, READ_ONCE(st_spares_again)) || !spare_count())
		return -ENOMEM;
	x = st_context_make();
	if (!x) {
		spare_uncount();
		WRITE_ONCE(st_spares_again, jiffies + ST_SPARES_AGAIN);
		return -ENOMEM;
	}
	preempt_disable();
	spare_put(x);
	preempt_enable();
	return 0;
}

int st_spares_alloc(void)
{
	if (st_spares)
		return 0;
	st_nspares = 0;
	st_spares_again = jiffies;
	st_spares_most = clamp_t(u64, st_data_room() / ST_SPARES_SHARE / st_context_bytes(),
				 ST_SPARES_FREE, ST_SPARES_MOST);
	if (st_spares_make())
		return 0;
	st_spares_free();
	return st_fail(-ENOMEM, "no memory for handlers that wait");
}

void st_spares_free(void)
{
	struct st_context *x;

	while ((x = st_spares)) {
		st_spares = x->next;
		kvfree(x);
	}
	st_nfree = 0;
}

bool st_spares_make(void)
{
	while (!st_spares_enough())
		if (spare_make())
			return false;
	return true;
}

/* Returns the context of the handler that runs on this CPU, if it may wait now; else NULL. */
static struct st_context *wait_context(void)
{
	struct st_context *x;

	if (st_current_level() != ST_TASK || irqs_disabled())
		return NULL;
	x = __this_cpu_read(st_contexts[ST_TASK]);
	return x->busy && x->may_wait && !x->begun ? x : NULL;
}

static void waiter_note(struct task_struct *from, struct task_struct *to)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_some_waiters); i++)
		if (READ_ONCE(st_some_waiters[i]) == from &&
		    cmpxchg(&st_some_waiters[i], from, to) == from)
			break;
}

/*
 * Counts first, then looks at the state: the task that ends the session changes the state before it
 * looks at the count.
 */
bool st_wait_enter(void)
{
	atomic_inc(&st_nwaits);
	smp_mb__after_atomic();
	waiter_note(NULL, current);
	return READ_ONCE(st_state) == ST_RUNNING;
}

/*
 * Uncounts.  Preemption may be off, so a wait queue's lock, which may sleep on PREEMPT_RT, can't be
 * used here.
 */
void st_wait_leave(void)
{
	waiter_note(current, NULL);
	if (atomic_dec_and_test(&st_nwaits) && READ_ONCE(st_state) != ST_RUNNING)
		st_wake();
}

/* The time after which a session that is held up says why. */
#define ST_WAITS_PATIENCE (2 * HZ)

static bool some_waiter(struct st_process_text *text)
{
	struct task_struct *task = NULL;
	unsigned int i;

	rcu_read_lock();		/* a task that is noted has not ended */
	for (i = 0; i < ARRAY_SIZE(st_some_waiters) && !task; i++)
		task = READ_ONCE(st_some_waiters[i]);
	if (task)
		st_process_text(text, task);
	rcu_read_unlock();
	return task;
}

void st_waits_end(void)
{
	struct st_process_text who;

	if (wait_event_idle_timeout(st_waiters, !atomic_read(&st_nwaits), ST_WAITS_PATIENCE))
		return;
	if (!some_waiter(&who))
		strscpy(who.text, "an unknown process", sizeof(who.text));
	st_tell(ST_FMT_WARN, "the script ends when %d threads that wait for memory, in its "
			     "handlers or its files in /proc, get it or are killed; one is of %s",
		atomic_read(&st_nwaits), who.text);
	wait_event_idle(st_waiters, !atomic_read(&st_nwaits));
}

/* Leaves the CPU; false: all spares are in use. */
static bool wait_leave_cpu(struct st_context *x)
{
	struct st_context *spare = spare_get();

	if (!spare) {
		st_error(&x->c, "%u handlers wait for user memory already",
			 READ_ONCE(st_nspares));
		return false;
	}
	__this_cpu_write(st_contexts[ST_TASK], spare);
	preempt_enable_notrace();
	return true;
}

static void wait_enter_cpu(struct st_context *x)
{
	struct st_context *spare;

	preempt_disable_notrace();
	spare = __this_cpu_read(st_contexts[ST_TASK]);
	/* First: a probe in spare_put() would run in the spare, which may be another CPU's by then. */
	__this_cpu_write(st_contexts[ST_TASK], x);
	spare_put(spare);
}

static long copy_now(void *to, unsigned long addr, const void *from, unsigned int n)
{
	return to ? copy_from_user_nofault(to, (void __user *)addr, n)
		  : copy_to_user_nofault((void __user *)addr, from, n);
}

/* Copies bytes within one page.  What doesn't come may be in the page cache all the same. */
static int copy_page_waiting(void *to, unsigned long addr, const void *from, unsigned int n,
			     unsigned int *patience)
{
	unsigned int i;

	for (i = 0; i < ST_BRING_TRIES; i++) {
		if (!copy_now(to, addr, from, n))
			return 0;
		if ((!i && READ_ONCE(st_state) != ST_RUNNING) || st_bring(addr, !to, patience))
			break;
	}
	return to && st_space_copy(to, addr, n) ? 0 : -EFAULT;
}

static int copy_waiting(void *to, unsigned long addr, const void *from, unsigned int n,
			unsigned int *patience)
{
	int err = 0;

	while (n && !err) {
		unsigned int piece = min_t(unsigned long, n, PAGE_SIZE - offset_in_page(addr));

		err = copy_page_waiting(to, addr, from, piece, patience);
		to = to ? (char *)to + piece : NULL;
		from = from ? (const char *)from + piece : NULL;
		addr += piece;
		n -= piece;
	}
	return err;
}

/* Copies either to or from user memory; the time it takes isn't the handler's. */
static int wait_copy(void *to, unsigned long addr, const void *from, unsigned int n)
{
	struct st_context *x = wait_context();
	cycles_t began = get_cycles();
	int err = -EFAULT;

	if (!x)
		return err;
	if (st_wait_enter() && wait_leave_cpu(x)) {
		err = copy_waiting(to, addr, from, n, &x->patience);
		wait_enter_cpu(x);
	}
	st_wait_leave();
	if (err && READ_ONCE(st_state) != ST_RUNNING)
		st_abort(&x->c);
	st_time_apart(x, get_cycles() - began);
	return err;
}

int st_wait_read(void *to, unsigned long addr, unsigned int n)
{
	return wait_copy(to, addr, NULL, n);
}

int st_wait_write(unsigned long addr, const void *from, unsigned int n)
{
	return wait_copy(NULL, addr, from, n);
}
