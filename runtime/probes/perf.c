// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Performance events, including watched memory.  Each probe has an event on each CPU,
 * which calls the handler after every PERIOD occurrences, or HZ times a second.  A counter
 * has no handler; other probes' handlers read it, the one of their CPU or of their thread
 * (perf_tasks.c).
 *
 * A CPU that goes offline removes its events from its context; when it comes back, it gets new
 * ones.  The tracepoint cpuhp_exit reports each step that a CPU takes on its way.  Callbacks of the
 * hot-plug machinery would do, but the kernel has some thirty places for all modules and warns
 * (WARN) when they are used up.  Creating an event sleeps: a worker does it.
 *
 * Handlers run in whatever context the event occurs, NMIs included, with the registers of
 * the interrupted code.
 */
#include <linux/cpuhotplug.h>
#include <linux/fs.h>
#include <linux/hw_breakpoint.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/workqueue.h>

#include "arch/arch.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "process/tracepoints.h"
#include "bases.h"
#include "family.h"
#include "kprobe_state.h"
#include "perf.h"

static struct st_perf_probe *st_perfs;
static unsigned int st_nperfs;
static struct st_perf_probe **st_counters;	/* [number] */
static struct cpumask st_came;		/* CPUs that come back: their events are to be renewed */
static DEFINE_MUTEX(st_perf_mutex);	/* covers events[] */

/* ---- hits ------------------------------------------------------------------ */

bool st_runs_program(const struct task_struct *task, const struct st_program_file *program)
{
	struct mm_struct *mm = task->mm;
	const struct inode *inode;
	bool runs = false;
	struct file *exe;

	if (!mm)
		return false;
	rcu_read_lock();
	exe = rcu_dereference(mm->exe_file);
	/* Without a reference the file may be another one by now, or about to be. */
	inode = exe ? READ_ONCE(exe->f_inode) : NULL;
	if (inode)
		runs = inode->i_ino == program->inode && inode->i_sb->s_dev == program->dev;
	rcu_read_unlock();
	return runs;
}

static void perf_hit(struct perf_event *event, struct perf_sample_data *data,
		     struct pt_regs *regs)
{
	struct st_perf_probe *p = event->overflow_handler_context;
	struct st_kprobe_state state;
	struct st_context *x;

	if (p->program.inode && !st_runs_program(current, &p->program))
		return;
	x = st_enter(&p->perf->point, ST_RUNNING);
	if (!x)
		return;
	st_kprobe_set_aside(NULL, &state);
	st_set_regs(x, regs);
	x->user_regs = user_mode(regs);
	p->perf->point.probe->handler(&x->c);
	st_leave_handler(x);
	st_kprobe_put_back(&state);
}

/* ---- reading ------------------------------------------------------------- */

/*
 * Does what perf_event_read_local() does, which is not exported.  While the event counts on
 * this CPU, the hardware counter is read, with interrupts off so that it stays here.  Else
 * the event is stopped, and ->count was updated when it stopped.
 */
static u64 event_count(struct perf_event *event)
{
	unsigned long flags;
	u64 count;

	raw_local_irq_save(flags);
	if (event->state == PERF_EVENT_STATE_ACTIVE &&
	    READ_ONCE(event->oncpu) == smp_processor_id())
		event->pmu->read(event);
	count = local64_read(&event->count);
	raw_local_irq_restore(flags);
	return count;
}

st_long st_perf_count(struct st_ctx *c, unsigned int counter)
{
	const struct st_perf_probe *p;
	struct perf_event *event;

	if (unlikely(READ_ONCE(st_state) < ST_RUNNING || READ_ONCE(st_state) > ST_EXITING)) {
		st_error(c, "performance counters don't count while begin and end probes run");
		return 0;
	}
	p = counter < st_nperfs ? st_counters[counter] : NULL;
	if (!p) {
		st_error(c, "there is no performance counter %u", counter);
		return 0;
	}
	event = st_perf_of_tasks(p) ? st_perf_task_event(p)
				    : READ_ONCE(p->events[smp_processor_id()]);
	return event ? event_count(event) : 0;
}

/* ---- events ---------------------------------------------------------------- */

static int watch_address(const struct st_watch *w, int cpu, unsigned long *address)
{
	unsigned long base = 0;

	if (w->linked && !st_base_address(0, &base))
		return -ENXIO;
	*address = w->address + base;
	if (w->percpu)
		*address += per_cpu_offset(cpu);
	return 0;
}

/*
 * Fills in a watch's attributes.  It is pinned, so that the debug register is never given to other
 * events by turns.
 */
static int watch_attr(const struct st_watch *w, int cpu, struct perf_event_attr *attr)
{
	unsigned long address;
	int err = watch_address(w, cpu, &address);

	attr->bp_addr = address;
	attr->bp_len = w->length;
	attr->bp_type = w->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	attr->pinned = 1;
	if (!err && st_arch_read_on_entry(address, w->length))
		err = -EINVAL;
	return err;
}

struct perf_event_attr st_perf_attr(const struct st_perf *perf)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = perf->type,
		.config = perf->config,
		.sample_period = perf->period,
		.freq = perf->hz,
		.disabled = !st_wanted(perf->point.probe),
	};
}

/*
 * Does a device outside of the CPU count the event?  To read it its driver takes locks, which
 * the code that the handler interrupts may hold; and one CPU counts it for several.  The
 * kernel has no such events for threads.
 */
static bool is_of_device(const struct perf_event *event)
{
	return event->pmu->task_ctx_nr == perf_invalid_context;
}

static int event_create(struct st_perf_probe *p, int cpu)
{
	const struct st_watch *w = &p->perf->watch;
	struct perf_event_attr attr = st_perf_attr(p->perf);
	struct perf_event *event;
	int err = w->length ? watch_attr(w, cpu, &attr) : 0;

	if (err)
		return err;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL,
						 p->perf->counter ? NULL : perf_hit, p);
	if (IS_ERR(event))
		return PTR_ERR(event);
	if (p->perf->counter && is_of_device(event)) {
		perf_event_release_kernel(event);
		return -EXDEV;
	}
	WRITE_ONCE(p->events[cpu], event);
	return 0;
}

static void event_release(struct st_perf_probe *p, int cpu)
{
	struct perf_event *event = p->events[cpu];

	WRITE_ONCE(p->events[cpu], NULL);
	if (!event)
		return;
	if (p->perf->counter)
		synchronize_rcu();	/* a handler may still be reading it */
	perf_event_release_kernel(event);
}

const char *st_perf_why_not(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		return "this machine's CPUs or its kernel don't support the event; guests often "
		       "have no hardware events";
	case -EBUSY:
	case -ENOSPC:
		return "all counters for it are in use";
	case -EINVAL:
		return "the kernel knows no such event, or forbids watching that address";
	case -EXDEV:
		return "a device outside of the CPU's core counts the event, and can't be read in "
		       "a handler";
	case -ENXIO:
		return "the kernel's address is not known";
	default:
		return "the kernel refuses it";
	}
}

static int cpu_arm(int cpu)
{
	unsigned int i;

	for (i = 0; i < st_nperfs; i++) {
		struct st_perf_probe *p = &st_perfs[i];
		/* The worker may have been quicker, for a CPU that just came. */
		int err = st_perf_of_tasks(p) || p->events[cpu] ? 0 : event_create(p, cpu);

		if (err && cpu_online(cpu))
			return st_fail(err, "%s: %s (rc %d)", p->perf->point.pp,
				       st_perf_why_not(err), err);
	}
	return 0;
}

static void cpu_rearm(int cpu)
{
	unsigned int i;

	for (i = 0; i < st_nperfs; i++) {
		if (st_perf_of_tasks(&st_perfs[i]))
			continue;
		event_release(&st_perfs[i], cpu);
		event_create(&st_perfs[i], cpu);	/* fails if the CPU is gone again */
	}
}

/* ---- CPUs that come back ----------------------------------------------------- */

static void came_work(struct work_struct *work)
{
	int cpu;

	mutex_lock(&st_perf_mutex);
	for_each_possible_cpu(cpu)
		if (cpumask_test_and_clear_cpu(cpu, &st_came))
			cpu_rearm(cpu);
	mutex_unlock(&st_perf_mutex);
}

static DECLARE_WORK(st_came_work, came_work);

/*
 * Sees the last step of a CPU that comes online, and the first of one that goes offline, which does
 * no harm.
 */
static void cpu_step(void *data, unsigned int cpu, int state, int step, int ret)
{
	if (step != CPUHP_AP_ACTIVE)
		return;
	cpumask_set_cpu(cpu, &st_came);
	schedule_work(&st_came_work);
}

static struct st_follow st_cpu_follows[] = { { "cpuhp_exit", cpu_step } };

/* ---- the family ------------------------------------------------------------- */

static int program_find(struct st_perf_probe *p, const char *file)
{
	struct path path;
	int err = kern_path(file, LOOKUP_FOLLOW, &path);

	if (err)
		return st_fail(err, "there is no program %s (rc %d)", file, err);
	p->program.dev = d_inode(path.dentry)->i_sb->s_dev;
	p->program.inode = d_inode(path.dentry)->i_ino;
	path_put(&path);
	return 0;
}

static int perf_prepare(const void *items, unsigned int n)
{
	const struct st_perf *perfs = items;
	int err = 0;

	st_perfs = kvcalloc(n, sizeof(*st_perfs), GFP_KERNEL);
	st_counters = kvcalloc(n, sizeof(*st_counters), GFP_KERNEL);
	if (!st_perfs || !st_counters)
		return st_fail(-ENOMEM, "no memory for %u performance events", n);
	for (; st_nperfs < n && !err; st_nperfs++) {
		struct st_perf_probe *p = &st_perfs[st_nperfs];

		p->perf = &perfs[st_nperfs];
		if (p->perf->counter)
			st_counters[p->perf->counter - 1] = p;
		p->events = kvcalloc(nr_cpu_ids, sizeof(*p->events), GFP_KERNEL);
		if (!p->events)
			err = st_fail(-ENOMEM, "no memory for %u performance events", n);
		else if (p->perf->process)
			err = program_find(p, p->perf->process);
	}
	return err;
}

static int perf_arm(void)
{
	int cpu, err = st_follow(st_cpu_follows, ARRAY_SIZE(st_cpu_follows), 0);

	if (err)
		return err;
	mutex_lock(&st_perf_mutex);
	for_each_online_cpu(cpu) {
		err = cpu_arm(cpu);
		if (err)
			break;
	}
	mutex_unlock(&st_perf_mutex);
	return err ? err : st_perf_tasks_arm(st_perfs, st_nperfs);
}

static void perf_refresh(void)
{
	unsigned int i;
	int cpu;

	mutex_lock(&st_perf_mutex);
	for (i = 0; i < st_nperfs; i++) {
		const struct st_probe *probe = st_perfs[i].perf->point.probe;

		for_each_possible_cpu(cpu) {
			struct perf_event *event = st_perfs[i].events[cpu];

			if (event && st_wanted(probe))
				perf_event_enable(event);
			else if (event)
				perf_event_disable(event);
		}
	}
	mutex_unlock(&st_perf_mutex);
	st_perf_tasks_refresh();
}

/* Disarms.  Some events call the handler under RCU only, so after synchronize_rcu() none runs. */
static void perf_disarm(void)
{
	unsigned int i;
	int cpu;

	st_unfollow(st_cpu_follows, ARRAY_SIZE(st_cpu_follows));
	cancel_work_sync(&st_came_work);
	st_perf_tasks_disarm();
	for (i = 0; i < st_nperfs; i++)
		for_each_possible_cpu(cpu)
			event_release(&st_perfs[i], cpu);
	synchronize_rcu();
}

static void perf_release(void)
{
	while (st_nperfs)
		kvfree(st_perfs[--st_nperfs].events);
	kvfree(st_perfs);
	kvfree(st_counters);
	st_perfs = NULL;
	st_counters = NULL;
}

const struct st_family st_perf_family = {
	.name = "perf",
	.prepare = perf_prepare,
	.arm = perf_arm,
	.refresh = perf_refresh,
	.disarm = perf_disarm,
	.release = perf_release,
};
