// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes and gives back the starter's namespaces. */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>

#include "core/report.h"
#include "starter.h"

struct st_starter st_starter = { .zone = "UTC" };

void st_starter_take(void)
{
	st_starter.pid = current->tgid;
	st_starter.user = current_euid();
	st_starter.pids = get_pid_ns(task_active_pid_ns(current));
	if (!st_starter.shown_pids)
		st_starter.shown_pids = get_pid_ns(st_starter.pids);
	if (!st_starter.shown_users)
		st_starter.shown_users = get_user_ns(current_user_ns());
}

static void put_shown(void)
{
	if (st_starter.shown_pids)
		put_pid_ns(st_starter.shown_pids);
	if (st_starter.shown_users)
		put_user_ns(st_starter.shown_users);
}

void st_starter_drop(void)
{
	if (st_starter.pids)
		put_pid_ns(st_starter.pids);
	put_shown();
}

int st_starter_namespaces(pid_t pid)
{
	struct task_struct *task;
	struct pid_namespace *pids = NULL;
	struct user_namespace *users = NULL;

	rcu_read_lock();
	task = pid_task(find_vpid(pid), PIDTYPE_PID);
	if (task)
		pids = task_active_pid_ns(task);	/* NULL: it has ended */
	if (pids) {
		get_pid_ns(pids);
		users = get_user_ns(__task_cred(task)->user_ns);
	}
	rcu_read_unlock();
	if (!pids)
		return st_fail(-ESRCH, "there is no process %d (namespaces)", pid);
	put_shown();			/* of an earlier command; may sleep */
	st_starter.shown_pids = pids;
	st_starter.shown_users = users;
	return 0;
}

int st_starter_zone(char *args)
{
	char *name = args;
	long west;

	strsep(&name, " ");
	if (!name || !*name || strlen(name) >= sizeof(st_starter.zone) ||
	    kstrtol(args, 10, &west) || west < -86400 || west > 86400)
		return st_fail(-EINVAL, "wanted: zone SECONDS NAME");
	st_starter.west = west;
	strcpy(st_starter.zone, name);
	return 0;
}
