// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries through ftrace: one ftrace_ops whose filter has all addresses of a
 * group, so that thousands are patched in one go.  Following a return starts at its
 * function's entry (carrier.c).
 *
 * On kernels before 6.0 a filter takes one address at a time and is copied for each, so
 * the group is cut into batches, by address, with an ftrace_ops each.  Elsewhere there is
 * one batch.
 *
 * The callback gets the address and finds the places there in a hash table: open
 * addressing, half empty, built before arming and unchanged while armed.  The context
 * protects against recursion (handler/handler.h), so ftrace adds no protection of its own
 * between its trampoline and the callback.
 *
 * When a module is unloaded, or its init sections are freed, the places there are dropped:
 * ftrace would keep their addresses and call us for whatever module gets them next.
 *
 * ftrace always saves the registers that carry arguments; it saves all of them, which takes
 * longer, only if some place needs them.
 */
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sort.h>

#include "arch/arch.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "life/loader.h"
#include "carrier.h"
#include "code.h"

/* The places at one address, which are consecutive. */
struct st_slot {
	unsigned long ip;		/* 0: empty */
	const struct st_place *first, *end;
};

/*
 * Returns the slot from which on an address is looked for.  Nearly all functions begin at a multiple of
 * 16 bytes, so a function's first address and that of its ftrace site, which may be behind it, share one.
 */
static __always_inline unsigned int slot_number(const struct st_entries *e, unsigned long ip)
{
	return (ip / 16 * GOLDEN_RATIO_64) >> 32 & e->slot_mask;
}

/* Finds the function that is at IP, or whose ftrace site is there. */
static __always_inline struct st_slot *slot_find(const struct st_entries *e, unsigned long ip)
{
	struct st_slot *slot;
	unsigned int i;

	for (i = slot_number(e, ip); (slot = &e->slots[i])->ip; i = (i + 1) & e->slot_mask)
		if (slot->ip == ip || (ST_ARCH_FTRACE_OFFSET && slot->ip == ip - ST_ARCH_FTRACE_OFFSET))
			return slot;
	return NULL;
}

static __always_inline void place_hit(const struct st_place *place, st_ftrace_regs *regs)
{
	const struct st_probe *probe = place->site->point.probe;
	struct st_carrier *carrier = place->carrier;
	struct st_context *x = st_take_context(&place->site->point, ST_RUNNING);

	if (!x)
		return;
	if (carrier && !probe->entry) {
		st_follow_return(carrier, st_ftrace_words(regs));
		st_give(x);
		return;
	}
	st_prepare(x, ST_RUNNING);
	x->c.regs = (unsigned long *)st_ftrace_words(regs);
	if (carrier) {
		st_follow_return(carrier, st_ftrace_words(regs));
		x->uncounted = true;	/* the return counts as the hit */
	} else {
		probe->handler(&x->c);
	}
	st_leave_handler(x);
}

/*
 * Is the current task a CPU's idle task, or one that idles for it (is_idle_task())?  The former has
 * number 0, and many kernels mark it as an idle task only when it has brought its CPU online for
 * the first time.
 */
static __always_inline bool is_idle(void)
{
	return is_idle_task(current) || !current->pid;
}

/*
 * Is this CPU fit for a handler?  In idle code RCU may not be watching, but handlers rely on it.
 * And the idle task brings its CPU online.  At first that has no IDT, so a bad address that a
 * handler reads would reset the machine; so would a kprobe in rcu_is_watching().
 */
static __always_inline bool cpu_is_fit(void)
{
	return likely(!is_idle()) ||
	       (cpu_online(raw_smp_processor_id()) && rcu_is_watching());
}

static noinline notrace void count_idle(const struct st_slot *slot)
{
	const struct st_place *place;

	for (place = slot->first; place < slot->end; place++)
		if (READ_ONCE(st_state) == ST_RUNNING && st_wanted(place->site->point.probe) && st_in_bound())
			atomic_long_inc(&st_counts.idle);
}

static void notrace ftrace_hit(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, st_ftrace_regs *regs)
{
	const struct st_entries *e = container_of(ops, struct st_ftrace_batch, ops)->entries;
	const struct st_slot *slot = slot_find(e, ip);
	const struct st_place *place;

	if (ST_ARCH_FTRACE_OFFSET && unlikely(!slot))
		slot = slot_find(e, ip - ST_ARCH_FTRACE_OFFSET);
	if (unlikely(!slot))
		return;
	if (unlikely(!cpu_is_fit())) {
		count_idle(slot);
		return;
	}
	for (place = slot->first; place < slot->end; place++)
		place_hit(place, regs);
}
NOKPROBE_SYMBOL(ftrace_hit);

/* ---- arming ---------------------------------------------------------------- */

/*
 * Orders places by address.  Of several that follow a call to its return, the last to start
 * comes first at the return: so return places at one address are in reverse script order.
 */
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

/* Writes each address of the sorted places once to ips; returns how many there are. */
static unsigned int addresses(const struct st_place *places, unsigned int n, unsigned long *ips)
{
	unsigned int i, nips = 0;

	for (i = 0; i < n; i++)
		if (!nips || ips[nips - 1] != places[i].address)
			ips[nips++] = places[i].address;
	return nips;
}

/* Tries to add the address to the filter of an ops that is never registered. */
bool st_ftrace_reaches(unsigned long address)
{
	static struct ftrace_ops test = { .func = ftrace_hit };
	bool reaches = !ftrace_set_filter_ip(&test, address, 0, 1);

	st_ftrace_unfilter(&test);
	return reaches;
}

/* Keeps the addresses that ftrace accepts. */
static unsigned int addresses_known(unsigned long *ips, unsigned int n)
{
	unsigned int i, good = 0;

	for (i = 0; i < n; i++) {
		if (st_ftrace_reaches(ips[i]))
			ips[good++] = ips[i];
		cond_resched();
	}
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

/* Moves the places whose address is in ips to the front, in order; returns how many. */
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
	e->slot_mask = roundup_pow_of_two(2 * nips) - 1;
	e->slots = kvcalloc(e->slot_mask + 1ul, sizeof(*e->slots), GFP_KERNEL);
	return e->slots ? 0 : -ENOMEM;
}

static void slots_fill(struct st_entries *e, const struct st_place *places, unsigned int n)
{
	unsigned int i, at;

	for (i = 0; i < n; i++) {
		unsigned long ip = places[i].address;

		for (at = slot_number(e, ip); e->slots[at].ip; at = (at + 1) & e->slot_mask)
			if (e->slots[at].ip == ip)
				break;
		if (!e->slots[at].ip)
			e->slots[at] = (struct st_slot){ ip, &places[i], &places[i] };
		e->slots[at].end = &places[i + 1];
	}
}

/* Sets the filter to the addresses that ftrace accepts; returns how many these are. */
static unsigned int filter(struct ftrace_ops *ops, unsigned long *ips, unsigned int nips)
{
	if (!st_ftrace_filter(ops, ips, nips))
		return nips;
	nips = addresses_known(ips, nips);
	if (!nips || st_ftrace_filter(ops, ips, nips))
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

/* Collects the addresses of places whose probe's condition holds; returns how many. */
static unsigned int wanted_addresses(struct st_ftrace_batch *b)
{
	const struct st_place *p;
	unsigned int n = 0;

	for (p = b->taken; p < b->taken + b->ntaken; p++)
		if (!p->gone && st_wanted(p->site->point.probe) &&
		    (!n || b->wanted_ips[n - 1] != p->address))
			b->wanted_ips[n++] = p->address;
	return n;
}

static void unregister(struct st_ftrace_batch *b)
{
	if (b->registered)
		unregister_ftrace_function(&b->ops);
	b->registered = false;
}

/* Sets the filter to the wanted addresses.  An empty filter would mean every function: then
 * the ops is unregistered instead. */
static int follow_wanted(struct st_ftrace_batch *b)
{
	unsigned int n = wanted_addresses(b);
	int err = 0;

	if (n != b->narmed_ips || memcmp(b->wanted_ips, b->armed_ips, n * sizeof(*b->armed_ips))) {
		if (n)
			n = filter(&b->ops, b->wanted_ips, n);
		swap(b->wanted_ips, b->armed_ips);
		b->narmed_ips = n;
	}
	if (!n)
		unregister(b);
	if (n && !b->registered) {
		err = register_ftrace_function(&b->ops);
		b->registered = !err;
	}
	return err;
}

void st_ftrace_refresh(struct st_entries *e)
{
	unsigned int i;
	int err = 0;

	for (i = 0; e->conditional && i < e->nbatches && !err; i++)
		err = follow_wanted(&e->batches[i]);
	if (err)
		st_tell(ST_FMT_WARN, "function entries can't be armed again (rc %d)", err);
}

static void batch_forget(struct st_ftrace_batch *b, const struct module *module,
			 st_within *within)
{
	struct st_place *p;
	bool any = false;

	for (p = b->taken; p < b->taken + b->ntaken; p++) {
		if (p->gone || !within(p->address, module))
			continue;
		struct st_slot *slot = slot_find(b->entries, p->address);

		WRITE_ONCE(slot->end, slot->first);
		p->gone = any = true;
	}
	if (any)
		follow_wanted(b);
}

void st_ftrace_forget(struct st_entries *e, const struct module *module, st_within *within)
{
	unsigned int i;

	for (i = 0; i < e->nbatches; i++)
		batch_forget(&e->batches[i], module, within);
}

static int batches_alloc(struct st_entries *e, unsigned int nips)
{
	unsigned int i, n = (nips - 1) / ST_FTRACE_BATCH + 1;

	e->batches = kvcalloc(n, sizeof(*e->batches), GFP_KERNEL);
	e->ips = kvcalloc(nips, 2 * sizeof(*e->ips), GFP_KERNEL);
	if (!e->batches || !e->ips)
		return -ENOMEM;
	e->nbatches = n;
	for (i = 0; i < n; i++) {
		e->batches[i].entries = e;
		e->batches[i].ops.func = ftrace_hit;
		/*
		 * Permanent, because otherwise the sysctl ftrace_enabled would switch us off
		 * without a word.
		 */
		e->batches[i].ops.flags = ST_FTRACE_UNGUARDED | FTRACE_OPS_FL_PERMANENT;
	}
	return 0;
}

/* Sets the batches' filters from sorted addresses; leaves the addresses that ftrace accepts in ips and
 * returns how many these are. */
static unsigned int batches_filter(struct st_entries *e, unsigned long *ips, unsigned int nips)
{
	unsigned int i, left = 0, at = 0;

	for (i = 0; i < e->nbatches; i++) {
		struct st_ftrace_batch *b = &e->batches[i];
		unsigned int n = min_t(unsigned int, nips - at, ST_FTRACE_BATCH);

		b->narmed_ips = filter(&b->ops, ips + at, n);
		memmove(ips + left, ips + at, b->narmed_ips * sizeof(*ips));
		left += b->narmed_ips;
		at += n;
	}
	return left;
}

/* Assigns each batch its addresses and the places there. */
static void batches_fill(struct st_entries *e, struct st_place *places, unsigned int n,
			 const unsigned long *ips)
{
	struct st_place *end = places + n;
	unsigned long *room = e->ips;
	unsigned int i;

	for (i = 0; i < e->nbatches; i++) {
		struct st_ftrace_batch *b = &e->batches[i];

		b->armed_ips = room;
		b->wanted_ips = room + b->narmed_ips;
		memcpy(b->armed_ips, ips, b->narmed_ips * sizeof(*ips));
		room += 2 * b->narmed_ips;
		ips += b->narmed_ips;
		b->taken = places;
		while (places < end && b->narmed_ips && places->address <= ips[-1])
			places++;
		b->ntaken = places - b->taken;
	}
}

/* Returns how many places, the first ones, are armed.  Kprobes take the rest, but not when ftrace
 * is off (-EBUSY): at its sites they go through ftrace themselves, and would never be hit. */
static int batches_arm(struct st_entries *e)
{
	unsigned int i, taken = 0;

	for (i = 0; i < e->nbatches && st_arming_goes_on(); i++) {
		int err = follow_wanted(&e->batches[i]);

		if (err == -EBUSY)
			return err;
		if (err)
			break;
		taken += e->batches[i].ntaken;
	}
	for (; i < e->nbatches; i++)
		e->batches[i].ntaken = 0;
	return taken;
}

/* Arms what ftrace accepts.  Returns without registering anything if that is nothing. */
static int arm_some(struct st_entries *e, struct st_place *places, unsigned int n,
		    unsigned long *ips)
{
	unsigned int i, nips = addresses(places, n, ips), taken;

	if (batches_alloc(e, nips))
		return -ENOMEM;
	nips = batches_filter(e, ips, nips);
	taken = nips ? partition(places, n, ips, nips) : 0;
	if (!taken)
		return 0;
	if (slots_alloc(e, nips) < 0)
		return -ENOMEM;
	slots_fill(e, places, taken);
	batches_fill(e, places, taken, ips);
	e->conditional = have_conditions(places, taken);
	if (!ST_FTRACE_ARGS || want_all_regs(places, taken))
		for (i = 0; i < e->nbatches; i++)
			e->batches[i].ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	return batches_arm(e);
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
	sort(places, n, sizeof(*places), by_address, NULL);
	taken = arm_some(e, places, n, ips);
	kvfree(ips);
	return taken;
}

void st_ftrace_disarm(struct st_entries *e)
{
	unsigned int i;

	for (i = 0; i < e->nbatches; i++)
		unregister(&e->batches[i]);
}

void st_ftrace_release(struct st_entries *e)
{
	unsigned int i;

	for (i = 0; i < e->nbatches; i++)
		st_ftrace_unfilter(&e->batches[i].ops);
	kvfree(e->batches);
	kvfree(e->slots);
	kvfree(e->ips);
}
