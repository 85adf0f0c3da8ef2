// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.begin, .end, .thread.begin, .thread.end, .syscall, .syscall.return, .data.
 *
 * The kernel's tracepoints report what processes do.  Each process that some place is for is
 * followed: it has a member in a set, with the groups of places that are for it.
 *
 * A begin handler runs as task work, in the process itself before it runs (again) in user
 * space: where the process was just created, has just executed the program, or ran already
 * when the session started.  One that sleeps then runs it when it wakes.  If the process ends
 * or executes another program before that, the handler runs then, so that each end has its
 * begin.
 *
 * A process ends when its last thread ends, or when it executes another program.  The handler runs
 * in the tracepoint, like handlers of threads' ends and of system calls.  Where threads end
 * together, it runs in the first thread that finds all of them exiting, so other threads' ends may
 * come after it.
 *
 * A program that doesn't exist when the session starts has no inode by which to know it.  So each
 * process that executes a program compares its path with the paths of awaited programs, in task
 * work, because a tracepoint can't.
 *
 * Processes are followed from started() on: before, no handler would run.
 */
#include <asm/syscall.h>
#include <linux/limits.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "memory/wait.h"
#include "process/process_set.h"
#include "process/program.h"
#include "process/program_path.h"
#include "process/target.h"
#include "process/task_work.h"
#include "process/tasks.h"
#include "process/tracepoints.h"
#include "family.h"
#include "watch.h"

/* The processes of a group: all that run a program, or one process, or, with neither, all. */
struct st_processes {
	const struct inode *program;
	const char *awaited;		/* the path of a program that was not there at the start */
	pid_t tgid;
};

struct st_process_place {
	const struct st_process *process;
	struct st_processes whose;
};

/* The places that are for the same processes: places first[event] to first[event + 1] - 1. */
struct st_process_group {
	struct st_processes whose;
	unsigned int first[ST_PROCESS_EVENTS + 1];
};

/* A process is in up to four groups: of all processes, of its program, of itself, of its program's path. */
enum { ST_AWAITED_GROUP = 3, ST_GROUPS };

struct st_followed {
	struct st_member member;
	const struct st_process_group *groups[ST_GROUPS];	/* or NULL */
	unsigned long begun;		/* bit 0: its begin handlers have run, or are about to */
};

static struct st_process_place *st_process_places;	/* by group, then by event */
static unsigned int st_nprocess_places;
static struct st_process_group *st_process_groups;
static unsigned int st_nprocess_groups;
static struct st_process_set st_followed_set = ST_PROCESS_SET(st_followed_set, struct st_followed);
static bool st_follows_processes;
static bool st_process_armed;

/* ---- hits -------------------------------------------------------------------- */

/* Runs the handler of a hit; in task work it may wait for the process's memory. */
static void process_hit(const struct st_process *p, bool task_work, struct st_syscall *call)
{
	struct st_context *x;

	x = task_work ? st_enter_to_wait(&p->point) : st_enter(&p->point, ST_RUNNING);
	if (!x)
		return;
	st_set_regs(x, task_pt_regs(current));
	x->user_regs = true;
	x->c.saved = (char *)call;
	p->point.probe->handler(&x->c);
	st_leave_handler(x);
}

/* Runs the handlers of the current process for an event. */
static void process_event(const struct st_process_group *const *groups,
			  enum st_process_event event, bool task_work, struct st_syscall *call)
{
	unsigned int i, j;

	for (i = 0; i < ST_GROUPS; i++)
		for (j = groups[i] ? groups[i]->first[event] : 0;
		     groups[i] && j < groups[i]->first[event + 1]; j++)
			process_hit(st_process_places[j].process, task_work, call);
}

static bool has_places(const struct st_process_group *const *groups, enum st_process_event event)
{
	unsigned int i;

	for (i = 0; i < ST_GROUPS; i++)
		if (groups[i] && groups[i]->first[event] < groups[i]->first[event + 1])
			return true;
	return false;
}

/*
 * Copies the current process's groups.  Returns false if it is not followed.  A member that has
 * ended serves its own threads that still end, not another process that has got its number.
 */
static bool groups_of_current(const struct st_process_group **groups, bool begins)
{
	struct st_member *m;
	struct st_followed *f;
	bool found;

	rcu_read_lock();
	m = st_member_find(&st_followed_set, current->tgid);
	f = container_of(m, struct st_followed, member);
	found = m && (!READ_ONCE(m->ended) || st_process_ended(current)) &&
		!(begins && test_and_set_bit(0, &f->begun));
	if (found)
		memcpy(groups, f->groups, sizeof(f->groups));
	rcu_read_unlock();
	return found;
}

/* ---- processes that begin and end ----------------------------------------------- */

/* Orders groups by the processes that they are for. */
static int compare_whose(const struct st_processes *a, const struct st_processes *b)
{
	if (a->awaited != b->awaited)
		return a->awaited < b->awaited ? -1 : 1;
	if (a->program != b->program)
		return a->program < b->program ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

static const struct st_process_group *group_find(const struct inode *program, pid_t tgid)
{
	const struct st_processes wanted = { .program = program, .tgid = tgid };
	unsigned int low = 0, high = st_nprocess_groups;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;
		int c = compare_whose(&wanted, &st_process_groups[mid].whose);

		if (!c)
			return &st_process_groups[mid];
		if (c > 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* Finds the groups of a task whose mm stays; false if it is in none. */
static bool groups_find(const struct task_struct *task, const struct st_process_group **groups)
{
	const struct inode *program;

	memset(groups, 0, sizeof(*groups) * ST_GROUPS);
	if (!task->mm || task->flags & ST_KERNEL_THREAD || !st_target_has(task->tgid))
		return false;
	program = st_program_of_mm(task->mm);
	groups[0] = group_find(NULL, 0);
	groups[1] = program ? group_find(program, 0) : NULL;
	groups[2] = group_find(NULL, task->tgid);
	return groups[0] || groups[1] || groups[2];
}

static void process_begins(void)
{
	const struct st_process_group *groups[ST_GROUPS];

	if (!(current->flags & PF_EXITING) && groups_of_current(groups, true))
		process_event(groups, ST_PROCESS_BEGIN, true, NULL);
}

static void thread_begins(void)
{
	const struct st_process_group *groups[ST_GROUPS];

	if (!(current->flags & PF_EXITING) && groups_of_current(groups, false))
		process_event(groups, ST_THREAD_BEGIN, true, NULL);
}

/* In task work: makes the current thread watch the memory of its process's places. */
static void thread_watches(void)
{
	const struct st_process_group *groups[ST_GROUPS];
	unsigned int i, j;

	if (current->flags & PF_EXITING || !groups_of_current(groups, false))
		return;
	for (i = 0; i < ST_GROUPS; i++)
		for (j = groups[i] ? groups[i]->first[ST_PROCESS_WATCH] : 0;
		     groups[i] && j < groups[i]->first[ST_PROCESS_WATCH + 1]; j++)
			st_watch_begin(st_process_places[j].process);
}

static void thread_watch(struct task_struct *task, const struct st_process_group *const *groups)
{
	if (has_places(groups, ST_PROCESS_WATCH))
		st_task_work_add(task, thread_watches);
}

/* Follows a task's process in these groups, unless that is followed already. */
static void process_follow(struct task_struct *task, const struct st_process_group *const *groups)
{
	struct st_member *m = st_member_new(&st_followed_set);

	if (!m)
		return;
	memcpy(container_of(m, struct st_followed, member)->groups, groups,
	       sizeof(*groups) * ST_GROUPS);
	if (st_member_add(m, task) && has_places(groups, ST_PROCESS_BEGIN))
		st_task_work_add(task, process_begins);
}

static void end_handlers(struct st_member *m)
{
	struct st_followed *f = container_of(m, struct st_followed, member);

	if (!test_and_set_bit(0, &f->begun))
		process_event(f->groups, ST_PROCESS_BEGIN, false, NULL);
	process_event(f->groups, ST_PROCESS_END, false, NULL);
}

/* Ends the current process, of which threads may still have to end. */
static void process_ends(void)
{
	struct st_member *m;

	rcu_read_lock();
	m = st_member_end(&st_followed_set, current->tgid);
	if (m)
		end_handlers(m);
	rcu_read_unlock();
}

/* Ends the program that the current process ran, because it executes another. */
static void program_ends(void)
{
	struct st_member *m = st_member_remove(&st_followed_set, current->tgid, false);

	if (!m)
		return;
	end_handlers(m);
	st_member_drop(m);
}

/* ---- programs that are awaited ---------------------------------------------------- */

/* Is any program awaited?  The groups of awaited programs come last. */
static bool awaits_programs(void)
{
	return st_nprocess_groups && st_process_groups[st_nprocess_groups - 1].whose.awaited;
}

static const struct st_process_group *awaited_group(const char *path)
{
	unsigned int i;

	for (i = st_nprocess_groups; path && i-- && st_process_groups[i].whose.awaited;)
		if (!strcmp(st_process_groups[i].whose.awaited, path))
			return &st_process_groups[i];
	return NULL;
}

static const struct st_process_group *awaited_group_of_current(void)
{
	const struct st_process_group *g;
	char *room = kmalloc(PATH_MAX, GFP_KERNEL);

	if (!room) {
		atomic_inc(&st_followed_set.lost);
		return NULL;
	}
	g = awaited_group(st_program_path(room));
	kfree(room);
	return g;
}

/* Adds the group to a member's.  Returns whether its begin handlers have run; false without one. */
static bool join_group(const struct st_process_group *g, bool *followed)
{
	struct st_followed *f;
	struct st_member *m;
	bool begun = false;

	rcu_read_lock();
	m = st_member_find(&st_followed_set, current->tgid);
	*followed = m && !READ_ONCE(m->ended);
	if (*followed) {
		f = container_of(m, struct st_followed, member);
		WRITE_ONCE(f->groups[ST_AWAITED_GROUP], g);
		begun = test_bit(0, &f->begun);
	}
	rcu_read_unlock();
	return begun;
}

/*
 * In task work: follows the current process, if the program that it has just executed is awaited.
 */
static void awaited_begins(void)
{
	const struct st_process_group *groups[ST_GROUPS] = { };
	bool followed;

	if (current->flags & PF_EXITING || !st_target_has(current->tgid))
		return;
	groups[ST_AWAITED_GROUP] = awaited_group_of_current();
	if (!groups[ST_AWAITED_GROUP])
		return;
	if (join_group(groups[ST_AWAITED_GROUP], &followed))
		process_event(groups, ST_PROCESS_BEGIN, true, NULL);
	else if (followed)
		process_begins();
	else
		process_follow(current, groups);
}

/* Finds the groups of a new process, which runs its parent's program. */
static bool groups_of_child(const struct task_struct *child, const struct st_process_group **groups)
{
	const struct st_process_group *parents[ST_GROUPS];
	bool found = groups_find(child, groups);

	if (!awaits_programs() || !st_target_has(child->tgid) || !groups_of_current(parents, false))
		return found;
	groups[ST_AWAITED_GROUP] = parents[ST_AWAITED_GROUP];
	return found || groups[ST_AWAITED_GROUP];
}

/* ---- tracepoints ------------------------------------------------------------------ */

static void process_forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	const struct st_process_group *groups[ST_GROUPS];

	if (!READ_ONCE(st_follows_processes))
		return;
	if (child->tgid != parent->tgid) {
		if (!groups_of_child(child, groups))
			return;
		process_follow(child, groups);
	} else {
		if (!groups_of_current(groups, false))
			return;
		if (has_places(groups, ST_THREAD_BEGIN))
			st_task_work_add(child, thread_begins);
	}
	thread_watch(child, groups);
}

static void process_execs(void *data, struct task_struct *task)
{
	const struct st_process_group *groups[ST_GROUPS];

	if (!READ_ONCE(st_follows_processes))
		return;
	program_ends();
	st_watch_forget();
	if (awaits_programs())
		st_task_work_add(task, awaited_begins);
	if (!groups_find(task, groups))
		return;
	process_follow(task, groups);
	thread_watch(task, groups);
}

static void process_exits(void *data, struct task_struct *task)
{
	const struct st_process_group *groups[ST_GROUPS];

	if (!READ_ONCE(st_follows_processes) || task->flags & ST_KERNEL_THREAD)
		return;
	if (task->pid != task->tgid && groups_of_current(groups, false))
		process_event(groups, ST_THREAD_END, false, NULL);
	st_watch_forget();
	if (st_process_ended(task))
		process_ends();
}

/* Forgets a process when its first thread is freed, after all others. */
static void process_freed(void *data, struct task_struct *task)
{
	struct st_member *m;

	if (!READ_ONCE(st_follows_processes) || task->pid != task->tgid)
		return;
	m = st_member_remove(&st_followed_set, task->tgid, true);
	if (m)
		st_member_drop(m);
}

static void syscall_enters(void *data, struct pt_regs *regs, long number)
{
	const struct st_process_group *groups[ST_GROUPS];
	struct st_syscall call = { .syscall = number };
	unsigned long args[6];

	if (!groups_of_current(groups, false))
		return;
	syscall_get_arguments(current, regs, args);
	call.arg1 = args[0];
	call.arg2 = args[1];
	call.arg3 = args[2];
	call.arg4 = args[3];
	call.arg5 = args[4];
	call.arg6 = args[5];
	process_event(groups, ST_SYSCALL, false, &call);
}

static void syscall_returns(void *data, struct pt_regs *regs, long result)
{
	const struct st_process_group *groups[ST_GROUPS];
	struct st_syscall call = { .result = result };

	if (!groups_of_current(groups, false))
		return;
	call.syscall = syscall_get_nr(current, regs);
	process_event(groups, ST_SYSCALL_RETURN, false, &call);
}

static struct st_follow st_process_follows[] = {
	{ "sched_process_fork", process_forks },
	{ "sched_process_exec", process_execs },
	{ "sched_process_exit", process_exits },
	{ "sched_process_free", process_freed },
};

static struct st_follow st_syscall_follows[] = { { "sys_enter", syscall_enters } };
static struct st_follow st_return_follows[] = { { "sys_exit", syscall_returns } };

/* ---- processes that run already ----------------------------------------------------- */

static bool process_is_user(struct task_struct *task)
{
	return !(task->flags & (ST_KERNEL_THREAD | PF_EXITING));
}

/*
 * Does the task run the loader's program?  So does the process of -c until it executes the command.
 */
static bool is_loader(const struct task_struct *task)
{
	return st_target_given() && task->mm &&
	       st_program_of_mm(task->mm) == st_program_of_mm(current->mm);
}

static void welcome_task(struct task_struct *task)
{
	const struct st_process_group *groups[ST_GROUPS];
	bool wanted;

	task_lock(task);
	wanted = groups_find(task, groups) && !is_loader(task);
	task_unlock(task);
	if (!wanted)
		return;
	process_follow(task, groups);
	if (task->pid != task->tgid && has_places(groups, ST_THREAD_BEGIN))
		st_task_work_add(task, thread_begins);
	thread_watch(task, groups);
}

static int process_welcome_running(void)
{
	struct task_struct **tasks;
	int i, err = 0, n = st_tasks_list(process_is_user, &tasks);

	if (n < 0)
		return n;
	for (i = 0; i < n && !err; i++) {
		err = st_process_set_alloc(&st_followed_set) ?: st_task_works_fill();
		if (!err)
			welcome_task(tasks[i]);
		cond_resched();
	}
	st_tasks_put(tasks, n);
	return err;
}

static void process_started(void)
{
	WRITE_ONCE(st_follows_processes, true);
	if (process_welcome_running())
		st_tell(ST_FMT_WARN, "no memory for the processes that run already");
}

/* ---- the family ------------------------------------------------------------------------ */

static int compare_places(const void *a, const void *b)
{
	const struct st_process_place *p = a, *q = b;
	int c = compare_whose(&p->whose, &q->whose);

	if (c)
		return c;
	if (p->process->event != q->process->event)
		return p->process->event < q->process->event ? -1 : 1;
	return p->process < q->process ? -1 : p->process > q->process;
}

/*
 * Finds the place's program or process.  If the program was removed, the loader has warned of it.
 */
static bool whose_find(struct st_process_place *p)
{
	const struct st_process *process = p->process;
	const struct st_file *file = process->file >= 0 ? &st_program.files[process->file] : NULL;
	struct task_struct *task;

	if (file && !process->pid) {
		p->whose.program = file->inode;
		p->whose.awaited = !file->inode && file->awaited ? file->path : NULL;
	}
	if (!process->pid)
		return !file || p->whose.program || p->whose.awaited;
	rcu_read_lock();
	task = pid_task(find_vpid(process->pid), PIDTYPE_PID);
	if (task)
		p->whose.tgid = task->tgid;
	rcu_read_unlock();
	if (!task)
		st_tell(ST_FMT_WARN, "%s: there is no process %d", process->point.pp, process->pid);
	return task;
}

/* Makes groups of the sorted places, in which a group's places follow each other. */
static void make_groups(void)
{
	struct st_process_group *g = NULL;
	unsigned int i, event = 0;

	for (i = 0; i < st_nprocess_places; i++) {
		const struct st_process_place *p = &st_process_places[i];

		if (!g || compare_whose(&g->whose, &p->whose)) {
			for (; g && event < ST_PROCESS_EVENTS; event++)
				g->first[event + 1] = i;
			g = &st_process_groups[st_nprocess_groups++];
			g->whose = p->whose;
			g->first[0] = i;
			event = 0;
		}
		for (; event < p->process->event; event++)
			g->first[event + 1] = i;
	}
	for (; g && event < ST_PROCESS_EVENTS; event++)
		g->first[event + 1] = i;
}

static int process_prepare(const void *items, unsigned int n)
{
	const struct st_process *processes = items;
	unsigned int i;

	st_process_places = kvcalloc(n, sizeof(*st_process_places), GFP_KERNEL);
	st_process_groups = kvcalloc(n, sizeof(*st_process_groups), GFP_KERNEL);
	if (!st_process_places || !st_process_groups)
		return st_fail(-ENOMEM, "no memory for %u places in processes", n);
	for (i = 0; i < n; i++) {
		struct st_process_place *p = &st_process_places[st_nprocess_places];

		p->process = &processes[i];
		st_nprocess_places += whose_find(p);
	}
	sort(st_process_places, st_nprocess_places, sizeof(*st_process_places), compare_places,
	     NULL);
	make_groups();
	if (awaits_programs())
		st_root_keep();
	return st_spares_alloc();
}

static bool any_place(enum st_process_event event)
{
	unsigned int i;

	for (i = 0; i < st_nprocess_places; i++)
		if (st_process_places[i].process->event == event)
			return true;
	return false;
}

/*
 * Arms.  The target's processes are followed first, so that the functions of that run first in the
 * tracepoints.
 */
static int process_arm(void)
{
	int err = st_process_set_alloc(&st_followed_set);

	st_process_armed = true;
	err = st_task_works_begin() ?: err;
	err = st_target_watch() ?: err;
	err = err ?: st_follow(st_process_follows, ARRAY_SIZE(st_process_follows), 10);
	if (!err && any_place(ST_SYSCALL))
		err = st_follow(st_syscall_follows, ARRAY_SIZE(st_syscall_follows), 10);
	if (!err && any_place(ST_SYSCALL_RETURN))
		err = st_follow(st_return_follows, ARRAY_SIZE(st_return_follows), 10);
	return err;
}

static void process_disarm(void)
{
	if (!st_process_armed)
		return;
	st_process_armed = false;
	WRITE_ONCE(st_follows_processes, false);
	st_unfollow(st_return_follows, ARRAY_SIZE(st_return_follows));
	st_unfollow(st_syscall_follows, ARRAY_SIZE(st_syscall_follows));
	st_unfollow(st_process_follows, ARRAY_SIZE(st_process_follows));
	st_target_unwatch();
	st_task_works_end();
	st_watches_end();
	st_process_set_free(&st_followed_set);
}

static unsigned long process_missed(void)
{
	return atomic_read(&st_followed_set.lost);
}

static void process_release(void)
{
	st_root_release();
	st_nprocess_places = 0;
	st_nprocess_groups = 0;
	kvfree(st_process_places);
	kvfree(st_process_groups);
	st_process_places = NULL;
	st_process_groups = NULL;
	st_spares_free();
}

const struct st_family st_process_family = {
	.name = "process",
	.prepare = process_prepare,
	.arm = process_arm,
	.started = process_started,
	.disarm = process_disarm,
	.release = process_release,
	.missed = process_missed,
};
