// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carriers: function returns without a kretprobe for each.
 *
 * Registering a kretprobe is slow: each arms its own kprobe, for which the kernel walks
 * its tables for tens of milliseconds.  But all that a kretprobe does at the entry is its
 * pre_handler, which register_kretprobe() sets; and ftrace reports entries, of which it
 * arms thousands at once.  So a carrier follows the calls of functions that have an ftrace
 * site: a kretprobe registered disabled, at a function that is never called.  Our ftrace
 * callback calls its pre_handler, which needs only the stack pointer of the registers.
 *
 *	vfs_read() → ftrace → place_hit() → st_follow_return() → pre_handler_kretprobe():
 *		the return address is now the trampoline's
 *	vfs_read() returns → trampoline → carried() → the script's handler
 *
 * That callback may run in the middle of a kprobe, whose handler calls the function, or
 * which an NMI interrupts while it is single-stepped.  The kernel would not follow such a
 * call: having handled a return, it clears current_kprobe, since it assumes that no kprobe
 * is under way there.  So a carrier's returns have a handler of our own, which leaves
 * current_kprobe alone.
 *
 * Many functions share a few carriers, enough of them that CPUs don't all compete for one
 * list of free instances.  A place with its own maxactive has its own carrier.
 *
 * On kernels whose kretprobes can't carry (handler/compat.h) each return has its own kretprobe.
 *
 * The kernel refuses kretprobes where it refuses kprobes; for carriers the translator and the
 * loader do (ST_FTRACE_RETURN, kprobes_may).
 */
#include <linux/hash.h>
#include <linux/kernel.h>

#include "port/port.h"
#include "abi/transport.h"
#include "life/loader.h"
#include "bases.h"
#include "carrier.h"

#define ST_SHARED_BITS 3

static struct st_kretprobes st_traced;		/* the carriers */
static const struct st_site *st_first_site;
static struct st_carrier **st_site_carriers;	/* [site]; NULL: no site has one */

/* ---- handlers ---------------------------------------------------------------- */

/* Runs in the context that st_follow_return()'s caller has taken. */
static int traced_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct st_context *x = st_this_context();

	return st_save_at_entry(x, (struct st_call *)instance->data,
				container_of(x->c.point, struct st_site, point));
}

void st_follow_return(struct st_carrier *carrier, struct pt_regs *regs)
{
	struct kprobe *kprobe = &carrier->kretprobe.kp;

	kprobe->pre_handler(kprobe, regs);
}
/* A kretprobe on this function would hide the call that it is to follow. */
NOKPROBE_SYMBOL(st_follow_return);

#ifdef ST_RETHOOK_ARGS
static void carried(ST_RETHOOK_ARGS)
{
	struct kretprobe_instance *instance = container_of(node, struct kretprobe_instance, node);
	struct st_context *x = st_return_enter(instance, regs);

	if (!x)
		return;
	st_return_run(x, instance, regs);
	st_leave_handler(x);
}

/* Makes the carrier's returns come to our own handler.  Call it before the carrier is used. */
static void carrier_take_over(struct st_carrier *carrier)
{
	rcu_assign_pointer(carrier->kretprobe.rh->handler, carried);
}
#else
static void carrier_take_over(struct st_carrier *carrier)
{
}
#endif

/* ---- arming ------------------------------------------------------------------ */

/* Never called: carriers are registered at its address. */
static noinline notrace void nowhere(void)
{
	barrier();
}

/*
 * May a carrier follow the site's function?  What kprobes may not touch includes the code that
 * follows calls: its own return, if followed, would be taken for the return of the call it follows.
 * For a function that the script knows only by name the loader has checked.  A site that saves too
 * much would have the carriers refused that others share.
 */
static bool is_traced(const struct st_site *site)
{
	const struct st_base *base = &st_program.bases[site->base];

	if (site->attach != ST_FTRACE_RETURN || !st_call_is_kept(site))
		return false;
	return site->base >= st_program.nbases || base->section[0] != ST_BASE_SYMBOL ||
	       strcmp(base->module, "kernel") || base->kprobes_may;
}

/* Returns the site's carrier: its own if it has a maxactive, else one of the shared ones. */
static struct st_carrier *carrier_for(const struct st_site *site, unsigned int *nown)
{
	if (site->maxactive > 0)
		return &st_traced.all[(1u << ST_SHARED_BITS) + (*nown)++];
	return &st_traced.all[hash_ptr((void *)site, ST_SHARED_BITS)];
}

static void carriers_assign(const struct st_site *sites, unsigned int n)
{
	unsigned int i, nown = 0;

	for (i = 0; i < n; i++) {
		struct st_carrier *carrier;
		struct kretprobe *kretprobe;

		if (!is_traced(&sites[i]))
			continue;
		carrier = carrier_for(&sites[i], &nown);
		kretprobe = &carrier->kretprobe;
		st_site_carriers[i] = carrier;
		kretprobe->data_size = max(kretprobe->data_size, st_call_size(&sites[i]));
		kretprobe->maxactive += st_calls_active(&sites[i]);
		if (sites[i].maxactive <= 0)
			kretprobe->maxactive = min(kretprobe->maxactive, ST_ACTIVE_MAX);
	}
}

/* Registers the carriers that have sites. */
static int carriers_register(unsigned int n)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < n && !err; i++) {
		struct kretprobe *kretprobe = &st_traced.all[i].kretprobe;

		if (!kretprobe->maxactive)
			continue;
		if (!st_arming_goes_on())
			return -EINTR;
		kretprobe->handler = st_returned;
		kretprobe->entry_handler = traced_entered;
		kretprobe->kp.addr = (kprobe_opcode_t *)nowhere;
		kretprobe->kp.flags = KPROBE_FLAG_DISABLED;
		err = st_kretprobe_register(&st_traced, &st_traced.all[i]);
		if (!err)
			carrier_take_over(&st_traced.all[i]);
	}
	return err;
}

int st_carriers_arm(const struct st_site *sites, unsigned int n)
{
	unsigned int i, ntraced = 0, ncarriers = 1u << ST_SHARED_BITS;

	for (i = 0; i < n; i++) {
		ntraced += is_traced(&sites[i]);
		ncarriers += is_traced(&sites[i]) && sites[i].maxactive > 0;
	}
	if (!ntraced || !ST_KRETPROBE_CARRIES)
		return 0;
	st_first_site = sites;
	st_site_carriers = kvcalloc(n, sizeof(*st_site_carriers), GFP_KERNEL);
	if (!st_site_carriers || st_kretprobes_alloc(&st_traced, ncarriers))
		return -ENOMEM;
	carriers_assign(sites, n);
	if (!st_kretprobes_have_room(&st_traced, ncarriers))
		return -ENOBUFS;
	if (carriers_register(ncarriers)) {
		kvfree(st_site_carriers);	/* kretprobes try each instead, and report errors */
		st_site_carriers = NULL;
	}
	return 0;
}

struct st_carrier *st_carrier_of(const struct st_site *site)
{
	return st_site_carriers ? st_site_carriers[site - st_first_site] : NULL;
}

/* Disarms the carriers, after the ftrace entries, which call them. */
void st_carriers_disarm(void)
{
	st_kretprobes_disarm(&st_traced);
}

void st_carriers_release(void)
{
	st_kretprobes_release(&st_traced);
	kvfree(st_site_carriers);
	st_site_carriers = NULL;
}

unsigned long st_carriers_missed(void)
{
	return st_kretprobes_missed(&st_traced);
}
