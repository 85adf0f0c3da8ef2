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

bool st_bounded;
struct cgroup *st_bound_cgroup;
static bool (*bound_has)(pid_t tgid);

static __always_inline bool is_added(const struct task_struct *task)
{
	return bound_has && bound_has(task->tgid);
}

void st_bound_add(bool (*has)(pid_t tgid))
{
	bound_has = has;
	st_bounded = true;
}

#ifdef CONFIG_CGROUPS
bool notrace st_bound_cgroup_has(const struct task_struct *task)
{
	return cgroup_is_descendant(rcu_dereference_raw(task->cgroups)->dfl_cgrp, st_bound_cgroup);
}

bool notrace st_task_in_bound(void)
{
	bool in;

	preempt_disable_notrace();
	in = (st_bound_cgroup && st_bound_cgroup_has(current)) || is_added(current);
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
	in = !owner || READ_ONCE(owner->ST_TASK_STATE) == TASK_NEW || is_added(owner) ||
	     (st_bound_cgroup && cgroup_is_descendant(rcu_dereference_raw(owner->cgroups)->dfl_cgrp,
						      READ_ONCE(st_bound_cgroup->dom_cgrp)));
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
	st_bounded = true;
	return 0;
}

void st_bound_check(void)
{
	if (st_bound_cgroup && !(READ_ONCE(st_bound_cgroup->self.flags) & CSS_ONLINE))
		st_tell(ST_FMT_WARN, "the cgroup that bounds the probes has been removed, and there were "
			"no hits since%s", bound_has ? " but those of processes that left it" : "");
}

void st_bound_drop(void)
{
	if (st_bound_cgroup)
		cgroup_put(st_bound_cgroup);
	st_bound_cgroup = NULL;
}
#else
bool st_bound_cgroup_has(const struct task_struct *task)
{
	return false;
}

bool notrace st_task_in_bound(void)
{
	return is_added(current);
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
