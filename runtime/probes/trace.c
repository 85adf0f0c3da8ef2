// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints, by name.
 *
 * The kernel's own tracepoints are found when the session starts.  For modules'
 * tracepoints the kernel has a notifier: it reports a module that is loaded or
 * about to go, all loaded modules when it is registered, and all again, as going,
 * when it is unregistered.
 *
 * Some tracepoints reset a machine that wakes up from suspend to RAM (st_arch_resets_sleeper()).
 * The kernel's notifier says when the machine is about to sleep, and again when it is awake, so
 * nothing is attached to these tracepoints meanwhile.  A listener that registers in between hears
 * nothing, so we register while the machine can't fall asleep.
 *
 * A tracepoint calls an attached function with our pointer and then its own
 * arguments.  One C function is attached to all: it keeps the argument registers
 * and the address of the arguments on the stack as they were at its entry, and
 * the script's code fetches values from these as at any function's entry.
 */
#include <linux/mutex.h>
#include <linux/sort.h>
#include <linux/suspend.h>
#include <linux/tracepoint.h>

#include "arch/arch.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "family.h"

struct st_trace_place {
	const struct st_trace *trace;
	struct tracepoint *tracepoint;	/* NULL: does not exist now */
	bool attached;
};

static struct st_trace_place *st_trace_places;	/* sorted by name */
static unsigned int st_ntrace_places;
static bool st_watching_tracepoints;
static bool st_watching_sleep;
static bool st_sleeping;		/* the machine, or it is about to */
static DEFINE_MUTEX(st_trace_mutex);	/* covers .tracepoint, .attached and st_sleeping */

static void trace_hit(void *data, unsigned long a, unsigned long b, unsigned long c,
		      unsigned long d, unsigned long e)
{
	const struct st_trace *trace = ((struct st_trace_place *)data)->trace;
	struct st_context *x = st_enter(&trace->point, ST_RUNNING);

	if (!x)
		return;
	st_arch_tracepoint_regs(&x->entry_regs, (const unsigned long []){ a, b, c, d, e },
				__builtin_frame_address(0));
	x->c.regs = (unsigned long *)&x->entry_regs;
	trace->point.probe->handler(&x->c);
	st_leave_handler(x);
}

/* ---- attaching ------------------------------------------------------------ */

static int by_trace_name(const void *a, const void *b)
{
	const struct st_trace *p = ((const struct st_trace_place *)a)->trace;
	const struct st_trace *q = ((const struct st_trace_place *)b)->trace;
	int c = strcmp(p->name.p, q->name.p);

	return c ? c : p < q ? -1 : p > q;
}

static struct st_trace_place *first_named(const char *name)
{
	unsigned int low = 0, high = st_ntrace_places;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (strcmp(st_trace_places[mid].trace->name.p, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return st_trace_places + low;
}

/* Attaches to a tracepoint that exists, if its probe's condition holds. */
static void attach(struct st_trace_place *t)
{
	int err;

	if (!t->tracepoint || t->attached || !st_wanted(t->trace->point.probe) ||
	    (st_sleeping && st_arch_resets_sleeper(t->trace->name.p)))
		return;
	err = tracepoint_probe_register(t->tracepoint, trace_hit, t);
	t->attached = !err;
	if (err)
		st_tell(ST_FMT_WARN, "probe %s registration error [man warning::pass5] (rc %d)",
			t->trace->point.pp, err);
}

static void detach(struct st_trace_place *t)
{
	if (t->attached)
		tracepoint_probe_unregister(t->tracepoint, trace_hit, t);
	t->attached = false;
}

static void attach_all(struct tracepoint *tp, const char *module)
{
	struct st_trace_place *t = first_named(tp->name);

	for (; t < st_trace_places + st_ntrace_places && !strcmp(t->trace->name.p, tp->name); t++)
		if (!strcmp(t->trace->point.module, module)) {
			t->tracepoint = tp;
			attach(t);
		}
}

static void attach_kernel(struct tracepoint *tp, void *unused)
{
	attach_all(tp, "kernel");
}

/* Detaches from all of a module's tracepoints. */
static void detach_module(const struct module *module)
{
	unsigned int i;

	for (i = 0; i < st_ntrace_places; i++)
		if (!strcmp(st_trace_places[i].trace->point.module, module->name)) {
			detach(&st_trace_places[i]);
			st_trace_places[i].tracepoint = NULL;
		}
}

static int tracepoints_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *module = ((struct tp_module *)data)->mod;
	unsigned int i;

	mutex_lock(&st_trace_mutex);
	if (state == MODULE_STATE_COMING)
		for (i = 0; i < module->num_tracepoints; i++)
			attach_all(tracepoint_ptr_deref(&module->tracepoints_ptrs[i]),
				   module->name);
	else if (state == MODULE_STATE_GOING)
		detach_module(module);
	mutex_unlock(&st_trace_mutex);
	return NOTIFY_OK;
}

static struct notifier_block st_tracepoint_watch = { .notifier_call = tracepoints_notify };

static int sleep_notify(struct notifier_block *nb, unsigned long state, void *unused)
{
	struct st_trace_place *t;

	mutex_lock(&st_trace_mutex);
	st_sleeping = state == PM_SUSPEND_PREPARE || state == PM_HIBERNATION_PREPARE;
	for (t = st_trace_places; t < st_trace_places + st_ntrace_places; t++)
		if (st_arch_resets_sleeper(t->trace->name.p)) {
			if (st_sleeping)
				detach(t);
			else
				attach(t);
		}
	mutex_unlock(&st_trace_mutex);
	return NOTIFY_OK;
}

static struct notifier_block st_sleep_watch = { .notifier_call = sleep_notify };

/* ---- the family ----------------------------------------------------------- */

static int trace_prepare(const void *items, unsigned int n)
{
	unsigned int i;

	st_trace_places = kvcalloc(n, sizeof(*st_trace_places), GFP_KERNEL);
	if (!st_trace_places)
		return st_fail(-ENOMEM, "no memory for %u tracepoints", n);
	for (i = 0; i < n; i++)
		st_trace_places[i].trace = (const struct st_trace *)items + i;
	sort(st_trace_places, n, sizeof(*st_trace_places), by_trace_name, NULL);
	st_ntrace_places = n;
	return 0;
}

static int watch_sleep(void)
{
	unsigned int flags = st_sleep_lock();
	int err = register_pm_notifier(&st_sleep_watch);

	st_sleep_unlock(flags);
	if (err)
		return st_fail(err, "the kernel does not tell when the machine sleeps (rc %d)", err);
	st_watching_sleep = true;
	return 0;
}

static int trace_arm(void)
{
	int err = watch_sleep();

	if (err)
		return err;
	mutex_lock(&st_trace_mutex);
	for_each_kernel_tracepoint(attach_kernel, NULL);
	mutex_unlock(&st_trace_mutex);
	err = register_tracepoint_module_notifier(&st_tracepoint_watch);
	if (err)
		return st_fail(err, "the kernel does not report modules' tracepoints (rc %d)", err);
	st_watching_tracepoints = true;
	return 0;
}

static void trace_refresh(void)
{
	unsigned int i;

	mutex_lock(&st_trace_mutex);
	for (i = 0; i < st_ntrace_places && READ_ONCE(st_state) == ST_RUNNING; i++) {
		if (st_wanted(st_trace_places[i].trace->point.probe))
			attach(&st_trace_places[i]);
		else
			detach(&st_trace_places[i]);
	}
	mutex_unlock(&st_trace_mutex);
}

static void trace_disarm(void)
{
	unsigned int i;

	if (st_watching_sleep)
		unregister_pm_notifier(&st_sleep_watch);
	st_watching_sleep = false;
	if (st_watching_tracepoints)
		unregister_tracepoint_module_notifier(&st_tracepoint_watch);
	st_watching_tracepoints = false;
	for (i = 0; i < st_ntrace_places; i++)
		detach(&st_trace_places[i]);
	tracepoint_synchronize_unregister();
}

static void tracepoints_release(void)
{
	st_ntrace_places = 0;
	kvfree(st_trace_places);
	st_trace_places = NULL;
}

static bool trace_show(struct seq_file *m, unsigned int n)
{
	const struct st_trace *trace;
	bool exists, attached;

	if (n >= st_ntrace_places)
		return false;
	trace = st_trace_places[n].trace;
	mutex_lock(&st_trace_mutex);
	exists = st_trace_places[n].tracepoint;
	attached = st_trace_places[n].attached;
	mutex_unlock(&st_trace_mutex);
	if (exists)
		st_show_place(m, &trace->point, "tracepoint", attached ? "armed" : "off", "%s:%s",
			      trace->system.p, trace->name.p);
	return true;
}

const struct st_family st_trace_family = {
	.name = "trace",
	.prepare = trace_prepare,
	.arm = trace_arm,
	.refresh = trace_refresh,
	.disarm = trace_disarm,
	.release = tracepoints_release,
	.show = trace_show,
};
