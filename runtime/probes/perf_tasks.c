// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters for each thread of a program.
 *
 * Each thread has its own event for each such probe, in a hash table by thread that handlers
 * search under RCU.  Creating an event sleeps.  So threads that exist when the session starts
 * get theirs then; a thread that executes the program, or that the program creates, creates
 * them itself, as task work before it (again) runs in user space.  Nothing that the program
 * does there is missed.
 *
 * The tracepoint sched_process_exit removes a thread's events from the table; it must not
 * sleep, so a worker releases them later.  A thread that is exiting gets no events:
 * PF_EXITING is set before that tracepoint, and both look at the table under its lock.
 *
 * Preemption may be off in these tracepoints: nothing is allocated there, not even on PREEMPT_RT,
 * and the locks spin on PREEMPT_RT too.
 */
#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

#include "core/report.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "process/task_work.h"
#include "process/tasks.h"
#include "process/tracepoints.h"
#include "perf.h"

#define ST_TASK_BITS 10

struct st_task_event {
	struct hlist_node node;		/* in the table, or */
	struct llist_node dead;		/* in the list of those to release */
	const struct st_perf_probe *probe;
	const struct task_struct *task;	/* only compared, never dereferenced */
	struct perf_event *event;
};

static struct hlist_head st_task_events[1 << ST_TASK_BITS];
static DEFINE_RAW_SPINLOCK(st_table_lock);	/* changes of the table */
static DEFINE_MUTEX(st_making_mutex);	/* creating and releasing events */
static LLIST_HEAD(st_dead_events);
static const struct st_perf_probe *st_task_probes;
static unsigned int st_ntask_probes;
static bool st_following, st_refused;

/* ---- the table ------------------------------------------------------------- */

static struct hlist_head *task_bucket(const struct task_struct *task)
{
	return &st_task_events[hash_ptr(task, ST_TASK_BITS)];
}

static struct st_task_event *task_event_find(const struct task_struct *task,
					     const struct st_perf_probe *p)
{
	struct st_task_event *e;

	hlist_for_each_entry_rcu(e, task_bucket(task), node, lockdep_is_held(&st_table_lock))
		if (e->task == task && e->probe == p)
			return e;
	return NULL;
}

struct perf_event *st_perf_task_event(const struct st_perf_probe *p)
{
	struct st_task_event *e = task_event_find(current, p);

	return e ? e->event : NULL;
}

/* Adds an event to the table.  Returns false if the task has it already, or is exiting. */
static bool task_event_add(struct st_task_event *e)
{
	unsigned long flags;
	bool wanted;

	raw_spin_lock_irqsave(&st_table_lock, flags);
	wanted = !(READ_ONCE(e->task->flags) & PF_EXITING) && !task_event_find(e->task, e->probe);
	if (wanted)
		hlist_add_head_rcu(&e->node, task_bucket(e->task));
	raw_spin_unlock_irqrestore(&st_table_lock, flags);
	return wanted;
}

/* ---- making ---------------------------------------------------------------- */

static struct perf_event *event_make(const struct st_perf_probe *p, struct task_struct *task)
{
	struct perf_event_attr attr = st_perf_attr(p->perf);

	return perf_event_create_kernel_counter(&attr, -1, task, NULL, NULL);
}

static int task_event_make(const struct st_perf_probe *p, struct task_struct *task)
{
	struct st_task_event *e = kzalloc(sizeof(*e), GFP_KERNEL);
	int err;

	if (!e)
		return -ENOMEM;
	e->probe = p;
	e->task = task;
	e->event = event_make(p, task);
	err = PTR_ERR_OR_ZERO(e->event);
	if (!err && task_event_add(e))
		return 0;
	if (!err)
		perf_event_release_kernel(e->event);
	kfree(e);
	return err;
}

static void tell_refused(const struct st_perf_probe *p, const struct task_struct *task, int err)
{
	if (!st_refused && err != -ESRCH)
		st_tell(ST_FMT_WARN, "%s: thread %d is not counted: %s (rc %d)", p->perf->point.pp,
			task->pid, st_perf_why_not(err), err);
	st_refused |= err != -ESRCH;
}

static bool counted(const struct st_perf_probe *p, const struct task_struct *task)
{
	return st_perf_of_tasks(p) && st_runs_program(task, &p->program);
}

/* Is the task counted?  Its mm must stay: it is current, or can't run. */
static bool task_counted(const struct task_struct *task)
{
	unsigned int i;

	for (i = 0; i < st_ntask_probes; i++)
		if (counted(&st_task_probes[i], task))
			return true;
	return false;
}

/* Is any task counted? */
static bool other_counted(struct task_struct *task)
{
	bool found;

	task_lock(task);
	found = task_counted(task);
	task_unlock(task);
	return found;
}

static bool other_runs(struct task_struct *task, const struct st_perf_probe *p)
{
	bool runs;

	task_lock(task);
	runs = counted(p, task);
	task_unlock(task);
	return runs;
}

static bool has_event(const struct task_struct *task, const struct st_perf_probe *p)
{
	bool has;

	rcu_read_lock();
	has = task_event_find(task, p);
	rcu_read_unlock();
	return has;
}

static void make_events(struct task_struct *task)
{
	unsigned int i;

	mutex_lock(&st_making_mutex);
	for (i = 0; i < st_ntask_probes; i++) {
		const struct st_perf_probe *p = &st_task_probes[i];
		int err = other_runs(task, p) && !has_event(task, p) ? task_event_make(p, task) : 0;

		if (err)
			tell_refused(p, task, err);
	}
	mutex_unlock(&st_making_mutex);
}

static int welcome_running(void)
{
	struct task_struct **tasks;
	int i, n = st_tasks_list(other_counted, &tasks);

	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		make_events(tasks[i]);
		cond_resched();
	}
	st_tasks_put(tasks, n);
	return 0;
}

/* ---- tasks that come ---------------------------------------------------------- */

static void make_own_events(void)
{
	if (!(current->flags & PF_EXITING) && READ_ONCE(st_following))
		make_events(current);
}

static void release_dead(void)
{
	struct llist_node *all = llist_del_all(&st_dead_events);
	struct st_task_event *e, *next;

	if (!all)
		return;
	synchronize_rcu();
	mutex_lock(&st_making_mutex);
	llist_for_each_entry_safe(e, next, all, dead) {
		perf_event_release_kernel(e->event);
		kfree(e);
	}
	mutex_unlock(&st_making_mutex);
}

static void dead_worker(struct work_struct *work)
{
	release_dead();
}

static DECLARE_WORK(st_dead_work, dead_worker);

/* Removes the task's events: all, or only the events of programs that it no longer runs. */
static void leave(const struct task_struct *task, bool all)
{
	struct st_task_event *e;
	struct hlist_node *next;
	unsigned long flags;
	bool any = false;

	raw_spin_lock_irqsave(&st_table_lock, flags);
	hlist_for_each_entry_safe(e, next, task_bucket(task), node) {
		if (e->task != task || (!all && counted(e->probe, task)))
			continue;
		hlist_del_rcu(&e->node);
		llist_add(&e->dead, &st_dead_events);
		any = true;
	}
	raw_spin_unlock_irqrestore(&st_table_lock, flags);
	if (any)
		schedule_work(&st_dead_work);
}

/* ---- tracepoints ------------------------------------------------------------------ */

static void on_exec(void *data, struct task_struct *task)
{
	leave(task, false);
	if (task_counted(task))
		st_task_work_add(task, make_own_events);
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (task_counted(child))
		st_task_work_add(child, make_own_events);
}

static void on_exit(void *data, struct task_struct *task)
{
	leave(task, true);
}

/* Priority -1: the script's own handlers of sched_process_exit run before ours. */
static struct st_follow st_perf_follows[] = {
	{ "sched_process_exec", on_exec },
	{ "sched_process_fork", on_fork },
	{ "sched_process_exit", on_exit },
};

static int follow_tasks(void)
{
	int err = st_task_works_begin();

	WRITE_ONCE(st_following, true);
	return err ?: st_follow(st_perf_follows, ARRAY_SIZE(st_perf_follows), -1);
}

/* ---- for the family --------------------------------------------------------------- */

/* Tries each event on the current task, for one error instead of a warning for each thread. */
static int events_possible(bool *any)
{
	unsigned int i;

	for (i = 0; i < st_ntask_probes; i++) {
		const struct st_perf_probe *p = &st_task_probes[i];
		struct perf_event *event;

		if (!st_perf_of_tasks(p))
			continue;
		*any = true;
		event = event_make(p, current);
		if (IS_ERR(event))
			return st_fail(PTR_ERR(event), "%s: %s (rc %ld)", p->perf->point.pp,
				       st_perf_why_not(PTR_ERR(event)), PTR_ERR(event));
		perf_event_release_kernel(event);
	}
	return 0;
}

int st_perf_tasks_arm(const struct st_perf_probe *probes, unsigned int n)
{
	bool any = false;
	int err;

	st_task_probes = probes;
	st_ntask_probes = n;
	err = events_possible(&any);
	if (err || !any)
		return err;
	err = follow_tasks();
	if (err)
		return err;
	err = welcome_running();
	return err ? st_fail(err, "no memory for the tasks of a program") : 0;
}

/*
 * Arms and disarms events.  The mutex keeps entries that leave the table meanwhile from being
 * released.
 */
void st_perf_tasks_refresh(void)
{
	struct st_task_event *e;
	unsigned int i;

	mutex_lock(&st_making_mutex);
	for (i = 0; i < ARRAY_SIZE(st_task_events); i++)
		hlist_for_each_entry_rcu(e, &st_task_events[i], node, true) {
			if (st_wanted(e->probe->perf->point.probe))
				perf_event_enable(e->event);
			else
				perf_event_disable(e->event);
		}
	mutex_unlock(&st_making_mutex);
}

static void empty_table(void)
{
	struct st_task_event *e;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_task_events); i++)
		hlist_for_each_entry_safe(e, next, &st_task_events[i], node) {
			hlist_del_rcu(&e->node);
			llist_add(&e->dead, &st_dead_events);
		}
}

void st_perf_tasks_disarm(void)
{
	if (!READ_ONCE(st_following))
		return;
	WRITE_ONCE(st_following, false);
	st_unfollow(st_perf_follows, ARRAY_SIZE(st_perf_follows));
	st_task_works_end();
	cancel_work_sync(&st_dead_work);
	empty_table();
	release_dead();
}
