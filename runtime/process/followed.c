// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds followed processes to the bound (followed.h). */
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "core/report.h"
#include "handler/bound.h"
#include "followed.h"
#include "target.h"
#include "tree.h"

static struct st_tree st_followed_tree = ST_TREE(st_followed_tree, st_bound_cgroup_has);
static bool st_follows, st_followed_watched;

static bool notrace followed_has(pid_t tgid)
{
	return st_tree_has(&st_followed_tree, tgid);
}

void st_followed_want(void)
{
	st_follows = true;
}

int st_followed_watch(void)
{
	if (!st_follows)
		return 0;
	if (!st_bound_cgroup && !st_target_given())
		return st_fail(-EINVAL, "there is no cgroup, container or target whose processes to follow");
	st_followed_watched = true;
	st_bound_add(st_bound_cgroup ? followed_has : st_target_has);
	return st_bound_cgroup ? st_tree_watch(&st_followed_tree) : st_target_watch();
}

void st_followed_unwatch(void)
{
	if (!st_followed_watched)
		return;
	st_followed_watched = false;
	if (st_bound_cgroup)
		st_tree_unwatch(&st_followed_tree, "the cgroup's");
	else
		st_target_unwatch();
}
