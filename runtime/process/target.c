// SPDX-License-Identifier: GPL-2.0-or-later
/* Follows the target's processes (target.h). */
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "life/starter.h"
#include "target.h"
#include "tree.h"

static pid_t st_target_root;	/* while the watch begins: later another process may have the number */

static bool is_target(const struct task_struct *task)
{
	return task->tgid == READ_ONCE(st_target_root);
}

struct st_tree st_target_tree = ST_TREE(st_target_tree, is_target);

bool st_target_given(void)
{
	return st_starter.target;
}

bool notrace st_target_has(pid_t tgid)
{
	return !st_starter.target || st_tree_has(&st_target_tree, tgid);
}

static pid_t find_target(void)
{
	struct task_struct *task;
	pid_t tgid;

	rcu_read_lock();
	task = pid_task(find_vpid(st_starter.target), PIDTYPE_PID);
	tgid = task ? task->tgid : 0;
	rcu_read_unlock();
	return tgid;
}

int st_target_watch(void)
{
	int err;

	if (!st_target_given())
		return 0;
	WRITE_ONCE(st_target_root, find_target());
	err = st_tree_watch(&st_target_tree);
	WRITE_ONCE(st_target_root, 0);
	return err;
}

void st_target_unwatch(void)
{
	if (st_target_given())
		st_tree_unwatch(&st_target_tree, "the target's");
}
