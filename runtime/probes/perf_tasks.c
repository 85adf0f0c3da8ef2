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
 * Preemption is off in these tracepoints: nothing is allocated there, not even on PREEMPT_RT,
 * and the locks spin on PREEMPT_RT too.  If more threads come at once than there are
 * preallocated newcomers, a worker looks for threads without events.
 *
 * Task work can't be taken back, so the end waits for it.  That doesn't take long: a thread
 * does its work before it stops for a signal or freezes.  But a debugger may stop a thread
 * in the middle of its exec for as long as it likes; a worker creates the events of such a
 * thread.
 */
#include <linux/hash.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/task_work.h>
#include <linux/tracepoint.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "core/handler.h"
#include "core/print.h"
#include "core/report.h"
#include "perf.h"

#define ST_TASK_BITS 10
#define ST_NEWCOMERS 256

struct st_task_event {
	struct hlist_node node;		/* in the table, or */
	struct llist_node dead;		/* in the list of those to release */
	const struct st_perf_probe *probe;
	const struct task_struct *task;	/* only compared, never dereferenced */
	struct perf_event *event;
};

/* A task that needs its events. */
struct st_newcomer {
	struct callback_head work;	/* task work: the task creates them, or */
	struct llist_node waiting;	/* a worker does, */
	struct task_struct *task;	/* for this task, which it holds */
	struct st_newcomer *next;	/* in the list of unused ones */
};

static struct hlist_head st_task_events[1 << ST_TASK_BITS];
static DEFINE_RAW_SPINLOCK(st_table_lock);	/* changes of the table; the unused newcomers */
static DEFINE_MUTEX(st_making_mutex);	/* creating and releasing events */
static LLIST_HEAD(st_dead_events);
static LLIST_HEAD(st_newcomers);
static struct st_newcomer *st_newcomer_room, *st_idle_newcomers;
static bool st_overlooked;		/* newcomers ran out: some threads have no events */
static atomic_t st_nworks;		/* task works not yet done */
static DECLARE_WAIT_QUEUE_HEAD(st_works_done);
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

/* Returns false if the task has the event already, or is exiting. */
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

/* Gives the counted tasks that exist now, with references; returns their number, or -ENOMEM. */
static int running_tasks(struct task_struct ***out)
{
	struct task_struct *process, *task, **tasks = NULL;
	unsigned int room = 64, n, i;

	do {
		room *= 2;
		kvfree(tasks);
		tasks = kvmalloc_array(room, sizeof(*tasks), GFP_KERNEL);
		if (!tasks)
			return -ENOMEM;
		n = 0;
		rcu_read_lock();
		for_each_process_thread(process, task) {
			if (other_counted(task) && n++ < room)
				tasks[n - 1] = task;
		}
		for (i = 0; n <= room && i < n; i++)
			get_task_struct(tasks[i]);
		rcu_read_unlock();
	} while (n > room);
	*out = tasks;
	return n;
}

static int welcome_running(void)
{
	struct task_struct **tasks;
	int i, n = running_tasks(&tasks);

	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		make_events(tasks[i]);
		put_task_struct(tasks[i]);
		cond_resched();
	}
	kvfree(tasks);
	return 0;
}

/* ---- tasks that come ---------------------------------------------------------- */

static struct st_newcomer *newcomer_get(void)
{
	struct st_newcomer *n;
	unsigned long flags;

	raw_spin_lock_irqsave(&st_table_lock, flags);
	n = st_idle_newcomers;
	if (n)
		st_idle_newcomers = n->next;
	raw_spin_unlock_irqrestore(&st_table_lock, flags);
	return n;
}

static void newcomer_put(struct st_newcomer *n)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&st_table_lock, flags);
	n->next = st_idle_newcomers;
	st_idle_newcomers = n;
	raw_spin_unlock_irqrestore(&st_table_lock, flags);
}

static int newcomers_alloc(void)
{
	unsigned int i;

	st_newcomer_room = kvcalloc(ST_NEWCOMERS, sizeof(*st_newcomer_room), GFP_KERNEL);
	if (!st_newcomer_room)
		return st_fail(-ENOMEM, "no memory for the tasks of a program");
	for (i = 0; i < ST_NEWCOMERS; i++)
		newcomer_put(&st_newcomer_room[i]);
	return 0;
}

static void newcomers_free(void)
{
	st_idle_newcomers = NULL;
	kvfree(st_newcomer_room);
	st_newcomer_room = NULL;
}

static void newcomer_work(struct callback_head *work)
{
	struct st_newcomer *n = container_of(work, struct st_newcomer, work);

	newcomer_put(n);
	if (!(current->flags & PF_EXITING) && READ_ONCE(st_following))
		make_events(current);
	if (atomic_dec_and_test(&st_nworks))
		wake_up_all(&st_works_done);
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

static void serve_newcomers(void)
{
	struct llist_node *all = llist_del_all(&st_newcomers);
	struct st_newcomer *n, *next;

	llist_for_each_entry_safe(n, next, all, waiting) {
		if (READ_ONCE(st_following))
			make_events(n->task);
		put_task_struct(n->task);
		newcomer_put(n);
	}
}

static void task_worker(struct work_struct *work)
{
	release_dead();
	serve_newcomers();
	if (xchg(&st_overlooked, false) && READ_ONCE(st_following) && welcome_running() < 0)
		st_tell(ST_FMT_WARN, "no memory for the tasks of a program: some are not counted");
}

static DECLARE_WORK(st_task_work, task_worker);

/* Will a debugger stop the task in its exec? */
static bool stops_in_exec(const struct task_struct *task)
{
	return task == current && task->ptrace & PT_EVENT_FLAG(PTRACE_EVENT_EXEC);
}

static void welcome(struct task_struct *task)
{
	struct st_newcomer *n = newcomer_get();

	if (!n) {
		WRITE_ONCE(st_overlooked, true);
		schedule_work(&st_task_work);
		return;
	}
	if (stops_in_exec(task)) {
		get_task_struct(task);
		n->task = task;
		llist_add(&n->waiting, &st_newcomers);
		schedule_work(&st_task_work);
		return;
	}
	atomic_inc(&st_nworks);
	init_task_work(&n->work, newcomer_work);
	if (task_work_add(task, &n->work, TWA_RESUME)) {
		atomic_dec(&st_nworks);		/* it is exiting; st_works_done has no waiter yet */
		newcomer_put(n);
	}
}

/* Removes the task's events: all, or those of programs that it no longer runs. */
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
		schedule_work(&st_task_work);
}

/* ---- tracepoints ------------------------------------------------------------------ */

static void on_exec(void *data, struct task_struct *task)
{
	leave(task, false);
	if (task_counted(task))
		welcome(task);
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (task_counted(child))
		welcome(child);
}

static void on_exit(void *data, struct task_struct *task)
{
	leave(task, true);
}

static struct st_followed {
	const char *name;
	void *call;
	struct tracepoint *tracepoint;
	bool attached;
} st_followed[] = {
	{ "sched_process_exec", on_exec },
	{ "sched_process_fork", on_fork },
	{ "sched_process_exit", on_exit },
};

static void find_followed(struct tracepoint *tp, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_followed); i++)
		if (!strcmp(tp->name, st_followed[i].name))
			st_followed[i].tracepoint = tp;
}

/* Priority -1: the script's own handlers of sched_process_exit run before ours. */
static int follow_tasks(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(find_followed, NULL);
	WRITE_ONCE(st_following, true);
	for (i = 0; i < ARRAY_SIZE(st_followed); i++) {
		struct st_followed *f = &st_followed[i];
		int err = !f->tracepoint ? -ENOENT :
			  tracepoint_probe_register_prio(f->tracepoint, f->call, NULL, -1);

		if (err)
			return st_fail(err, "processes can't be watched (tracepoint %s, rc %d)",
				       f->name, err);
		f->attached = true;
	}
	return 0;
}

static void unfollow_tasks(void)
{
	unsigned int i;

	WRITE_ONCE(st_following, false);
	for (i = 0; i < ARRAY_SIZE(st_followed); i++) {
		struct st_followed *f = &st_followed[i];

		if (f->attached)
			tracepoint_probe_unregister(f->tracepoint, f->call, NULL);
		f->attached = false;
	}
	tracepoint_synchronize_unregister();
}

/* ---- for the family --------------------------------------------------------------- */

/* Tries each event on the current task: one error instead of a warning for each thread. */
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
	err = newcomers_alloc() ?: follow_tasks();
	if (err)
		return err;
	err = welcome_running();
	return err ? st_fail(err, "no memory for the tasks of a program") : 0;
}

/* The mutex keeps entries that leave the table meanwhile from being released. */
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

/* synchronize_rcu_tasks(): a task work that reported its end may not have returned yet. */
void st_perf_tasks_disarm(void)
{
	if (!READ_ONCE(st_following))
		return;
	unfollow_tasks();
	wait_event(st_works_done, !atomic_read(&st_nworks));
	synchronize_rcu_tasks();
	cancel_work_sync(&st_task_work);
	serve_newcomers();
	empty_table();
	release_dead();
	newcomers_free();
}
