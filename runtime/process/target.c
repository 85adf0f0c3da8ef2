// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows the target's processes.
 *
 * The set begins with the target and its descendants.  A process that a member creates
 * becomes a member; one that ends leaves.  The tracepoints are followed first, so that what
 * is created during the first look is not missed: a child of a process that is not yet a
 * member is found when the look is repeated.
 */
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "abi/stap_script.h"
#include "core/report.h"
#include "handler/print.h"
#include "life/starter.h"
#include "process_set.h"
#include "target.h"
#include "tracepoints.h"

static struct st_process_set st_target_set = ST_PROCESS_SET(st_target_set, struct st_member);
static unsigned int st_target_users;

bool st_target_given(void)
{
	return st_starter.target;
}

bool st_target_has(pid_t tgid)
{
	bool has;

	if (!st_target_given())
		return true;
	rcu_read_lock();
	has = st_member_find(&st_target_set, tgid);
	rcu_read_unlock();
	return has;
}

bool st_in_target(void)
{
	return st_target_has(current->tgid);
}

static void target_add(const struct task_struct *task)
{
	struct st_member *m = st_member_new(&st_target_set);

	if (m)
		st_member_add(m, task);
}

/* ---- processes that come and go ------------------------------------------- */

static void target_forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (child->tgid != parent->tgid && st_target_has(parent->tgid))
		target_add(child);
}

static void target_exits(void *data, struct task_struct *task)
{
	struct st_member *m;

	if (!st_process_ended(task))
		return;
	m = st_member_remove(&st_target_set, task->tgid, false);
	if (m)
		st_member_drop(m);
}

static struct st_follow st_target_follows[] = {
	{ "sched_process_fork", target_forks },
	{ "sched_process_exit", target_exits },
};

/* ---- the first look --------------------------------------------------------- */

static void add_root(void)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_vpid(st_starter.target), PIDTYPE_PID);
	if (task)
		target_add(task);
	rcu_read_unlock();
}

/* Adds the children of members; returns whether it found one.  A child usually comes behind
 * its parent. */
static bool add_children(void)
{
	struct task_struct *task;
	bool any = false;

	rcu_read_lock();
	for_each_process(task)
		if (st_target_has(rcu_dereference(task->real_parent)->tgid) &&
		    !st_process_ended(task) && !st_target_has(task->tgid)) {
			target_add(task);
			any = true;
		}
	rcu_read_unlock();
	return any;
}

/* Adds all descendants.  A look that uses up the spare members is repeated with new ones. */
static int add_descendants(void)
{
	do {
		int err = st_process_set_alloc(&st_target_set);

		if (err)
			return err;
		atomic_set(&st_target_set.lost, 0);
		cond_resched();
	} while (add_children());
	return 0;
}

int st_target_watch(void)
{
	int err;

	if (st_target_users++ || !st_target_given())
		return 0;
	err = st_process_set_alloc(&st_target_set);
	if (!err)
		err = st_follow(st_target_follows, ARRAY_SIZE(st_target_follows), 10);
	if (err)
		return err;
	add_root();
	return add_descendants();
}

void st_target_unwatch(void)
{
	int lost;

	if (--st_target_users || !st_target_given())
		return;
	st_unfollow(st_target_follows, ARRAY_SIZE(st_target_follows));
	st_process_set_free(&st_target_set);
	lost = atomic_read(&st_target_set.lost);
	if (lost)
		st_tell(ST_FMT_WARN, "%d of the target's processes came too fast to be followed",
			lost);
}
