// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns.  A kretprobe replaces a call's return address by a trampoline,
 * which calls our handler.  The values that the probe's entry code saves (c->saved)
 * are kept in the kretprobe instance, one of which belongs to each call.  A call
 * whose entry code didn't run, or failed, isn't followed to its return.
 *
 * This file has those that have a kretprobe each, and what they share with the many that ftrace
 * reports (carrier.c).
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/module.h>

#include "port/port.h"
#include "abi/transport.h"
#include "core/report.h"
#include "handler/print.h"
#include "life/loader.h"
#include "bases.h"
#include "carrier.h"
#include "kprobe_state.h"

/* How many calls of a function are followed at once by default; many may sleep in it. */
#define ST_ACTIVE_MIN 64
#define ST_ACTIVE_PER_CPU 16

/* ---- handlers ---------------------------------------------------------------- */

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
	err = st_save_at_entry(x, (struct st_call *)instance->data, site);
	x->uncounted = true;		/* the return counts as the hit */
	st_leave_handler(x);
	st_kprobe_put_back(&state);
	return err;
}

noinline bool st_is_of_caller(const struct st_site *site, struct kretprobe_instance *instance,
		     const struct pt_regs *regs)
{
	unsigned long base, caller;

	if (!st_base_address(site->caller_base, &base))
		return false;
	caller = base + site->caller;
	return st_kretprobe_address(instance) == caller ||
	       instruction_pointer((struct pt_regs *)regs) == caller;
}

/*
 * Sets current_kprobe aside, which the kernel sets to the kretprobe's at a return.  Where it holds a
 * lock meanwhile, that keeps kretprobes in what the handler calls from taking it again.
 */
static void set_return_aside(struct kretprobe_instance *instance, struct st_kprobe_state *state)
{
	struct kretprobe *kretprobe = st_kretprobe_of(instance);

	state->current_kprobe = NULL;
	if (ST_KRETPROBE_LOCKLESS && likely(kretprobe))
		st_kprobe_set_aside(&kretprobe->kp, state);
}

int st_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct st_context *x = st_return_enter(instance, regs);
	struct st_kprobe_state state;

	if (!x)
		return 0;
	set_return_aside(instance, &state);
	st_return_run(x, instance, regs);
	st_leave_handler(x);
	st_kprobe_put_back(&state);
	return 0;
}

/* ---- arming ------------------------------------------------------------------ */

int st_kretprobes_alloc(struct st_kretprobes *k, unsigned int n)
{
	k->all = kvcalloc(n, sizeof(*k->all), GFP_KERNEL);
	k->registered = kvcalloc(n, sizeof(*k->registered), GFP_KERNEL);
	return k->all && k->registered ? 0 : -ENOMEM;
}

int st_kretprobe_register(struct st_kretprobes *k, struct st_carrier *carrier)
{
	int err = register_kretprobe(&carrier->kretprobe);

	if (!err)
		k->registered[k->n++] = &carrier->kretprobe;
	return err;
}

int st_calls_active(const struct st_site *site)
{
	if (site->maxactive > 0)
		return site->maxactive;
	if (st_program.kretactive > 0)
		return st_program.kretactive;
	return clamp_t(int, ST_ACTIVE_PER_CPU * num_possible_cpus(), ST_ACTIVE_MIN, ST_ACTIVE_MAX);
}

size_t st_call_size(const struct st_site *site)
{
	return sizeof(struct st_call) + site->point.probe->saved_size;
}

bool st_call_is_kept(const struct st_site *site)
{
	return st_call_size(site) <= ST_KRETPROBE_DATA;
}

bool st_kretprobes_have_room(const struct st_kretprobes *k, unsigned int n)
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

static void single_set(struct st_carrier *carrier, const struct st_place *place)
{
	struct kretprobe *kretprobe = &carrier->kretprobe;

	carrier->site = place->site;
	kretprobe->handler = st_returned;
	kretprobe->entry_handler = single_entered;
	kretprobe->data_size = st_call_size(place->site);
	kretprobe->maxactive = st_calls_active(place->site);
	st_kprobe_place(&kretprobe->kp, place);
}

static void tell_unkept(const struct st_site *site)
{
	if (!site->optional)
		st_tell(ST_FMT_WARN, "probe %s is left out: it saves %zu bytes at each call's entry, "
			"and the kernel keeps %zu; save fewer strings (@entry), or lower "
			"MAXSTRINGLEN", site->point.pp, st_call_size(site),
			(size_t)ST_KRETPROBE_DATA);
}

int st_kretprobes_arm(struct st_kretprobes *k, const struct st_place *places, unsigned int n)
{
	unsigned int i;

	if (!n)
		return 0;
	if (st_kretprobes_alloc(k, n))
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		if (st_call_is_kept(places[i].site))
			single_set(&k->all[i], &places[i]);
		else
			tell_unkept(places[i].site);
	}
	if (!st_kretprobes_have_room(k, n))
		return -ENOBUFS;
	for (i = 0; i < n && st_arming_goes_on(); i++) {
		int err = st_kprobe_ready(&places[i]);

		if (!err && st_call_is_kept(places[i].site))
			err = st_kretprobe_register(k, &k->all[i]);
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

