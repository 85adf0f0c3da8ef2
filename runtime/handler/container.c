// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the current task's container by the names of its cgroups (text/cgroup_name.h).
 *
 * The task keeps its cgroup, a cgroup keeps those above it and their names, and disabled preemption keeps
 * the task's set of cgroups: nothing has to be locked, or read fault-safely.
 */
#include <linux/cgroup.h>
#include <linux/kernfs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "text/cgroup_name.h"
#include "container.h"

#ifdef CONFIG_CGROUPS
static const struct cgroup *parent_of(const struct cgroup *cgroup)
{
	const struct cgroup_subsys_state *parent = READ_ONCE(cgroup->self.parent);

	return parent ? container_of(parent, struct cgroup, self) : NULL;
}

void st_container_of_current(char to[ST_ORIGIN_CONTAINER])
{
	const struct cgroup *cgroup = rcu_dereference_raw(current->cgroups)->dfl_cgrp;
	struct st_cgroup_name name;

	memset(to, 0, ST_ORIGIN_CONTAINER);
	if (cgroup->level > ST_CGROUP_DEPTH)
		return;
	for (; cgroup && cgroup->level > 0; cgroup = parent_of(cgroup)) {
		const char *dir = READ_ONCE(cgroup->kn->name);

		if (cgroup->level > ST_CGROUP_LEVELS ||
		    st_cgroup_name((struct st_str){ dir, strlen(dir) }, &name) != ST_CGROUP_CONTAINER)
			continue;
		memset(to, 0, ST_ORIGIN_CONTAINER);
		memcpy(to, name.text, name.id ? ST_CONTAINER_DIGITS : name.len);
	}
}
#else
void st_container_of_current(char to[ST_ORIGIN_CONTAINER])
{
	memset(to, 0, ST_ORIGIN_CONTAINER);
}
#endif
