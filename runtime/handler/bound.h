/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bound of a session: a cgroup (v2), to whose tasks and those of the cgroups below it all probes are
 * limited; and processes that are followed, in addition or instead (process/followed.h).  It is set before
 * the first place is armed, and stays.
 *
 *	if (!st_in_bound())		at a hit
 *		return;
 */
#ifndef STAP_BOUND_H
#define STAP_BOUND_H

#include <linux/compiler.h>
#include <linux/types.h>

struct cgroup;
struct mm_struct;
struct task_struct;

extern bool st_bounded;
extern struct cgroup *st_bound_cgroup;		/* or NULL; holds a reference */

/* Is a task in the cgroup, which there is?  Under RCU, or with preemption disabled. */
bool st_bound_cgroup_has(const struct task_struct *task);

/* Adds the processes for whose numbers HAS() is true, in any context. */
void st_bound_add(bool (*has)(pid_t tgid));

/* Is the current task within the bound, which there is?  Any context. */
bool st_task_in_bound(void);

/* Is the current task one whose hits count?  Costs one load where there is no bound.  Any context. */
static __always_inline bool st_in_bound(void)
{
	return likely(!st_bounded) || st_task_in_bound();
}

/* May a process with this memory be within the bound, which there is?  Where the kernel doesn't know whose
 * memory it is, it may. */
bool st_memory_in_bound(const struct mm_struct *mm);

/* Makes the directory FD of the caller's the bound.  Returns 0, or -errno with st_message set. */
int st_bound_take(int fd);

/* Warns if the cgroup has been removed: there were no hits since. */
void st_bound_check(void);

/* Gives the cgroup back, when the module is unloaded. */
void st_bound_drop(void);

#endif
