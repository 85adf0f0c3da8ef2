// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns.  The kernel's kretprobes replace a call's return address and
 * bring us to our handler when it is used.  What the entry code of a probe saves
 * (c->saved) lies in the kretprobe's instance, which is the call's.  A call
 * whose entry code didn't run, or failed, isn't followed to its return.
 *
 * Registering a kretprobe is slow: each arms a kprobe of its own, tens of
 * milliseconds of the kernel's walking its tables.  But what happens at the
 * entry is the kretprobe's pre_handler, which register_kretprobe() sets; and
 * ftrace tells us of entries, thousands armed at once.  So a function whose
 * entry is an ftrace site is followed by a carrier: a kretprobe registered
 * disabled, at a function that is never called, whose pre_handler we call from
 * our ftrace callback.  It needs nothing of the registers but the stack pointer.
 *
 * That callback may come in the middle of a kprobe: its handler, or an NMI while it is
 * single-stepped, calls the function.  The kernel would not follow such a call, as it takes
 * it that no kprobe is under way where a followed call returns, and says so when it has
 * handled the return.  So a carrier's returns are handled by a handler of our own, which
 * says nothing of the sort.
 *
 * Some carriers are shared by many functions, enough of them that processors
 * don't all fight for one list of free instances; a place with a maxactive of its
 * own has its own.
 *
 * Where kretprobes can't carry (compat.h) each is registered by itself.
 *
 * The kernel refuses kretprobes where it refuses kprobes; here the translator
 * does (ST_FTRACE_RETURN).
 */
#include <linux/hash.h>
#include <linux/module.h>

#include "abi/transport.h"
#include "core/bases.h"
#include "core/compat.h"
#include "core/handler.h"
#include "core/loader.h"
#include "core/report.h"
#include "code.h"

/* Calls under way at once, by default: many wait in a function that sleeps. */
#define ST_ACTIVE_MIN 64
#define ST_ACTIVE_PER_CPU 16
#define ST_ACTIVE_MAX 4096

#define ST_SHARED_BITS 3

struct st_carrier {
	struct kretprobe kretprobe;
	const struct st_site *site;	/* whose kretprobe it is; NULL: told at the hit */
};

/* What an instance holds. */
struct st_call {
	const struct st_site *site;
	char saved[] __aligned(sizeof(long));
};

static struct st_kretprobes st_traced;		/* the carriers */
static const struct st_site *st_first_site;
static struct st_carrier **st_site_carriers;	/* each site's; NULL: none have any */

/* ---- handlers ---------------------------------------------------------------- */

/* Nonzero: no return handler for this call. */
static int save_at_entry(struct st_context *x, struct st_call *call, const struct st_site *site)
{
	call->site = site;
	if (!site->point.probe->entry)
		return 0;
	x->c.saved = call->saved;
	return site->point.probe->entry(&x->c);
}

static int single_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *kretprobe = st_kretprobe_of(instance);
	const struct st_site *site;
	struct st_context *x;
	int err;

	if (unlikely(!kretprobe))		/* being unregistered */
		return 1;
	site = container_of(kretprobe, struct st_carrier, kretprobe)->site;
	x = st_enter(&site->point, ST_RUNNING);
	if (!x)
		return 1;
	st_set_regs(x, regs);
	err = save_at_entry(x, (struct st_call *)instance->data, site);
	x->uncounted = true;		/* the hit is the return's */
	st_leave_handler(x);
	return err;
}

/* The context is the one that st_follow_return()'s caller took. */
static int traced_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct st_context *x = __this_cpu_read(st_contexts[st_current_level()]);

	return save_at_entry(x, (struct st_call *)instance->data,
			     container_of(x->c.point, struct st_site, point));
}

void st_follow_return(struct st_carrier *carrier, struct pt_regs *regs)
{
	struct kprobe *kprobe = &carrier->kretprobe.kp;

	kprobe->pre_handler(kprobe, regs);
}
/* A call to it that somebody's kretprobe followed would hide the one it follows. */
NOKPROBE_SYMBOL(st_follow_return);

/*
 * Whether the call was made where the place wants it from.  Where several kretprobes
 * follow a call, an instance may know no more than that it returns to the other's
 * trampoline, and the registers where it goes in the end.
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

static int returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct st_call *call = (struct st_call *)instance->data;
	struct st_context *x;

	if (!is_of_caller(call->site, instance, regs))
		return 0;
	x = st_enter(&call->site->point, ST_RUNNING);
	if (!x)
		return 0;
	st_set_regs(x, regs);
	x->c.saved = call->saved;
	x->return_address = st_kretprobe_address(instance);
	call->site->point.probe->handler(&x->c);
	st_leave_handler(x);
	return 0;
}

#ifdef ST_RETHOOK_ARGS
static void carried(ST_RETHOOK_ARGS)
{
	returned(container_of(node, struct kretprobe_instance, node), regs);
}

/* Before it is used. */
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

/* Lends its address; never called. */
static noinline notrace void nowhere(void)
{
	barrier();
}

/*
 * What kprobes may not touch includes what follows calls itself: followed, it would
 * be taken for what it follows.  Of what the script knows only by name the loader says so.
 */
static bool is_traced(const struct st_site *site)
{
	const struct st_base *base = &st_program.bases[site->base];

	if (site->attach != ST_FTRACE_RETURN)
		return false;
	return site->base >= st_program.nbases || base->section[0] != ST_BASE_SYMBOL ||
	       strcmp(base->module, "kernel") || base->kprobes_may;
}

/* A carrier for each site with a maxactive; the others share the first few. */
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
	}
}

/* Registers those that are used. */
static int carriers_register(unsigned int n)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < n && !err; i++) {
		struct kretprobe *kretprobe = &st_traced.all[i].kretprobe;

		if (!kretprobe->maxactive)
			continue;
		if (i < 1u << ST_SHARED_BITS)
			kretprobe->maxactive = min(kretprobe->maxactive, ST_ACTIVE_MAX);
		kretprobe->handler = returned;
		kretprobe->entry_handler = traced_entered;
		kretprobe->kp.addr = (kprobe_opcode_t *)nowhere;
		kretprobe->kp.flags = KPROBE_FLAG_DISABLED;
		err = carrier_register(&st_traced, &st_traced.all[i]);
		if (!err)
			carrier_take_over(&st_traced.all[i]);
		cond_resched();
	}
	return err;
}

int st_carriers_arm(const struct st_site *sites, unsigned int n)
{
	unsigned int i, ntraced = 0, own = 0;

	for (i = 0; i < n; i++) {
		ntraced += is_traced(&sites[i]);
		own += is_traced(&sites[i]) && sites[i].maxactive > 0;
	}
	if (!ntraced || !ST_KRETPROBE_CARRIES)
		return 0;
	st_first_site = sites;
	st_site_carriers = kvcalloc(n, sizeof(*st_site_carriers), GFP_KERNEL);
	if (!st_site_carriers || kretprobes_alloc(&st_traced, (1u << ST_SHARED_BITS) + own))
		return -ENOMEM;
	carriers_assign(sites, n);
	if (carriers_register((1u << ST_SHARED_BITS) + own)) {
		kvfree(st_site_carriers);	/* then by kretprobes, who say why not */
		st_site_carriers = NULL;
	}
	return 0;
}

struct st_carrier *st_carrier_of(const struct st_site *site)
{
	return st_site_carriers ? st_site_carriers[site - st_first_site] : NULL;
}

int st_kretprobes_arm(struct st_kretprobes *k, const struct st_place *places, unsigned int n)
{
	unsigned int i;
	int err;

	if (!n)
		return 0;
	err = kretprobes_alloc(k, n);
	for (i = 0; i < n && !err && st_arming_goes_on(); i++) {
		struct st_carrier *carrier = &k->all[i];
		struct kretprobe *kretprobe = &carrier->kretprobe;
		int refused;

		carrier->site = places[i].site;
		kretprobe->handler = returned;
		kretprobe->entry_handler = single_entered;
		kretprobe->data_size = call_size(places[i].site);
		kretprobe->maxactive = active(places[i].site);
		st_kprobe_place(&kretprobe->kp, &places[i]);
		refused = carrier_register(k, carrier);
		if (refused)
			st_place_failed(&places[i], refused);
	}
	st_kretprobes_refresh(k);
	return err;
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

/* Takes those from number 'first' on away. */
static void unregister_returns_from(struct st_kretprobes *k, unsigned int first)
{
	if (first == k->n)
		return;
	unregister_kretprobes(k->registered + first, k->n - first);
	k->missed += missed_from(k, first);
	k->n = first;
}

void st_kretprobes_forget(struct st_kretprobes *k, const struct module *module)
{
	unsigned int i, kept = 0;

	for (i = 0; i < k->n; i++) {
		if (within_module((unsigned long)k->registered[i]->kp.addr, module))
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

unsigned long st_kretprobes_missed(const struct st_kretprobes *k)
{
	return k->missed + missed_from(k, 0);
}

/* After ftrace's, which call carriers. */
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
