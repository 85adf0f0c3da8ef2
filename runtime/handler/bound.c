// SPDX-License-Identifier: GPL-2.0-or-later
/* The bound of a session (bound.h): which tasks are in its cgroup. */
#include <linux/cgroup.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "core/report.h"
#include "handler/compat.h"
#include "handler/print.h"
#include "bound.h"

struct cgroup *st_bound_cgroup;

#ifdef CONFIG_CGROUPS
/* The caller's RCU section, or preemption that is off, keeps the task's set of cgroups. */
static __always_inline bool has_task(const struct task_struct *task)
{
	return cgroup_is_descendant(rcu_dereference_raw(task->cgroups)->dfl_cgrp, st_bound_cgroup);
}

bool notrace st_task_in_bound(void)
{
	bool in;

	preempt_disable_notrace();
	in = has_task(current);
	preempt_enable_notrace();
	return in;
}

bool st_memory_in_bound(const struct mm_struct *mm)
{
	bool in = true;
#ifdef CONFIG_MEMCG
	const struct task_struct *owner;

	/*
	 * The owner is one thread; others may be in threaded groups below its domain.  A new task's groups
	 * are set after its memory.
	 */
	rcu_read_lock();
	owner = rcu_dereference(mm->owner);
	in = !owner || READ_ONCE(owner->ST_TASK_STATE) == TASK_NEW ||
	     cgroup_is_descendant(rcu_dereference_raw(owner->cgroups)->dfl_cgrp,
				  READ_ONCE(st_bound_cgroup->dom_cgrp));
	rcu_read_unlock();
#endif
	return in;
}

int st_bound_take(int fd)
{
	struct cgroup *cgroup = cgroup_get_from_fd(fd);

	if (IS_ERR(cgroup))
		return st_fail(PTR_ERR(cgroup), "it is not a directory of cgroup v2");
	st_bound_drop();
	st_bound_cgroup = cgroup;
	return 0;
}

void st_bound_check(void)
{
	if (st_bound_cgroup && !(READ_ONCE(st_bound_cgroup->self.flags) & CSS_ONLINE))
		st_tell(ST_FMT_WARN, "the cgroup that bounds the probes has been removed, and there were "
			"no hits since");
}

void st_bound_drop(void)
{
	if (st_bound_cgroup)
		cgroup_put(st_bound_cgroup);
	st_bound_cgroup = NULL;
}
#else
bool st_task_in_bound(void)
{
	return true;
}

bool st_memory_in_bound(const struct mm_struct *mm)
{
	return true;
}

int st_bound_take(int fd)
{
	return st_fail(-EOPNOTSUPP, "this kernel has no cgroups");
}

void st_bound_check(void)
{
}

void st_bound_drop(void)
{
}
#endif
