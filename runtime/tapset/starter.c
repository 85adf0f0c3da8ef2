// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the starter (life/starter.h), and about tasks as numbered in its
 * namespaces.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

#include "life/starter.h"
#include "memory/access.h"

st_long st_fn_starter_pid(struct st_ctx *c)
{
	return st_starter.pid;
}

st_long st_fn_is_starters(struct st_ctx *c)
{
	return uid_eq(current_uid(), st_starter.user);
}

st_long st_fn_zone_west(struct st_ctx *c)
{
	return st_starter.west;
}

struct st_str st_fn_zone_name(struct st_ctx *c)
{
	return (struct st_str){ st_starter.zone, strlen(st_starter.zone) };
}

/* ---- tasks, as numbered in the starter's namespaces ------------------------------------------ */

/* Returns the address of a task's struct pid of this kind; 0 if it has none. */
static unsigned long task_pid_address(struct st_ctx *c, int kind, st_long task)
{
	static const unsigned char types[] = {
		[ST_ID_PROCESS] = PIDTYPE_TGID, [ST_ID_GROUP] = PIDTYPE_PGID,
		[ST_ID_SESSION] = PIDTYPE_SID,
	};
	unsigned long signal;

	if (kind == ST_ID_THREAD)
		return ST_POINTER(c, struct task_struct, task, thread_pid);
	signal = ST_POINTER(c, struct task_struct, task, signal);
	if (!signal)
		return 0;
	return st_kread(c, signal + offsetof(struct signal_struct, pids) +
			types[kind] * sizeof(struct pid *), sizeof(struct pid *));
}

/*
 * Returns a task's number in a namespace. A struct pid has a number for each namespace in which it
 * is visible, indexed by level.
 */
st_long st_fn_task_ns_id(struct st_ctx *c, int kind, st_long task)
{
	unsigned long pid = task_pid_address(c, kind, task), number;
	unsigned int level = st_starter.shown_pids->level;

	if (!pid || c->error || ST_FIELD(c, struct pid, pid, level) < level)
		return 0;
	number = pid + offsetof(struct pid, numbers) + level * sizeof(struct upid);
	if (ST_POINTER(c, struct upid, number, ns) != (unsigned long)st_starter.shown_pids)
		return 0;
	return ST_FIELD(c, struct upid, number, nr);
}

st_long st_fn_ns_id(struct st_ctx *c, int kind)
{
	return st_fn_task_ns_id(c, kind, (unsigned long)current);
}

static st_long shown_user(st_long uid)
{
	return from_kuid_munged(st_starter.shown_users, KUIDT_INIT(uid));
}

static st_long shown_group(st_long gid)
{
	return from_kgid_munged(st_starter.shown_users, KGIDT_INIT(gid));
}

st_long st_fn_task_ns_uid(struct st_ctx *c, st_long task)
{
	return shown_user(st_fn_task_uid(c, task));
}

st_long st_fn_task_ns_euid(struct st_ctx *c, st_long task)
{
	return shown_user(st_fn_task_euid(c, task));
}

st_long st_fn_task_ns_gid(struct st_ctx *c, st_long task)
{
	return shown_group(st_fn_task_gid(c, task));
}

st_long st_fn_task_ns_egid(struct st_ctx *c, st_long task)
{
	return shown_group(st_fn_task_egid(c, task));
}

st_long st_fn_ns_uid(struct st_ctx *c)
{
	return shown_user(st_fn_uid(c));
}

st_long st_fn_ns_euid(struct st_ctx *c)
{
	return shown_user(st_fn_euid(c));
}

st_long st_fn_ns_gid(struct st_ctx *c)
{
	return shown_group(st_fn_gid(c));
}

st_long st_fn_ns_egid(struct st_ctx *c)
{
	return shown_group(st_fn_egid(c));
}
