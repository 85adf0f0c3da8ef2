// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries through ftrace: one ftrace_ops whose filter is all of a group's,
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

static __always_inline struct st_slot *slot_find(const struct st_entries *e, unsigned long ip)
{
	unsigned int mask = (1u << e->slot_bits) - 1;
	unsigned int i = hash_long(ip, e->slot_bits);

	for (; e->slots[i].ip; i = (i + 1) & mask)
		if (e->slots[i].ip == ip)
			return &e->slots[i];
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
	const struct st_entries *e = container_of(ops, struct st_entries, ops);
	const struct st_slot *slot = slot_find(e, ip);
	const struct st_place *place;

	if (ST_FTRACE_OFFSET && !slot)
		slot = slot_find(e, ip - ST_FTRACE_OFFSET);
	if (unlikely(!slot || !rcu_watches()))
		return;
	for (place = slot->first; place < slot->end; place++)
		place_hit(place, regs);
}

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
	st_ftrace_unfilter(&test);
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

static int slots_alloc(struct st_entries *e, unsigned int nips)
{
	e->slot_bits = ilog2(roundup_pow_of_two(2 * nips));
	e->slots = kvcalloc(1ul << e->slot_bits, sizeof(*e->slots), GFP_KERNEL);
	return e->slots ? 0 : -ENOMEM;
}

static void slots_fill(struct st_entries *e, const struct st_place *places, unsigned int n)
{
	unsigned int mask = (1u << e->slot_bits) - 1, i, at;

	for (i = 0; i < n; i++) {
		unsigned long ip = places[i].address;

		for (at = hash_long(ip, e->slot_bits); e->slots[at].ip; at = (at + 1) & mask)
			if (e->slots[at].ip == ip)
				break;
		if (!e->slots[at].ip)
			e->slots[at] = (struct st_slot){ ip, &places[i], &places[i] };
		e->slots[at].end = &places[i + 1];
	}
}

/* Sets the filter to the addresses ftrace knows; how many are left. */
static unsigned int filter(struct st_entries *e, unsigned long *ips, unsigned int nips)
{
	if (!st_ftrace_filter(&e->ops, ips, nips))
		return nips;
	nips = addresses_known(ips, nips);
	if (!nips || st_ftrace_filter(&e->ops, ips, nips))
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
static unsigned int wanted_addresses(struct st_entries *e)
{
	const struct st_place *p;
	unsigned int n = 0;

	for (p = e->taken; p < e->taken + e->ntaken; p++)
		if (!p->gone && st_wanted(p->site->point.probe) &&
		    (!n || e->wanted_ips[n - 1] != p->address))
			e->wanted_ips[n++] = p->address;
	return n;
}

static void unregister(struct st_entries *e)
{
	if (e->registered)
		unregister_ftrace_function(&e->ops);
	e->registered = false;
}

/* Brings the filter into line.  An empty one would be every function. */
static int follow_wanted(struct st_entries *e)
{
	unsigned int n = wanted_addresses(e);
	int err = 0;

	if (n != e->narmed_ips || memcmp(e->wanted_ips, e->armed_ips, n * sizeof(*e->armed_ips))) {
		if (n)
			n = filter(e, e->wanted_ips, n);
		swap(e->wanted_ips, e->armed_ips);
		e->narmed_ips = n;
	}
	if (!n)
		unregister(e);
	if (n && !e->registered) {
		err = register_ftrace_function(&e->ops);
		e->registered = !err;
	}
	return err;
}

void st_ftrace_refresh(struct st_entries *e)
{
	int err = e->conditional ? follow_wanted(e) : 0;

	if (err)
		st_tell(ST_FMT_WARN, "function entries can't be armed again (rc %d)", err);
}

void st_ftrace_forget(struct st_entries *e, const struct module *module)
{
	struct st_place *p;
	bool any = false;

	for (p = e->taken; p < e->taken + e->ntaken; p++) {
		if (p->gone || !within_module(p->address, module))
			continue;
		struct st_slot *slot = slot_find(e, p->address);

		WRITE_ONCE(slot->end, slot->first);
		p->gone = any = true;
	}
	if (any)
		follow_wanted(e);
}

/* Arms what the filter has. */
static int arm_taken(struct st_entries *e, struct st_place *places, unsigned int n,
		     const unsigned long *ips, unsigned int nips)
{
	int err;

	e->armed_ips = kvcalloc(nips, sizeof(*e->armed_ips), GFP_KERNEL);
	e->wanted_ips = kvcalloc(nips, sizeof(*e->wanted_ips), GFP_KERNEL);
	if (!e->armed_ips || !e->wanted_ips)
		return -ENOMEM;
	memcpy(e->armed_ips, ips, nips * sizeof(*ips));
	e->narmed_ips = nips;
	e->taken = places;
	e->ntaken = n;
	e->conditional = have_conditions(places, n);
	err = follow_wanted(e);
	if (err)
		e->ntaken = 0;
	return err ? 0 : n;		/* kprobes can have them all */
}

/* Never with an empty filter: that would be every function. */
static int arm_some(struct st_entries *e, struct st_place *places, unsigned int n,
		    unsigned long *ips)
{
	unsigned int nips = filter(e, ips, addresses(places, n, ips)), taken;

	taken = nips ? partition(places, n, ips, nips) : 0;
	if (!taken)
		return 0;
	if (slots_alloc(e, nips) < 0)
		return -ENOMEM;
	slots_fill(e, places, taken);
	if (!ST_FTRACE_ARGS || want_all_regs(places, taken))
		e->ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	return arm_taken(e, places, taken, ips, nips);
}

int st_ftrace_arm(struct st_entries *e, struct st_place *places, unsigned int n)
{
	unsigned long *ips;
	int taken;

	if (!n)
		return 0;
	ips = kvmalloc_array(n, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	e->ops.func = ftrace_hit;
	e->ops.flags = ST_FTRACE_UNGUARDED;
	sort(places, n, sizeof(*places), by_address, NULL);
	taken = arm_some(e, places, n, ips);
	kvfree(ips);
	return taken;
}

void st_ftrace_disarm(struct st_entries *e)
{
	unregister(e);
}

void st_ftrace_release(struct st_entries *e)
{
	if (e->ops.func)
		st_ftrace_unfilter(&e->ops);
	kvfree(e->slots);
	kvfree(e->armed_ips);
	kvfree(e->wanted_ips);
}
