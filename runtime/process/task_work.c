// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Task work.
 *
 * No kernel exports a function that cancels it, so work_cancel() does what the kernel's own does: under
 * the task's pi_lock it takes the work out of the list task->task_works.  A task that begins to
 * run its list takes the whole list first, and then that lock once: it runs no work that
 * work_cancel() still looks at.
 *
 * Works that wait are in a list of the session's.  While one is in it, its task exists: a task
 * runs all its work before it is gone.
 */
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/task_work.h>

#include "core/report.h"
#include "core/state.h"
#include "handler/pool.h"
#include "life/wake.h"
#include "task_work.h"

#define ST_WORKS 1024

struct st_task_work {
	struct callback_head head;
	struct list_head waiting;
	struct task_struct *task;
	void (*fn)(void);
};

static struct st_pool st_work_pool =
	ST_POOL(st_work_pool, struct st_task_work, ST_WORKS);
static LIST_HEAD(st_waiting_works);
static DEFINE_RAW_SPINLOCK(st_works_lock);	/* the list; outside of a task's pi_lock */
static atomic_t st_ntask_works;			/* works not yet done */
static unsigned int st_work_users;

static void work_leaves(struct st_task_work *w)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&st_works_lock, flags);
	list_del_init(&w->waiting);
	raw_spin_unlock_irqrestore(&st_works_lock, flags);
}

/*
 * Counts a work as done, in any context: a tracepoint's handler gives up the work of a task that
 * exits.
 */
static void work_ends(void)
{
	if (atomic_dec_and_test(&st_ntask_works) && !READ_ONCE(st_work_users))
		st_wake();
}

static void task_work_runs(struct callback_head *head)
{
	struct st_task_work *w = container_of(head, struct st_task_work, head);
	void (*fn)(void) = w->fn;

	work_leaves(w);
	st_pool_put(&st_work_pool, w);
	fn();
	work_ends();
}

void st_task_work_add(struct task_struct *task, void (*fn)(void))
{
	struct st_task_work *w = st_pool_get(&st_work_pool);
	unsigned long flags;

	if (!w) {
		atomic_long_inc(&st_counts.missed);
		return;
	}
	w->task = task;
	w->fn = fn;
	init_task_work(&w->head, task_work_runs);
	atomic_inc(&st_ntask_works);
	raw_spin_lock_irqsave(&st_works_lock, flags);
	list_add(&w->waiting, &st_waiting_works);
	raw_spin_unlock_irqrestore(&st_works_lock, flags);
	if (!task_work_add(task, &w->head, TWA_RESUME))
		return;
	work_leaves(w);
	st_pool_put(&st_work_pool, w);
	work_ends();
}

int st_task_works_fill(void)
{
	return st_pool_fill(&st_work_pool) ? st_fail(-ENOMEM, "no memory for task work") : 0;
}

static bool work_cancel(struct st_task_work *w)
{
	struct callback_head **at = &w->task->task_works, *head;
	bool found = false;

	raw_spin_lock(&w->task->pi_lock);
	while (!found && (head = READ_ONCE(*at))) {
		if (head != &w->head)
			at = &head->next;
		else
			found = cmpxchg(at, head, head->next) == head;
	}
	raw_spin_unlock(&w->task->pi_lock);
	return found;
}

/* Takes a work back; false when none waits.  One that its task has begun to run is left to it. */
static bool cancel_first(void)
{
	struct st_task_work *w;
	unsigned long flags;
	bool cancelled = false;

	raw_spin_lock_irqsave(&st_works_lock, flags);
	w = list_first_entry_or_null(&st_waiting_works, struct st_task_work, waiting);
	if (w) {
		list_del_init(&w->waiting);
		cancelled = work_cancel(w);
	}
	raw_spin_unlock_irqrestore(&st_works_lock, flags);
	if (cancelled) {
		st_pool_put(&st_work_pool, w);
		work_ends();
	}
	return w;
}

int st_task_works_begin(void)
{
	return st_work_users++ ? 0 : st_task_works_fill();
}

/*
 * Ends by synchronize_rcu_tasks(), because a work that reported its end may not have returned yet.
 */
void st_task_works_end(void)
{
	WRITE_ONCE(st_work_users, st_work_users - 1);
	if (st_work_users)
		return;
	while (cancel_first())
		cond_resched();
	wait_event_idle(st_waiters, !atomic_read(&st_ntask_works));
	synchronize_rcu_tasks();
	st_pool_free(&st_work_pool);
}
