// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in programs and shared libraries, by the kernel's uprobes: a consumer at an offset in a
 * file gets the hits of all processes that map the file, now or later.  Its handler runs for the
 * process, which comes from user space, and may wait for its memory (core/wait.h).
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
 */
#include <linux/sched.h>

#include "abi/data.h"
#include "calls.h"
#include "core/compat.h"
#include "core/family.h"
#include "core/handler.h"
#include "core/loader.h"
#include "core/print.h"
#include "core/program.h"
#include "core/starter.h"
#include "core/target.h"
#include "core/wait.h"

/* A consumer, and where it is registered. */
struct st_consumer {
	struct uprobe_consumer consumer;
	const struct st_uprobe *site;
	struct uprobe *uprobe;
	bool armed;
};

struct st_uprobe_place {
	struct st_consumer place, body;
};

static struct st_uprobe_place *st_uprobes;
static const struct st_uprobe *st_uprobe_sites;
static unsigned int st_nuprobes;
static bool st_uprobes_armed;

static const struct st_uprobe *uprobe_site(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct st_consumer, consumer)->site;
}

/* ---- hits ---------------------------------------------------------------------- */

static bool uprobe_wanted(const struct st_uprobe *site)
{
	return (!site->pid || task_tgid_nr_ns(current, st_starter.pids) == site->pid) &&
	       st_in_target();
}

/*
 * Takes a context for a hit in the program; the instruction of the place is mapped at ADDRESS in
 * the current process.
 */
static struct st_context *uprobe_enter(const struct st_uprobe *site, struct pt_regs *regs,
				unsigned long address)
{
	const struct st_file *file = &st_program.files[site->file];
	struct st_context *x;

	st_spares_refill();
	x = st_enter(&site->point, ST_RUNNING);
	if (!x)
		return NULL;
	st_set_regs(x, regs);
	x->user_regs = true;
	x->may_wait = true;
	x->program = site->file + 1;
	x->shift = address - site->offset - file->distance;
	return x;
}

static ST_UPROBE_HIT(uprobe_hit)
{
	const struct st_uprobe *site = uprobe_site(consumer);
	struct st_context *x = uprobe_wanted(site) ? uprobe_enter(site, regs, instruction_pointer(regs)) : NULL;

	if (!x)
		return 0;
	site->point.probe->handler(&x->c);
	st_leave_handler(x);
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
	const struct st_uprobe *site = uprobe_site(consumer);
	struct st_context *x = uprobe_wanted(site) ? uprobe_enter(site, regs, instruction_pointer(regs)) : NULL;
	struct st_user_call *call;

	if (!x)
		return 0;
	call = st_user_call_begin(site, user_stack_pointer(regs));
	if (call && site->body == site->offset)
		call_fill(x, call);
	else if (call)
		st_user_call_add(call);
	st_leave_handler(x);
	return 0;
}

static ST_UPROBE_HIT(body_reached)
{
	const struct st_uprobe *site = uprobe_site(consumer);
	unsigned long address = instruction_pointer(regs) - site->body + site->offset;
	struct st_context *x = uprobe_wanted(site) ? uprobe_enter(site, regs, address) : NULL;
	struct st_user_call *call;

	if (!x)
		return 0;
	call = st_user_call_open(site);
	if (call)
		call_fill(x, call);
	st_leave_handler(x);
	return 0;
}

/* Was the function called from the place's call site (.callee probes)?  Returns have the return
 * address in REGS. */
static bool uprobe_caller(const struct st_uprobe *site, unsigned long function,
			  struct pt_regs *regs)
{
	return !site->caller ||
	       instruction_pointer(regs) - function == site->caller - site->offset;
}

/* The function's return address was popped: its entry's stack pointer was a word lower. */
static struct st_user_call *returned_call(const struct st_uprobe *site, struct pt_regs *regs)
{
	struct st_user_call *call = st_user_call_end(site, user_stack_pointer(regs) - sizeof(long));

	if (call && call->filled)
		return call;
	if (call)
		st_user_call_drop(call);
	return NULL;
}

static ST_UPROBE_RETURN(function_returned)
{
	const struct st_uprobe *site = uprobe_site(consumer);
	bool saved = site->point.probe->entry != NULL;
	struct st_user_call *call = NULL;
	struct st_context *x;

	x = uprobe_wanted(site) && uprobe_caller(site, function, regs) ? uprobe_enter(site, regs, function) : NULL;
	if (!x)
		return 0;
	if (saved)
		call = returned_call(site, regs);
	if (call || !saved) {
		x->return_address = instruction_pointer(regs);
		x->c.saved = call ? call->saved : NULL;
		site->point.probe->handler(&x->c);
	} else {
		x->uncounted = true;	/* the entry code didn't run, or failed */
	}
	if (call)
		st_user_call_drop(call);
	st_leave_handler(x);
	return 0;
}

/* ---- arming ---------------------------------------------------------------------- */

static void uprobe_set(struct st_uprobe_place *p, const struct st_uprobe *site)
{
	p->place.site = p->body.site = site;
	if (site->attach == ST_UPROBE) {
		p->place.consumer.handler = uprobe_hit;
		return;
	}
	p->place.consumer.ret_handler = function_returned;
	if (!site->point.probe->entry)
		return;
	p->place.consumer.handler = function_entered;
	if (site->body != site->offset)
		p->body.consumer.handler = body_reached;
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
	for (i = 0; i < n; i++) {
		const struct st_uprobe *site = &st_uprobe_sites[i];

		uprobe_set(&st_uprobes[i], site);
		calls |= st_uprobes[i].place.consumer.handler == function_entered;
		saved = max(saved, site->point.probe->saved_size);
	}
	err = st_spares_alloc();
	return err || !calls ? err : st_user_calls_alloc(saved);
}

static void uprobe_release(void)
{
	kvfree(st_uprobes);
	st_uprobes = NULL;
	st_nuprobes = 0;
	st_user_calls_free();
	st_spares_free();
}

/* Places of points with wildcards that the kernel refused. */
static unsigned int st_uprobes_refused;

/* The kernel doesn't probe some instructions: those with a lock prefix, some of AVX's. */
static void uprobe_failed(const struct st_uprobe *site, int err)
{
	if (site->optional)
		st_uprobes_refused++;
	else if (err == -ENOTSUPP)
		st_tell(ST_FMT_WARN, "probe %s (offset 0x%lx): the kernel can't probe this instruction",
			site->point.pp, site->offset);
	else
		st_tell(ST_FMT_WARN, "probe %s (offset 0x%lx) registration error "
			"[man warning::pass5] (rc %d)", site->point.pp, site->offset, err);
}

/* The loader has warned of a file that isn't there. */
static bool consumer_arm(struct st_consumer *k, unsigned long offset, unsigned long semaphore)
{
	struct inode *inode = st_program.files[k->site->file].inode;
	int err;

	if (!inode)
		return false;
	err = st_uprobe_add(inode, offset, semaphore, &k->consumer, &k->uprobe);
	k->armed = !err;
	if (err)
		uprobe_failed(k->site, err);
	return k->armed;
}

/*
 * For each place the kernel waits for all its processors, twice; at their leisure that takes
 * tens of milliseconds.
 */
static int uprobe_arm(void)
{
	unsigned int i;
	int err = st_target_watch();

	st_uprobes_armed = true;
	if (err)
		return err;
	st_rcu_hurry();
	for (i = 0; i < st_nuprobes && st_arming_goes_on(); i++) {
		struct st_uprobe_place *p = &st_uprobes[i];

		if (p->body.consumer.handler && !consumer_arm(&p->body, p->body.site->body, 0))
			continue;
		consumer_arm(&p->place, p->place.site->offset, p->place.site->semaphore);
	}
	st_rcu_relax();
	if (st_uprobes_refused)
		st_tell(ST_FMT_WARN, "%u of %u places in programs are left out: the kernel can't probe "
			"their instructions", st_uprobes_refused, st_nuprobes);
	return 0;
}

static void consumer_disarm(struct st_consumer *k, unsigned long offset)
{
	if (k->armed)
		st_uprobe_remove(st_program.files[k->site->file].inode, offset, &k->consumer,
				 k->uprobe);
	k->armed = false;
}

static void uprobe_disarm(void)
{
	unsigned int i;

	if (!st_uprobes_armed)
		return;
	st_uprobes_armed = false;
	st_rcu_hurry();
	for (i = 0; i < st_nuprobes; i++) {
		consumer_disarm(&st_uprobes[i].place, st_uprobes[i].place.site->offset);
		if (st_uprobes[i].body.armed)
			consumer_disarm(&st_uprobes[i].body, st_uprobes[i].body.site->body);
	}
	st_uprobes_wait();
	st_rcu_relax();
	st_target_unwatch();
}

const struct st_family st_uprobe_family = {
	.name = "uprobe",
	.prepare = uprobe_prepare,
	.arm = uprobe_arm,
	.disarm = uprobe_disarm,
	.release = uprobe_release,
};
