// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in programs and shared libraries, by the kernel's uprobes: a consumer at an offset in a
 * file gets the hits of all processes that map the file, now or later.  Its handler runs for the
 * process, which comes from user space, and may wait for its memory (memory/wait.h).
 *
 * A return is a consumer with a function for returns at the first instruction of the function;
 * the kernel replaces the return address there.  Values that the entry code saves lie in a call
 * (calls.h).  Code that was compiled without optimisation has its parameters where debug
 * information says only behind the prologue: there the entry code runs at a place of its own, the
 * body, and finds the call that the function's first instruction began:
 *
 *	f:	push %rbp		the call begins
 *		…
 *		mov %edi,-0x14(%rbp)
 *	body:				the entry code saves $argument in the call
 *		…
 *		ret			the handler runs
 *
 * Where a program reads its own return addresses, to unwind a C++ exception or in Go, the return of
 * a function is a consumer at each of its return instructions.  The stack pointer is then as at the
 * entry.
 *
 * A kernel thread registers and unregisters.  In a process that is being killed the kernel can't
 * change other processes' memory any more: unregistering would leave the breakpoints there.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "port/port.h"
#include "arch/arch.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "life/loader.h"
#include "life/starter.h"
#include "memory/access.h"
#include "memory/wait.h"
#include "process/program.h"
#include "process/target.h"
#include "calls.h"
#include "family.h"
#include "holdup.h"

/* A consumer, and where in the site's file it is registered. */
struct st_consumer {
	struct uprobe_consumer consumer;
	const struct st_uprobe *site;
	const struct st_instruction *at;
	unsigned long linked;		/* its linked address */
	unsigned int program;		/* as in struct st_context */
	struct uprobe *uprobe;
	bool armed;
};

/* The consumers of a site.  Those without a handler are not registered. */
struct st_uprobe_place {
	struct st_consumer place, body;
	struct st_consumer *returns;	/* site->nreturns of them */
};

static struct st_uprobe_place *st_uprobes;
static struct st_consumer *st_returns;	/* all sites' */
static const struct st_uprobe *st_uprobe_sites;
static unsigned int st_nuprobes;
static bool st_uprobes_armed;

static const struct st_consumer *consumer_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct st_consumer, consumer);
}

/* ---- hits ---------------------------------------------------------------------- */

static __always_inline bool uprobe_wanted(const struct st_uprobe *site)
{
	return (!site->pid || task_tgid_nr_ns(current, st_starter.pids) == site->pid) &&
	       st_in_target();
}

/* Takes a context for a hit that is wanted; the consumer's instruction is mapped at ADDRESS in the
 * current process. */
static __always_inline struct st_context *consumer_enter_at(const struct st_consumer *k,
							      struct pt_regs *regs,
							      unsigned long address)
{
	const struct st_uprobe *site = k->site;
	struct st_context *x = uprobe_wanted(site) ? st_enter_to_wait(&site->point) : NULL;

	if (!x)
		return NULL;
	st_set_regs(x, regs);
	x->user_regs = true;
	x->program = k->program;
	x->shift = address - k->linked;
	return x;
}

static struct st_context *consumer_enter(const struct st_consumer *k, struct pt_regs *regs)
{
	return consumer_enter_at(k, regs, instruction_pointer(regs));
}

static ST_UPROBE_HIT(uprobe_hit)
{
	const struct st_consumer *k = consumer_of(consumer);
	const struct st_probe *probe = k->site->point.probe;
	struct st_context *x = consumer_enter_at(k, regs, instruction_pointer(regs));

	if (!x)
		return 0;
	probe->handler(&x->c);
	st_leave_handler(x);
	return 0;
}

/* ---- entries, for their returns --------------------------------------------------- */

static bool function_called_from(const struct st_uprobe *site, unsigned long function,
				 struct pt_regs *regs)
{
	unsigned long caller;

	return !site->caller ||
	       (!st_copy_few((char *)&caller, user_stack_pointer(regs), sizeof(caller)) &&
		caller - function == site->caller - site->at.offset);
}

/* Does the kernel leave this call's return out?  It follows the returns of only a few nested calls of
 * a thread. */
static __always_inline bool return_is_missed(void)
{
	return unlikely(current->utask->depth >= MAX_URETPROBE_DEPTH);
}

/* Counts such a return if it is wanted. */
static noinline void count_missed(const struct st_uprobe *site, struct pt_regs *regs)
{
	if (READ_ONCE(st_state) == ST_RUNNING && st_wanted(site->point.probe) && st_in_bound() &&
	    uprobe_wanted(site) && function_called_from(site, instruction_pointer(regs), regs))
		atomic_long_inc(&st_counts.missed);
}

static ST_UPROBE_HIT(function_called)
{
	if (return_is_missed())
		count_missed(consumer_of(consumer)->site, regs);
	return 0;
}

/* Runs the entry code; a call for which it fails is not followed. */
static void call_fill(struct st_context *x, struct st_user_call *call)
{
	x->c.saved = call->saved;
	x->uncounted = true;		/* the return counts as the hit */
	call->filled = true;
	if (x->c.point->probe->entry(&x->c))
		st_user_call_drop(call);
	else
		st_user_call_add(call);
}

static ST_UPROBE_HIT(function_entered)
{
	const struct st_consumer *k = consumer_of(consumer);
	struct st_call_key key = st_thread_call(user_stack_pointer(regs));
	struct st_user_call *call;
	struct st_context *x;

	if (k->consumer.ret_handler && return_is_missed()) {
		count_missed(k->site, regs);
		return 0;
	}
	x = consumer_enter(k, regs);
	if (!x)
		return 0;
	call = st_user_call_begin(k->site, &key);
	if (call && !k->site->body)
		call_fill(x, call);
	else if (call)
		st_user_call_add(call);
	st_leave_handler(x);
	return 0;
}

static ST_UPROBE_HIT(body_reached)
{
	const struct st_consumer *k = consumer_of(consumer);
	struct st_context *x = consumer_enter(k, regs);
	struct st_user_call *call;

	if (!x)
		return 0;
	call = st_user_call_open(k->site);
	if (call)
		call_fill(x, call);
	st_leave_handler(x);
	return 0;
}

/* ---- returns ---------------------------------------------------------------------- */

/* Was the function called from the place's call site (.callee probes)?  Returns have the return
 * address in REGS. */
static bool uprobe_caller(const struct st_uprobe *site, unsigned long function,
			  struct pt_regs *regs)
{
	return !site->caller ||
	       instruction_pointer(regs) - function == site->caller - site->at.offset;
}

/*
 * Takes the call of a return that the kernel reports.  The return address was popped, so the
 * entry's stack pointer was a word lower.
 */
static struct st_user_call *returned_call(const struct st_uprobe *site, struct pt_regs *regs)
{
	struct st_call_key key = st_thread_call(user_stack_pointer(regs) - sizeof(long));
	struct st_user_call *call = st_user_call_end(site, &key);

	if (call && call->filled)
		return call;
	if (call)
		st_user_call_drop(call);
	return NULL;
}

/* Runs the handler with the registers that the caller sees. */
static __always_inline void return_run(struct st_context *x, const struct st_uprobe *site,
					struct pt_regs *regs)
{
	const struct st_probe *probe = site->point.probe;
	bool saved = probe->entry != NULL;
	struct st_user_call *call = saved ? returned_call(site, regs) : NULL;

	if (call || !saved) {
		x->return_address = instruction_pointer(regs);
		x->c.saved = call ? call->saved : NULL;
		probe->handler(&x->c);
	} else {
		x->uncounted = true;	/* the entry code didn't run, or failed */
	}
	if (call)
		st_user_call_drop(call);
}

static ST_UPROBE_RETURN(function_returned)
{
	const struct st_consumer *k = consumer_of(consumer);
	const struct st_uprobe *site = k->site;
	struct st_context *x = NULL;

	if (uprobe_caller(site, function, regs))
		x = consumer_enter_at(k, regs, function);
	if (!x)
		return 0;
	return_run(x, site, regs);
	st_leave_handler(x);
	return 0;
}

/*
 * Handles a hit at a return instruction.  The handler sees the registers as they will be behind it,
 * as at a return that the kernel reports; the instruction itself needs them as they are.
 */
static ST_UPROBE_HIT(function_returns)
{
	const struct st_consumer *k = consumer_of(consumer);
	unsigned long ip = instruction_pointer(regs), sp = user_stack_pointer(regs), caller;
	unsigned long function = ip - k->at->offset + k->site->at.offset;
	struct st_context *x = consumer_enter(k, regs);

	if (!x)
		return 0;
	x->uncounted = true;
	if (!st_copy_user(&caller, sp, sizeof(caller))) {
		instruction_pointer_set(regs, caller);
		user_stack_pointer_set(regs, sp + sizeof(caller));
		if (uprobe_caller(k->site, function, regs)) {
			x->uncounted = false;
			return_run(x, k->site, regs);
		}
		instruction_pointer_set(regs, ip);
		user_stack_pointer_set(regs, sp);
	}
	st_leave_handler(x);
	return 0;
}

/* ---- returns in Go --------------------------------------------------------------- */

/*
 * Makes the key of a goroutine's call.  Its struct g is in a register where functions begin and
 * end; its first words are the bounds of the stack, which the function's own first instructions
 * have just read.  The words aren't trusted: a program that lies only gets another key.
 */
static bool go_key(const struct pt_regs *regs, struct st_call_key *key)
{
	struct { unsigned long low, high; } stack;
	unsigned long g = st_arch_goroutine(regs);

	if (st_copy_user(&stack, g, sizeof(stack)))
		return false;
	*key = st_goroutine_call(g, user_stack_pointer((struct pt_regs *)regs) - stack.high);
	return true;
}

/*
 * Handles the entry of a Go function.  One whose stack is full starts again on a larger one; its
 * second beginning has the same key, and replaces the first.
 */
static ST_UPROBE_HIT(go_function_entered)
{
	const struct st_consumer *k = consumer_of(consumer);
	struct st_context *x = consumer_enter(k, regs);
	struct st_user_call *call = NULL;
	struct st_call_key key;

	if (!x)
		return 0;
	if (go_key(regs, &key))
		call = st_user_call_begin(k->site, &key);
	if (call)
		call_fill(x, call);
	st_leave_handler(x);
	return 0;
}

static ST_UPROBE_HIT(go_function_returns)
{
	const struct st_consumer *k = consumer_of(consumer);
	bool saved = k->site->point.probe->entry != NULL;
	struct st_context *x = consumer_enter(k, regs);
	struct st_user_call *call = NULL;
	struct st_call_key key;

	if (!x)
		return 0;
	if (saved && go_key(regs, &key))
		call = st_user_call_end(k->site, &key);
	if (call || !saved) {
		x->c.saved = call ? call->saved : NULL;
		k->site->point.probe->handler(&x->c);
	} else {
		x->uncounted = true;
	}
	if (call)
		st_user_call_drop(call);
	st_leave_handler(x);
	return 0;
}

/* ---- what holds up arming ------------------------------------------------------------ */

#define ST_HOLDUP_PATIENCE (3 * HZ)

/*
 * The consumer that the kernel thread is changing, and since when; NULL while it waits for all
 * places' handlers.
 */
static const struct st_consumer *st_changing;
static unsigned long st_changing_since;		/* jiffies */
static bool st_holdup_told;			/* of this one */

static void change_begin(const struct st_consumer *k)
{
	WRITE_ONCE(st_changing, k);
	WRITE_ONCE(st_changing_since, jiffies);
	WRITE_ONCE(st_holdup_told, false);
}

static void holdup_tell(void)
{
	const struct st_consumer *k = READ_ONCE(st_changing);
	struct st_process_text who;
	const char *what;

	if (READ_ONCE(st_holdup_told) ||
	    time_before(jiffies, READ_ONCE(st_changing_since) + ST_HOLDUP_PATIENCE))
		return;
	WRITE_ONCE(st_holdup_told, true);
	if (!k) {
		st_tell(ST_FMT_WARN, "the kernel waits for tracers' handlers in programs");
		return;
	}
	what = st_holdup_find(st_program.files[k->site->file].inode, k->at->offset, &who);
	if (what)
		st_tell(ST_FMT_WARN, "probe %s (offset 0x%lx): the kernel waits for %s, which %s",
			k->site->point.pp, k->at->offset, who.text, what);
	else
		st_tell(ST_FMT_WARN, "probe %s (offset 0x%lx): the kernel waits for a tracer's handler",
			k->site->point.pp, k->at->offset);
}

/* ---- arming ---------------------------------------------------------------------- */

static void consumer_set(struct st_consumer *k, const struct st_uprobe *site,
			 const struct st_instruction *at)
{
	k->site = site;
	k->at = at;
	k->linked = at->offset + st_program.files[site->file].distance;
	k->program = site->file + 1;
}

static void returns_set(struct st_uprobe_place *p, const struct st_uprobe *site)
{
	unsigned int i;

	for (i = 0; i < site->nreturns; i++) {
		struct st_consumer *k = &p->returns[i];

		consumer_set(k, site, &site->returns[i]);
		k->consumer.handler = site->attach == ST_GO_RETURN ? go_function_returns :
				      function_returns;
	}
}

static void uprobe_set(struct st_uprobe_place *p, const struct st_uprobe *site)
{
	consumer_set(&p->place, site, &site->at);
	if (site->body)
		consumer_set(&p->body, site, site->body);
	returns_set(p, site);
	if (site->attach == ST_UPROBE)
		p->place.consumer.handler = uprobe_hit;
	if (site->attach == ST_URETPROBE) {
		p->place.consumer.handler = function_called;
		p->place.consumer.ret_handler = function_returned;
	}
	if (!st_attach_is_return(site->attach) || !site->point.probe->entry)
		return;
	if (site->attach == ST_GO_RETURN) {
		p->place.consumer.handler = go_function_entered;
		return;
	}
	p->place.consumer.handler = function_entered;
	if (site->body)
		p->body.consumer.handler = body_reached;
}

/* Allocates the consumers of return instructions and gives each site its own. */
static int returns_alloc(void)
{
	unsigned long all = 0;
	unsigned int i;

	for (i = 0; i < st_nuprobes; i++)
		all += st_uprobe_sites[i].nreturns;
	if (!all)
		return 0;
	st_returns = st_data_alloc(all * sizeof(*st_returns), NUMA_NO_NODE);
	if (!st_returns)
		return st_fail(-ENOMEM, "no memory for %lu probes of return instructions", all);
	for (all = i = 0; i < st_nuprobes; i++) {
		st_uprobes[i].returns = st_returns + all;
		all += st_uprobe_sites[i].nreturns;
	}
	return 0;
}

static int uprobe_prepare(const void *items, unsigned int n)
{
	unsigned int i, saved = 0;
	bool calls = false;
	int err;

	st_uprobe_sites = items;
	st_uprobes = st_data_alloc(n * sizeof(*st_uprobes), NUMA_NO_NODE);
	if (!st_uprobes)
		return st_fail(-ENOMEM, "no memory for %u probes in programs", n);
	st_nuprobes = n;
	err = returns_alloc();
	for (i = 0; !err && i < n; i++) {
		const struct st_uprobe *site = &st_uprobe_sites[i];

		uprobe_set(&st_uprobes[i], site);
		calls |= site->attach != ST_UPROBE && site->point.probe->entry;
		saved = max(saved, site->point.probe->saved_size);
	}
	err = err ?: st_spares_alloc();
	return err || !calls ? err : st_user_calls_alloc(saved);
}

static void uprobe_release(void)
{
	kvfree(st_uprobes);
	kvfree(st_returns);
	st_uprobes = NULL;
	st_returns = NULL;
	st_nuprobes = 0;
	st_user_calls_free();
	st_spares_free();
}

/* Places of points with wildcards, and of optional points, that the kernel refused. */
static unsigned int st_uprobes_refused;

/*
 * Notes a place that the kernel refused.  It doesn't probe some instructions: with a lock prefix,
 * or some of AVX.
 */
static void uprobe_failed(const struct st_uprobe *site, unsigned long offset, int err)
{
	if (site->optional)
		st_uprobes_refused++;
	else if (err == -ENOTSUPP)
		st_tell(ST_FMT_WARN, "probe %s (offset 0x%lx): the kernel can't probe this instruction",
			site->point.pp, offset);
	else
		st_tell(ST_FMT_WARN, "probe %s (offset 0x%lx) registration error "
			"[man warning::pass5] (rc %d)", site->point.pp, offset, err);
}

/* With a bound only processes within it get breakpoints. */
static ST_UPROBE_FILTER(uprobe_filter)
{
	return st_memory_in_bound(mm);
}

/* Registers a consumer.  If the file isn't there, the loader has warned of it. */
static bool consumer_arm(struct st_consumer *k, unsigned long semaphore)
{
	const struct st_file *f = &st_program.files[k->site->file];
	int err;

	if (!f->inode || f->other)
		return false;
	if (st_bounded)
		k->consumer.filter = uprobe_filter;
	change_begin(k);
	err = st_uprobe_add(f->inode, k->at->offset, semaphore, &k->consumer, &k->uprobe);
	k->armed = !err;
	if (err)
		uprobe_failed(k->site, k->at->offset, err);
	return k->armed;
}

/* Arms a place.  The entry of a function whose returns have consumers may need no handler. */
static void place_arm(struct st_uprobe_place *p)
{
	const struct st_uprobe *site = p->place.site;
	unsigned int i;

	for (i = 0; i < site->nreturns; i++)
		if (!consumer_arm(&p->returns[i], 0))
			return;
	if (p->body.consumer.handler && !consumer_arm(&p->body, 0))
		return;
	if (p->place.consumer.handler)
		consumer_arm(&p->place, site->semaphore);
}

/*
 * Checks the code at a place.  In another program than the one that the translator read,
 * breakpoints could lie anywhere, also within instructions.  A file that lacks the code of one
 * place is another, and nothing is probed in it.
 */
static void place_check(const struct st_uprobe *site, const struct st_instruction *at)
{
	struct st_file *f = &st_program.files[site->file];

	if (!f->inode || f->other || st_file_has(site->file, at))
		return;
	f->other = true;
	st_tell(ST_FMT_WARN, "'%s' is not the program that the script was compiled for: it has other "
		"code at offset 0x%lx, of %s; its places are left out [man warning::buildid]",
		f->path, at->offset, site->point.pp);
}

static void site_check(const struct st_uprobe *site)
{
	unsigned int i;

	place_check(site, &site->at);
	if (site->body)
		place_check(site, site->body);
	for (i = 0; i < site->nreturns; i++)
		place_check(site, &site->returns[i]);
}

/*
 * Checks all places, in the task that starts the session, because a signal can end its wait for a
 * file's pages; then no place is armed.
 */
static void sites_check(void)
{
	unsigned int i;

	for (i = 0; i < st_nuprobes && !fatal_signal_pending(current); i++)
		site_check(&st_uprobe_sites[i]);
}

/* Work that a kernel thread does for a task that waits for it. */
struct st_errand {
	struct work_struct work;
	void (*fn)(struct task_struct *waits);
	struct task_struct *waits;
	bool done;
};

static DECLARE_WAIT_QUEUE_HEAD(st_errands);

static void errand_work(struct work_struct *work)
{
	struct st_errand *errand = container_of(work, struct st_errand, work);

	errand->fn(errand->waits);
	WRITE_ONCE(errand->done, true);
	wake_up(&st_errands);
}

/*
 * Runs FN in a kernel thread, and waits idle, because thousands of places on a busy machine take
 * minutes, and a task that waits so long in flush_work() is reported as hung, at which some
 * machines panic.  If one place takes seconds it says why.
 */
static void errand_run(void (*fn)(struct task_struct *waits))
{
	struct st_errand errand = { .fn = fn, .waits = current };

	INIT_WORK_ONSTACK(&errand.work, errand_work);
	change_begin(NULL);
	queue_work(system_unbound_wq, &errand.work);
	while (!wait_event_idle_timeout(st_errands, READ_ONCE(errand.done), HZ))
		holdup_tell();
	flush_work(&errand.work);
	destroy_work_on_stack(&errand.work);
}

/*
 * Arms all places, with RCU expedited: for each the kernel waits for all CPUs, twice, which
 * otherwise takes tens of milliseconds.
 */
static void places_arm(struct task_struct *starter)
{
	unsigned int i;

	st_rcu_hurry();
	for (i = 0; i < st_nuprobes && st_arming_goes_on() && !fatal_signal_pending(starter); i++)
		place_arm(&st_uprobes[i]);
	st_rcu_relax();
}

static int uprobe_arm(void)
{
	int err = st_target_watch();

	st_uprobes_armed = true;
	if (err)
		return err;
	sites_check();
	errand_run(places_arm);
	if (st_uprobes_refused)
		st_tell(ST_FMT_WARN, "%u of %u places in programs are left out: the kernel can't probe "
			"their instructions", st_uprobes_refused, st_nuprobes);
	return 0;
}

static void consumer_disarm(struct st_consumer *k)
{
	if (!k->armed)
		return;
	change_begin(k);
	st_uprobe_remove(st_program.files[k->site->file].inode, k->at->offset, &k->consumer, k->uprobe);
	k->armed = false;
}

static void place_disarm(struct st_uprobe_place *p)
{
	unsigned int i;

	consumer_disarm(&p->place);
	consumer_disarm(&p->body);
	for (i = 0; i < p->place.site->nreturns; i++)
		consumer_disarm(&p->returns[i]);
}

static void places_disarm(struct task_struct *starter)
{
	unsigned int i;

	st_rcu_hurry();
	for (i = 0; i < st_nuprobes; i++)
		place_disarm(&st_uprobes[i]);
	change_begin(NULL);
	st_uprobes_wait();
	st_rcu_relax();
}

static void uprobe_disarm(void)
{
	if (!st_uprobes_armed)
		return;
	st_uprobes_armed = false;
	errand_run(places_disarm);
	st_target_unwatch();
}

static const char *uprobe_how(enum st_attach attach)
{
	switch (attach) {
	case ST_UPROBE:
		return "uprobe";
	case ST_URETPROBE:
		return "uretprobe";
	default:
		return "uprobes at returns";
	}
}

static bool uprobe_show(struct seq_file *m, unsigned int n)
{
	const struct st_uprobe_place *p = &st_uprobes[n];
	const struct st_uprobe *site;

	if (n >= st_nuprobes)
		return false;
	site = p->place.site;
	if (p->place.armed || (site->nreturns && p->returns[site->nreturns - 1].armed))
		st_show_place(m, &site->point, uprobe_how(site->attach),
			      st_wanted(site->point.probe) ? "armed" : "off", "%s+0x%lx",
			      st_program.files[site->file].path, site->at.offset);
	return true;
}

const struct st_family st_uprobe_family = {
	.name = "uprobe",
	.prepare = uprobe_prepare,
	.arm = uprobe_arm,
	.disarm = uprobe_disarm,
	.release = uprobe_release,
	.show = uprobe_show,
};
