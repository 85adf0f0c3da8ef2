// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints, by name.
 *
 * The kernel's own are found when the session starts.  A module's are attached
 * to when the module is loaded, or now if it is, and left before it goes: the
 * notifier is told of both, and when it is taken away, of all that are there.
 *
 * A tracepoint calls what is attached to it as a C function whose first
 * argument is ours and whose others are its own.  One function takes them all:
 * it keeps the argument registers and where the arguments on the stack are as
 * they were at its entry, and the script's code fetches what it wants as from
 * any other function's entry.
 */
#include <linux/mutex.h>
#include <linux/sort.h>
#include <linux/tracepoint.h>

#include "../context.h"

struct st_traced {
	const struct st_trace *trace;
	struct tracepoint *tracepoint;	/* NULL: not there */
	bool attached;
};

static struct st_traced *st_traced;	/* by name */
static unsigned int st_ntraced;
static bool st_watching;
static DEFINE_MUTEX(st_trace_mutex);	/* what is there and attached */

/* x86-64's calling convention.  The other registers are 0, and stay so. */
static __always_inline void entry_regs(struct pt_regs *regs, const unsigned long args[5],
				       void *frame)
{
	regs->si = args[0];
	regs->dx = args[1];
	regs->cx = args[2];
	regs->r8 = args[3];
	regs->r9 = args[4];
	regs->sp = (unsigned long)frame + sizeof(long);	/* the caller's frame pointer lies there */
}

static void trace_hit(void *data, unsigned long a, unsigned long b, unsigned long c,
		      unsigned long d, unsigned long e)
{
	const struct st_trace *trace = ((struct st_traced *)data)->trace;
	struct st_context *x = st_enter(&trace->point, ST_RUNNING);

	if (!x)
		return;
	entry_regs(&x->entry_regs, (const unsigned long []){ a, b, c, d, e },
		   __builtin_frame_address(0));
	x->c.regs = (unsigned long *)&x->entry_regs;
	trace->point.probe->handler(&x->c);
	st_leave_handler(x);
}

/* ---- attaching ------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
	const struct st_trace *p = ((const struct st_traced *)a)->trace;
	const struct st_trace *q = ((const struct st_traced *)b)->trace;
	int c = strcmp(p->name.p, q->name.p);

	return c ? c : p < q ? -1 : p > q;
}

static struct st_traced *first_named(const char *name)
{
	unsigned int low = 0, high = st_ntraced;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (strcmp(st_traced[mid].trace->name.p, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return st_traced + low;
}

/* Of one that is there: as its probe's condition wants it. */
static void attach(struct st_traced *t)
{
	int err;

	if (!t->tracepoint || t->attached || !st_wanted(t->trace->point.probe))
		return;
	err = tracepoint_probe_register(t->tracepoint, trace_hit, t);
	t->attached = !err;
	if (err)
		st_tell(ST_FMT_WARN, "probe %s registration error [man warning::pass5] (rc %d)",
			t->trace->point.pp, err);
}

static void detach(struct st_traced *t)
{
	if (t->attached)
		tracepoint_probe_unregister(t->tracepoint, trace_hit, t);
	t->attached = false;
}

static void attach_all(struct tracepoint *tp, const char *module)
{
	struct st_traced *t = first_named(tp->name);

	for (; t < st_traced + st_ntraced && !strcmp(t->trace->name.p, tp->name); t++)
		if (!strcmp(t->trace->point.module, module)) {
			t->tracepoint = tp;
			attach(t);
		}
}

static void attach_kernel(struct tracepoint *tp, void *unused)
{
	attach_all(tp, "kernel");
}

/* A module's tracepoints all go with it. */
static void detach_module(const struct module *module)
{
	unsigned int i;

	for (i = 0; i < st_ntraced; i++)
		if (!strcmp(st_traced[i].trace->point.module, module->name)) {
			detach(&st_traced[i]);
			st_traced[i].tracepoint = NULL;
		}
}

static int module_notify(struct notifier_block *nb, unsigned long state, void *data)
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

static struct notifier_block st_watch = { .notifier_call = module_notify };

/* ---- the family ----------------------------------------------------------- */

static int trace_prepare(const void *items, unsigned int n)
{
	unsigned int i;

	st_traced = kvcalloc(n, sizeof(*st_traced), GFP_KERNEL);
	if (!st_traced)
		return st_fail(-ENOMEM, "no memory for %u tracepoints", n);
	for (i = 0; i < n; i++)
		st_traced[i].trace = (const struct st_trace *)items + i;
	sort(st_traced, n, sizeof(*st_traced), by_name, NULL);
	st_ntraced = n;
	return 0;
}

static int trace_arm(void)
{
	int err;

	for_each_kernel_tracepoint(attach_kernel, NULL);
	err = register_tracepoint_module_notifier(&st_watch);
	if (err)
		return st_fail(err, "the kernel does not tell of modules' tracepoints");
	st_watching = true;
	return 0;
}

static void trace_refresh(void)
{
	unsigned int i;

	mutex_lock(&st_trace_mutex);
	for (i = 0; i < st_ntraced && READ_ONCE(st_state) == ST_RUNNING; i++) {
		if (st_wanted(st_traced[i].trace->point.probe))
			attach(&st_traced[i]);
		else
			detach(&st_traced[i]);
	}
	mutex_unlock(&st_trace_mutex);
}

static void trace_disarm(void)
{
	unsigned int i;

	if (st_watching)
		unregister_tracepoint_module_notifier(&st_watch);
	st_watching = false;
	for (i = 0; i < st_ntraced; i++)
		detach(&st_traced[i]);
	tracepoint_synchronize_unregister();
}

static void tracepoints_release(void)
{
	st_ntraced = 0;
	kvfree(st_traced);
	st_traced = NULL;
}

const struct st_family st_trace_family = {
	.name = "trace",
	.prepare = trace_prepare,
	.arm = trace_arm,
	.refresh = trace_refresh,
	.disarm = trace_disarm,
	.release = tracepoints_release,
};
