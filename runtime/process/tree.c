// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows processes and their descendants (tree.h).
 *
 * The tracepoints are followed first, so that what is created during the first look is not
 * missed: a child of a process that is not yet a member is found when the look is repeated.
 */
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "core/report.h"
#include "handler/print.h"
#include "tree.h"

/* Adds a task's process.  Returns false if the tree is full. */
static bool tree_add(struct st_tree *t, const struct task_struct *task)
{
	struct st_member *m;

	if (atomic_inc_return(&t->n) > ST_TREE_MOST) {
		atomic_dec(&t->n);
		atomic_inc(&t->left_out);
		return false;
	}
	m = st_member_new(&t->set);
	if (!m || !st_member_add(m, task))
		atomic_dec(&t->n);
	return true;
}

/* ---- processes that come and go ------------------------------------------- */

static void tree_forks(void *tree, struct task_struct *parent, struct task_struct *child)
{
	struct st_tree *t = tree;
	bool follows;

	if (child->tgid == parent->tgid)
		return;
	/* Linux 7 lets handlers of tracepoints be preempted, and is not under RCU then. */
	rcu_read_lock();
	follows = st_tree_has(t, parent->tgid) || t->is_root(parent);
	rcu_read_unlock();
	if (follows)
		tree_add(t, child);
}

static void tree_exits(void *tree, struct task_struct *task)
{
	struct st_tree *t = tree;
	struct st_member *m;

	if (!st_process_ended(task))
		return;
	m = st_member_remove(&t->set, task->tgid, false);
	if (m) {
		atomic_dec(&t->n);
		st_member_drop(m);
	}
}

/* ---- the first look --------------------------------------------------------- */

/* Adds roots, and children of members; returns whether it found one.  A child usually comes behind its
 * parent. */
static bool add_some(struct st_tree *t)
{
	struct task_struct *task;
	bool any = false;

	rcu_read_lock();
	for_each_process(task)
		if ((t->is_root(task) || st_tree_has(t, rcu_dereference(task->real_parent)->tgid)) &&
		    !st_process_ended(task) && !st_tree_has(t, task->tgid))
			any |= tree_add(t, task);
	rcu_read_unlock();
	return any;
}

/* Adds all that run.  A look that uses up the spare members is repeated with new ones. */
static int add_running(struct st_tree *t)
{
	do {
		int err = st_process_set_alloc(&t->set);

		if (err)
			return err;
		atomic_set(&t->set.lost, 0);
		atomic_set(&t->left_out, 0);
		cond_resched();
	} while (add_some(t));
	return 0;
}

int st_tree_watch(struct st_tree *t)
{
	int err;

	if (t->users++)
		return 0;
	t->follows[0] = (struct st_follow){ "sched_process_fork", tree_forks, t };
	t->follows[1] = (struct st_follow){ "sched_process_exit", tree_exits, t };
	err = st_process_set_alloc(&t->set);
	if (!err)
		err = st_follow(t->follows, ARRAY_SIZE(t->follows), 10);
	return err ?: add_running(t);
}

void st_tree_unwatch(struct st_tree *t, const char *whose)
{
	int lost;

	if (--t->users)
		return;
	st_unfollow(t->follows, ARRAY_SIZE(t->follows));
	st_process_set_free(&t->set);
	lost = atomic_read(&t->set.lost) + atomic_read(&t->left_out);
	if (lost)
		st_tell(ST_FMT_WARN, "%d of %s processes were not followed: they came too fast, or there "
			"were more than %d", lost, whose, ST_TREE_MOST);
}
