// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns.  A kretprobe replaces a call's return address by a trampoline,
 * which calls our handler.  The values that the probe's entry code saves (c->saved)
 * are kept in the kretprobe instance, one of which belongs to each call.  A call
 * whose entry code didn't run, or failed, isn't followed to its return.
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
 *	vfs_read() returns → trampoline → returned() → the script's handler
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
#include <linux/log2.h>
#include <linux/module.h>

#include "port/port.h"
#include "abi/transport.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "life/loader.h"
#include "bases.h"
#include "code.h"
#include "kprobe_state.h"

/* How many calls of a function are followed at once by default; many may sleep in it. */
#define ST_ACTIVE_MIN 64
#define ST_ACTIVE_PER_CPU 16
#define ST_ACTIVE_MAX 4096

#define ST_SHARED_BITS 3

struct st_carrier {
	struct kretprobe kretprobe;
	const struct st_site *site;	/* the one site of a kretprobe; NULL: shared by many */
};

/* The data of a kretprobe instance. */
struct st_call {
	const struct st_site *site;
	char saved[] __aligned(sizeof(long));
};

static struct st_kretprobes st_traced;		/* the carriers */
static const struct st_site *st_first_site;
static struct st_carrier **st_site_carriers;	/* [site]; NULL: no site has one */

/* ---- handlers ---------------------------------------------------------------- */

/*
 * Runs the entry code.  Returns nonzero if the call is not followed.
 *
 * A call in which the machine falls asleep never returns, because the machine wakes up in one of
 * its callers.  The next return would be taken for this call's, and go to its return address.  An
 * image of the memory (hibernation) holds calls that have returned since.
 */
static int save_at_entry(struct st_context *x, struct st_call *call, const struct st_site *site)
{
	if (unlikely(READ_ONCE(system_state) == SYSTEM_SUSPEND)) {
		atomic_long_inc(&st_counts.idle);
		return 1;
	}
	call->site = site;
	if (!site->point.probe->entry)
		return 0;
	x->c.saved = call->saved;
	return site->point.probe->entry(&x->c);
}

static int single_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *kretprobe = st_kretprobe_of(instance);
	struct st_kprobe_state state;
	const struct st_site *site;
	struct st_context *x;
	int err;

	if (unlikely(!kretprobe))		/* it is being unregistered */
		return 1;
	site = container_of(kretprobe, struct st_carrier, kretprobe)->site;
	x = st_enter(&site->point, ST_RUNNING);
	if (!x)
		return 1;
	st_kprobe_set_aside(&kretprobe->kp, &state);
	st_set_regs(x, regs);
	err = save_at_entry(x, (struct st_call *)instance->data, site);
	x->uncounted = true;		/* the return counts as the hit */
	st_leave_handler(x);
	st_kprobe_put_back(&state);
	return err;
}

/* Runs in the context that st_follow_return()'s caller has taken. */
static int traced_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct st_context *x = st_this_context();

	return save_at_entry(x, (struct st_call *)instance->data,
			     container_of(x->c.point, struct st_site, point));
}

void st_follow_return(struct st_carrier *carrier, struct pt_regs *regs)
{
	struct kprobe *kprobe = &carrier->kretprobe.kp;

	kprobe->pre_handler(kprobe, regs);
}
/* A kretprobe on this function would hide the call that it is to follow. */
NOKPROBE_SYMBOL(st_follow_return);

/*
 * Was the call made at the place's call site (.callee probes)?  If several kretprobes follow
 * a call, the instance's return address may be the other's trampoline; then the registers
 * have the real one.
 */
static bool is_of_caller(const struct st_site *site, struct kretprobe_instance *instance,
			 struct pt_regs *regs)
{
	unsigned long base, caller;

	if (likely(!site->caller))
		return true;
	if (!st_base_address(site->caller_base, &base))
		return false;
	caller = base + site->caller;
	return st_kretprobe_address(instance) == caller || instruction_pointer(regs) == caller;
}

/*
 * Sets current_kprobe aside, which the kernel sets to the kretprobe's at a return, but not for
 * carriers with rethooks.  Where it holds a lock meanwhile, that keeps kretprobes in what the
 * handler calls from taking it again.
 */
static void set_return_aside(struct kretprobe_instance *instance, struct st_kprobe_state *state)
{
	struct kretprobe *kretprobe = st_kretprobe_of(instance);

	state->current_kprobe = NULL;
	if (ST_KRETPROBE_LOCKLESS && likely(kretprobe))
		st_kprobe_set_aside(&kretprobe->kp, state);
}

static int returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct st_call *call = (struct st_call *)instance->data;
	struct st_kprobe_state state;
	struct st_context *x;

	if (!is_of_caller(call->site, instance, regs))
		return 0;
	x = st_enter(&call->site->point, ST_RUNNING);
	if (!x)
		return 0;
	set_return_aside(instance, &state);
	st_set_regs(x, regs);
	x->c.saved = call->saved;
	x->return_address = st_kretprobe_address(instance);
	call->site->point.probe->handler(&x->c);
	st_leave_handler(x);
	st_kprobe_put_back(&state);
	return 0;
}

#ifdef ST_RETHOOK_ARGS
static void carried(ST_RETHOOK_ARGS)
{
	returned(container_of(node, struct kretprobe_instance, node), regs);
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

static int kretprobes_alloc(struct st_kretprobes *k, unsigned int n)
{
	k->all = kvcalloc(n, sizeof(*k->all), GFP_KERNEL);
	k->registered = kvcalloc(n, sizeof(*k->registered), GFP_KERNEL);
	return k->all && k->registered ? 0 : -ENOMEM;
}

static int carrier_register(struct st_kretprobes *k, struct st_carrier *carrier)
{
	int err = register_kretprobe(&carrier->kretprobe);

	if (!err)
		k->registered[k->n++] = &carrier->kretprobe;
	return err;
}

static int active(const struct st_site *site)
{
	if (site->maxactive > 0)
		return site->maxactive;
	if (st_program.kretactive > 0)
		return st_program.kretactive;
	return clamp_t(int, ST_ACTIVE_PER_CPU * num_possible_cpus(), ST_ACTIVE_MIN, ST_ACTIVE_MAX);
}

static size_t call_size(const struct st_site *site)
{
	return sizeof(struct st_call) + site->point.probe->saved_size;
}

/* Does the kernel keep as much with a call as the site saves? */
static bool is_kept(const struct st_site *site)
{
	return call_size(site) <= ST_KRETPROBE_DATA;
}

/*
 * Is there memory for the calls that N kretprobes follow at once?  The kernel allocates them one by
 * one, and might kill processes to get it.
 */
static bool have_room(const struct st_kretprobes *k, unsigned int n)
{
	unsigned int i;
	u64 bytes = 0;

	for (i = 0; i < n; i++) {
		const struct kretprobe *kretprobe = &k->all[i].kretprobe;

		bytes += (u64)kretprobe->maxactive *
			 roundup_pow_of_two(sizeof(struct kretprobe_instance) +
					    kretprobe->data_size);
	}
	return bytes <= st_data_room();
}

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

	if (site->attach != ST_FTRACE_RETURN || !is_kept(site))
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
		kretprobe->data_size = max(kretprobe->data_size, call_size(&sites[i]));
		kretprobe->maxactive += active(&sites[i]);
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
		kretprobe->handler = returned;
		kretprobe->entry_handler = traced_entered;
		kretprobe->kp.addr = (kprobe_opcode_t *)nowhere;
		kretprobe->kp.flags = KPROBE_FLAG_DISABLED;
		err = carrier_register(&st_traced, &st_traced.all[i]);
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
	if (!st_site_carriers || kretprobes_alloc(&st_traced, ncarriers))
		return -ENOMEM;
	carriers_assign(sites, n);
	if (!have_room(&st_traced, ncarriers))
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

static void single_set(struct st_carrier *carrier, const struct st_place *place)
{
	struct kretprobe *kretprobe = &carrier->kretprobe;

	carrier->site = place->site;
	kretprobe->handler = returned;
	kretprobe->entry_handler = single_entered;
	kretprobe->data_size = call_size(place->site);
	kretprobe->maxactive = active(place->site);
	st_kprobe_place(&kretprobe->kp, place);
}

static void tell_unkept(const struct st_site *site)
{
	if (!site->optional)
		st_tell(ST_FMT_WARN, "probe %s is left out: it saves %zu bytes at each call's entry, "
			"and the kernel keeps %zu; save fewer strings (@entry), or lower "
			"MAXSTRINGLEN", site->point.pp, call_size(site),
			(size_t)ST_KRETPROBE_DATA);
}

int st_kretprobes_arm(struct st_kretprobes *k, const struct st_place *places, unsigned int n)
{
	unsigned int i;

	if (!n)
		return 0;
	if (kretprobes_alloc(k, n))
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		if (is_kept(places[i].site))
			single_set(&k->all[i], &places[i]);
		else
			tell_unkept(places[i].site);
	}
	if (!have_room(k, n))
		return -ENOBUFS;
	for (i = 0; i < n && st_arming_goes_on(); i++) {
		int err = st_kprobe_ready(&places[i]);

		if (!err && is_kept(places[i].site))
			err = carrier_register(k, &k->all[i]);
		if (err)
			st_place_failed(&places[i], err);
	}
	st_kretprobes_refresh(k);
	return 0;
}

void st_kretprobes_refresh(struct st_kretprobes *k)
{
	unsigned int i;

	for (i = 0; i < k->n && st_arming_goes_on(); i++) {
		struct kretprobe *kretprobe = k->registered[i];

		st_kprobe_refresh(&kretprobe->kp,
				  container_of(kretprobe, struct st_carrier, kretprobe)->site);
	}
}

static unsigned long missed_from(const struct st_kretprobes *k, unsigned int first)
{
	unsigned long missed = 0;
	unsigned int i;

	for (i = first; i < k->n; i++)
		missed += k->registered[i]->nmissed + k->registered[i]->kp.nmissed;
	return missed;
}

/* Unregisters the kretprobes from number 'first' on. */
static void unregister_returns_from(struct st_kretprobes *k, unsigned int first)
{
	if (first == k->n)
		return;
	unregister_kretprobes(k->registered + first, k->n - first);
	k->missed += missed_from(k, first);
	k->n = first;
}

void st_kretprobes_forget(struct st_kretprobes *k, const struct module *module,
			  st_within *within)
{
	unsigned int i, kept = 0;

	for (i = 0; i < k->n; i++) {
		if (within((unsigned long)k->registered[i]->kp.addr, module))
			continue;
		swap(k->registered[kept], k->registered[i]);
		kept++;			/* not in swap(): it evaluates twice */
	}
	unregister_returns_from(k, kept);
}

void st_kretprobes_disarm(struct st_kretprobes *k)
{
	unregister_returns_from(k, 0);
}

void st_kretprobes_release(struct st_kretprobes *k)
{
	kvfree(k->all);
	kvfree(k->registered);
	k->all = NULL;
	k->registered = NULL;
}

void st_kretprobes_show(const struct st_kretprobes *k, struct seq_file *m, unsigned int n)
{
	const struct kretprobe *kretprobe = k->registered[n];

	st_kprobe_show(m, &kretprobe->kp, container_of(kretprobe, struct st_carrier, kretprobe)->site,
		       "kretprobe");
}

unsigned long st_kretprobes_missed(const struct st_kretprobes *k)
{
	return k->missed + missed_from(k, 0);
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
