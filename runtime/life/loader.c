// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Knows the loader, and has the module removed when all who could remove it were killed.
 *
 * staprun names itself by a module parameter when it inserts the module: setting one takes
 * the right to load modules, while the control file's descriptor is also stapio's.  When the
 * last watcher is gone, or the loader ended before there was one, the module is left behind:
 * it has the kernel run "staprun -k", which removes all such modules.  A module inserted by
 * hand stays.
 */
#include <linux/audit.h>
#include <linux/cred.h>
#include <linux/kmod.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "core/state.h"
#include "loader.h"
#include "watchers.h"

/* The time between two checks, doubled after each run of the program; and the most runs. */
#define ST_LOOK_MS 250
#define ST_RUNS 5

/*
 * The path of staprun.  NULL: inserted by hand; "": inserted by a loader that had no path to give.
 */
static char *remover;
module_param(remover, charp, 0);
MODULE_PARM_DESC(remover, "program that removes the module when its loader was killed");

/* Reads a user ID of the initial namespace; -1 stands for none. */
static unsigned int owner = -1;
module_param(owner, uint, 0);
MODULE_PARM_DESC(owner, "user who may open the session's files without CAP_SYS_MODULE");

static DEFINE_MUTEX(st_loader_lock);
static struct pid *st_loader;
static kuid_t st_user;			/* the loader's, or behind sudo the user who logged in */
static unsigned int st_runs;

static void loader_is(struct pid *pid)
{
	struct pid *old;

	mutex_lock(&st_loader_lock);
	old = st_loader;
	st_loader = pid;
	mutex_unlock(&st_loader_lock);
	put_pid(old);
}

void st_loader_take(void)
{
	kuid_t login = audit_get_loginuid(current);

	st_user = uid_valid(login) ? login : current_uid();
	loader_is(get_pid(task_tgid(current)));
}

/* Does the loader live?  One that has ended may remain as a zombie, which PF_EXITING tells. */
bool st_loader_lives(void)
{
	struct task_struct *task;
	bool lives;

	mutex_lock(&st_loader_lock);
	rcu_read_lock();
	task = pid_task(st_loader, PIDTYPE_TGID);
	lives = task && !(READ_ONCE(task->flags) & PF_EXITING);
	rcu_read_unlock();
	mutex_unlock(&st_loader_lock);
	return lives;
}

kuid_t st_loader_owner(void)
{
	return make_kuid(&init_user_ns, owner);
}

unsigned int st_loader_user(void)
{
	return from_kuid_munged(&init_user_ns, READ_ONCE(st_user));
}

int st_loader_pid(void)
{
	int pid;

	mutex_lock(&st_loader_lock);
	pid = pid_nr(st_loader);
	mutex_unlock(&st_loader_lock);
	return pid;
}

static bool loader_gone(void)
{
	return remover && !st_loader_lives();
}

bool st_loader_left(void)
{
	enum st_state state = READ_ONCE(st_state);

	if (!remover || st_watched())
		return false;
	return state == ST_STOPPED || (state == ST_LOADED && loader_gone());
}

/* Runs the remover, and waits until it has started, because argv is on our stack. */
static void run_remover(void)
{
	static char *const env[] = { "HOME=/", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
	char *argv[] = { remover, "-k", NULL };

	call_usermodehelper(remover, argv, (char **)env, UMH_WAIT_EXEC);
}

static void look(struct work_struct *work);
static DECLARE_DELAYED_WORK(st_look, look);

static void look(struct work_struct *work)
{
	if (st_watched())
		return;
	if (st_loader_left()) {
		st_runs++;
		run_remover();
	}
	if (st_runs < ST_RUNS)
		schedule_delayed_work(&st_look, msecs_to_jiffies(ST_LOOK_MS << st_runs));
}

void st_loader_look(void)
{
	if (!remover || !*remover)
		return;
	WRITE_ONCE(st_runs, 0);
	schedule_delayed_work(&st_look, 0);
}

void st_loader_forget(void)
{
	cancel_delayed_work_sync(&st_look);
	loader_is(NULL);
}

/*
 * Should arming go on?  While the session runs, the current task doesn't count, because it may be
 * loading a probed module.  While it starts, the loader counts too, which may be killed while its
 * child starts the session.
 */
bool st_arming_goes_on(void)
{
	enum st_state state;

	cond_resched();
	state = READ_ONCE(st_state);
	return state == ST_RUNNING || (state < ST_RUNNING && !fatal_signal_pending(current) &&
				       !loader_gone());
}
