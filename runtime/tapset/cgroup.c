// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about tasks' control groups.
 *
 * Fields are read fault-safely, because the address of a task comes from the script, and because the
 * name of a group of the first version (cgroup v1) can be changed, and freed, meanwhile.
 */
#include <linux/cgroup-defs.h>
#include <linux/kernfs.h>
#include <linux/limits.h>
#include <linux/sched.h>

#include "memory/access.h"
#include "text/cgroup_name.h"

#ifdef CONFIG_CGROUPS
/*
 * Returns a task's group: that in the unified hierarchy; if it is the root there, that in the first
 * hierarchy of a controller (cgroup v1) where it isn't.
 */
static unsigned long task_group(struct st_ctx *c, unsigned long task)
{
	unsigned long set = ST_POINTER(c, struct task_struct, task, cgroups);
	unsigned long group = ST_POINTER(c, struct css_set, set, dfl_cgrp), css;
	unsigned int i;

	for (i = 0; i < CGROUP_SUBSYS_COUNT; i++) {
		if (c->error || ST_FIELD(c, struct cgroup, group, level))
			break;
		css = ST_POINTER(c, struct css_set, set, subsys[i]);
		if (css)
			group = ST_POINTER(c, struct cgroup_subsys_state, css, cgroup);
	}
	return group;
}

/* A group's parent, or 0 of a root. */
static unsigned long parent_group(struct st_ctx *c, unsigned long group)
{
	unsigned long css = ST_POINTER(c, struct cgroup, group, self.parent);

	return css ? css - offsetof(struct cgroup, self) : 0;
}

/* A walk from a task's group up to the root. */
struct group_walk {
	unsigned long group;		/* next */
	unsigned int left;		/* levels */
	bool lost;			/* the group is too deep */
	char name[NAME_MAX + 1];	/* of the group's directory */
};

/*
 * Who may make groups in one can nest many, with the names of others: so the outermost levels are walked,
 * and a walk always ends at the root.
 */
static void walk_begin(struct st_ctx *c, struct group_walk *w, unsigned long task)
{
	int level;

	w->group = task_group(c, task);
	w->left = ST_CGROUP_LEVELS;
	level = ST_FIELD(c, struct cgroup, w->group, level);
	w->lost = level > ST_CGROUP_DEPTH;
	if (w->lost)
		w->left = 0;
	for (; !c->error && !w->lost && level > ST_CGROUP_LEVELS; level--)
		w->group = parent_group(c, w->group);
}

/* Goes one level up. Returns the name of the directory left; an empty one at the root. */
static struct st_str walk_up(struct st_ctx *c, struct group_walk *w)
{
	unsigned long parent, node;
	long n;

	if (c->error || !w->left--)
		return ST_LIT("");
	parent = parent_group(c, w->group);
	if (!parent)
		return ST_LIT("");
	node = ST_POINTER(c, struct cgroup, w->group, kn);
	n = st_copy_string(w->name, ST_POINTER(c, struct kernfs_node, node, name), NAME_MAX,
			   st_copy_kernel);
	w->group = parent;
	if (n <= 0)
		w->name[0] = '?';
	return (struct st_str){ w->name, n > 0 ? n : 1 };
}
#else
struct group_walk { bool lost; };

static void walk_begin(struct st_ctx *c, struct group_walk *w, unsigned long task)
{
	w->lost = false;
}

static struct st_str walk_up(struct st_ctx *c, struct group_walk *w)
{
	return ST_LIT("");
}
#endif

/* The path is made from its end; one that has lost its beginning has '?' instead of the first slash. */
struct st_str st_fn_task_cgroup(struct st_ctx *c, st_long task)
{
	unsigned int room = st_program.maxstringlen - 1, at = room;
	char *p = st_scratch(c, room);
	struct group_walk w;
	struct st_str name;

	if (!p)
		return ST_LIT("");
	walk_begin(c, &w, task);
	while ((name = walk_up(c, &w)).len && at) {
		unsigned int n = min(name.len, at - 1);

		at -= n;
		memcpy(p + at, name.p + name.len - n, n);
		p[--at] = '/';
	}
	if (c->error)
		return ST_LIT("");
	if (at == room)
		p[--at] = '/';
	if (!at || w.lost)
		p[at] = '?';
	memmove(p, p + at, room - at);
	p[room - at] = '\0';
	c->sp = p + room - at + 1;
	return (struct st_str){ p, room - at };
}

struct st_str st_fn_cgroup_path(struct st_ctx *c)
{
	return st_fn_task_cgroup(c, (unsigned long)current);
}

struct st_str st_fn_cgroup_name(struct st_ctx *c, int kind)
{
	char *p = st_scratch(c, ST_CGROUP_NAME - 1);
	struct st_cgroup_name name, found = { 0 };
	struct group_walk w;
	struct st_str dir;

	if (!p)
		return ST_LIT("");
	walk_begin(c, &w, (unsigned long)current);
	while ((dir = walk_up(c, &w)).len)
		if (st_cgroup_name(dir, &name) == kind)
			found = name;
	if (w.lost) {
		found.text[0] = '?';
		found.len = 1;
	} else if (found.id) {
		found.len = ST_CONTAINER_DIGITS;
	}
	memcpy(p, found.text, found.len);
	p[found.len] = '\0';
	c->sp = p + found.len + 1;
	return (struct st_str){ p, found.len };
}
