// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries through ftrace: one ftrace_ops whose filter is all of them,
 * so that thousands are patched in one go.  A return that is probed begins with
 * its function's entry (return.c).
 *
 * The callback is told the address and finds the places there in a hash table
 * built before: open addressing, half empty, never changed while armed.
 * Recursion protection is the context's (context.h), so ftrace adds none of
 * its own between its trampoline and us.
 *
 * A module that goes takes its places with it: ftrace would keep their addresses,
 * and call us for whatever module has them next.
 *
 * Registers: ftrace saves the argument registers anyway, all of them if asked;
 * it is asked if a place wants them.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sort.h>

#include "code.h"

/* The places at one address: consecutive. */
struct st_slot {
	unsigned long ip;		/* 0: empty */
	const struct st_place *first, *end;
};

static struct st_slot *st_slots;
static unsigned int st_slot_bits;
static bool st_registered;

/* What was taken, and the addresses of it that are in the filter, with room for as
 * many again.  Conditions and modules that go change what is wanted. */
static struct st_place *st_taken;
static unsigned int st_ntaken;
static unsigned long *st_armed_ips, *st_wanted_ips;
static unsigned int st_narmed_ips;
static bool st_conditional, st_watching;
static DEFINE_MUTEX(st_filter_mutex);	/* inside all others */

static __always_inline struct st_slot *slot_find(unsigned long ip)
{
	unsigned int mask = (1u << st_slot_bits) - 1;
	unsigned int i = hash_long(ip, st_slot_bits);

	for (; st_slots[i].ip; i = (i + 1) & mask)
		if (st_slots[i].ip == ip)
			return &st_slots[i];
	return NULL;
}

static __always_inline void place_hit(const struct st_place *place, st_ftrace_regs *regs)
{
	struct st_context *x = st_take(&place->site->point, ST_RUNNING);

	if (!x)
		return;
	if (place->carrier && !place->site->point.probe->entry) {
		st_follow_return(place->carrier, st_ftrace_words(regs));
		st_give(x);
		return;
	}
	st_prepare(x, ST_RUNNING);
	x->c.regs = (unsigned long *)st_ftrace_words(regs);
	x->whole_regs = st_ftrace_whole(regs);
	if (place->carrier) {
		st_follow_return(place->carrier, st_ftrace_words(regs));
		x->c.point = NULL;	/* the hit is the return's (timing.c) */
	} else {
		place->site->point.probe->handler(&x->c);
	}
	st_leave_handler(x);
}

/* In idle code there may be no RCU for handlers to lean on. */
static __always_inline bool rcu_watches(void)
{
	return likely(!is_idle_task(current)) || rcu_is_watching();
}

static void notrace ftrace_hit(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, st_ftrace_regs *regs)
{
	const struct st_slot *slot = slot_find(ip);
	const struct st_place *place;

	if (ST_FTRACE_OFFSET && !slot)
		slot = slot_find(ip - ST_FTRACE_OFFSET);
	if (unlikely(!slot || !rcu_watches()))
		return;
	for (place = slot->first; place < slot->end; place++)
		place_hit(place, regs);
}

static struct ftrace_ops st_ops = {
	.func = ftrace_hit,
	.flags = ST_FTRACE_UNGUARDED,
};

/* ---- arming ---------------------------------------------------------------- */

/* Calls are followed last come, first served: the script's first return probe last. */
static int by_address(const void *a, const void *b)
{
	const struct st_place *p = a, *q = b;

	if (p->address != q->address)
		return p->address < q->address ? -1 : 1;
	if (!p->carrier != !q->carrier)
		return p->carrier ? 1 : -1;
	if (p->carrier)
		swap(p, q);
	return p->site < q->site ? -1 : p->site > q->site;
}

/* The different addresses among sorted places; their number. */
static unsigned int addresses(const struct st_place *places, unsigned int n, unsigned long *ips)
{
	unsigned int i, nips = 0;

	for (i = 0; i < n; i++)
		if (!nips || ips[nips - 1] != places[i].address)
			ips[nips++] = places[i].address;
	return nips;
}

/* Asks ftrace of each address alone, on an ops that is never registered; keeps
 * the good ones. */
static unsigned int addresses_known(unsigned long *ips, unsigned int n)
{
	static struct ftrace_ops test = { .func = ftrace_hit };
	unsigned int i, good = 0;

	for (i = 0; i < n; i++) {
		if (!ftrace_set_filter_ip(&test, ips[i], 0, 1))
			ips[good++] = ips[i];
		cond_resched();
	}
	st_ftrace_forget(&test);
	return good;
}

static bool contains(const unsigned long *ips, unsigned int n, unsigned long ip)
{
	unsigned int lo = 0, hi = n;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (ips[mid] == ip)
			return true;
		if (ips[mid] < ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

/* Moves the places at one of ips to the front, in order; their number. */
static unsigned int partition(struct st_place *places, unsigned int n,
			      const unsigned long *ips, unsigned int nips)
{
	unsigned int i, taken = 0;

	for (i = 0; i < n; i++)
		if (contains(ips, nips, places[i].address)) {
			swap(places[taken], places[i]);
			taken++;
		}
	return taken;
}

static int slots_alloc(unsigned int nips)
{
	st_slot_bits = ilog2(roundup_pow_of_two(2 * nips));
	st_slots = kvcalloc(1ul << st_slot_bits, sizeof(*st_slots), GFP_KERNEL);
	return st_slots ? 0 : -ENOMEM;
}

static void slots_fill(const struct st_place *places, unsigned int n)
{
	unsigned int mask = (1u << st_slot_bits) - 1, i, at;

	for (i = 0; i < n; i++) {
		unsigned long ip = places[i].address;

		for (at = hash_long(ip, st_slot_bits); st_slots[at].ip; at = (at + 1) & mask)
			if (st_slots[at].ip == ip)
				break;
		if (!st_slots[at].ip)
			st_slots[at] = (struct st_slot){ ip, &places[i], &places[i] };
		st_slots[at].end = &places[i + 1];
	}
}

/* Sets the filter to the addresses ftrace knows; how many are left. */
static unsigned int filter(unsigned long *ips, unsigned int nips)
{
	if (!st_ftrace_filter(&st_ops, ips, nips))
		return nips;
	nips = addresses_known(ips, nips);
	if (!nips || st_ftrace_filter(&st_ops, ips, nips))
		return 0;
	return nips;
}

static bool want_all_regs(const struct st_place *places, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!places[i].site->args_only)
			return true;
	return false;
}

static bool have_conditions(const struct st_place *places, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (places[i].site->point.probe->armed)
			return true;
	return false;
}

/* The different addresses that are wanted; their number. */
static unsigned int wanted_addresses(void)
{
	const struct st_place *p;
	unsigned int n = 0;

	for (p = st_taken; p < st_taken + st_ntaken; p++)
		if (!p->gone && st_wanted(p->site->point.probe) &&
		    (!n || st_wanted_ips[n - 1] != p->address))
			st_wanted_ips[n++] = p->address;
	return n;
}

static void unregister(void)
{
	if (st_registered)
		unregister_ftrace_function(&st_ops);
	st_registered = false;
}

/* Brings the filter into line.  An empty one would be every function. */
static int follow_wanted(void)
{
	unsigned int n = wanted_addresses();
	int err = 0;

	if (n != st_narmed_ips || memcmp(st_wanted_ips, st_armed_ips, n * sizeof(*st_armed_ips))) {
		if (n)
			n = filter(st_wanted_ips, n);
		swap(st_wanted_ips, st_armed_ips);
		st_narmed_ips = n;
	}
	if (!n)
		unregister();
	if (n && !st_registered) {
		err = register_ftrace_function(&st_ops);
		st_registered = !err;
	}
	return err;
}

void st_ftrace_refresh(void)
{
	int err = 0;

	mutex_lock(&st_filter_mutex);
	if (st_conditional)
		err = follow_wanted();
	mutex_unlock(&st_filter_mutex);
	if (err)
		st_tell(ST_FMT_WARN, "function entries can't be armed again (rc %d)", err);
}

/* How many of the places were the module's.  None of its code runs any more. */
static unsigned int forget_module(const struct module *module)
{
	struct st_place *p;
	unsigned int n = 0;

	for (p = st_taken; p < st_taken + st_ntaken; p++) {
		if (!within_module(p->address, module))
			continue;
		struct st_slot *slot = slot_find(p->address);

		WRITE_ONCE(slot->end, slot->first);
		p->gone = true;
		n++;
	}
	return n;
}

static int module_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *module = data;
	unsigned int n;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&st_filter_mutex);
	n = forget_module(module);
	if (n)
		follow_wanted();
	mutex_unlock(&st_filter_mutex);
	if (n)
		st_tell(ST_FMT_WARN, "module %s was unloaded: %u of its places are probed no more",
			module->name, n);
	return NOTIFY_OK;
}

static struct notifier_block st_watch = { .notifier_call = module_notify };

static bool in_module(const struct st_place *place)
{
	return place->site->base < st_program.nbases &&
	       strcmp(st_program.bases[place->site->base].module, "kernel");
}

static bool have_modules(const struct st_place *places, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (in_module(&places[i]))
			return true;
	return false;
}

/* Arms what the filter has. */
static int arm_taken(struct st_place *places, unsigned int n, const unsigned long *ips,
		     unsigned int nips)
{
	int err;

	st_armed_ips = kvcalloc(nips, sizeof(*st_armed_ips), GFP_KERNEL);
	st_wanted_ips = kvcalloc(nips, sizeof(*st_wanted_ips), GFP_KERNEL);
	if (!st_armed_ips || !st_wanted_ips)
		return st_fail(-ENOMEM, "no memory for %u places", n);
	memcpy(st_armed_ips, ips, nips * sizeof(*ips));
	st_narmed_ips = nips;
	st_taken = places;
	st_ntaken = n;
	st_conditional = have_conditions(places, n);
	err = follow_wanted();
	if (err)
		st_ntaken = 0;
	else if (have_modules(places, n))
		st_watching = !register_module_notifier(&st_watch);
	return err ? 0 : n;		/* kprobes can have them all */
}

/* Never with an empty filter: that would be every function. */
static int arm_some(struct st_place *places, unsigned int n, unsigned long *ips)
{
	unsigned int nips = filter(ips, addresses(places, n, ips)), taken;

	taken = nips ? partition(places, n, ips, nips) : 0;
	if (!taken)
		return 0;
	if (slots_alloc(nips) < 0)
		return st_fail(-ENOMEM, "no memory for %u places", n);
	slots_fill(places, taken);
	if (!ST_FTRACE_ARGS || want_all_regs(places, taken))
		st_ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	return arm_taken(places, taken, ips, nips);
}

int st_ftrace_arm(struct st_place *places, unsigned int n)
{
	unsigned long *ips;
	int taken;

	if (!n)
		return 0;
	ips = kvmalloc_array(n, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return st_fail(-ENOMEM, "no memory for %u places", n);
	sort(places, n, sizeof(*places), by_address, NULL);
	taken = arm_some(places, n, ips);
	kvfree(ips);
	return taken;
}

void st_ftrace_disarm(void)
{
	if (st_watching)
		unregister_module_notifier(&st_watch);
	st_watching = false;
	unregister();
}

void st_ftrace_release(void)
{
	st_ftrace_forget(&st_ops);
	kvfree(st_slots);
	kvfree(st_armed_ips);
	kvfree(st_wanted_ips);
	st_slots = NULL;
	st_armed_ips = st_wanted_ips = NULL;
	st_ntaken = 0;
}
