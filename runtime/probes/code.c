// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in kernel text: resolves them to addresses and decides how each is probed.
 * A function with an ftrace site has its entry and its return probed through ftrace;
 * other instructions are probed by kprobes, other returns by kretprobes.
 *
 * All places that exist when the session starts are armed as one group, so that thousands cost
 * little.  A module loaded later is armed as two groups, before any of its code runs: one for its
 * init sections, until its init function has returned, and one for the rest, until it is unloaded.
 * Places in a module that existed at the start are dropped from the first group: in its init
 * sections when its init function returns (it was just being loaded), the others when it is
 * unloaded.  When it comes back it is a module loaded later.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>

#include "abi/transport.h"
#include "core/report.h"
#include "core/unplaced.h"
#include "handler/handler.h"
#include "handler/print.h"
#include "life/loader.h"
#include "bases.h"
#include "carrier.h"
#include "code.h"
#include "code_address.h"
#include "cpu_start.h"
#include "family.h"
#include "kprobe_state.h"

struct st_group {
	struct list_head list;
	const struct module *module;	/* NULL: the group of the start */
	bool init;			/* for the module's init sections */
	struct st_place *places;	/* sorted by how they are attached */
	unsigned int nplaces, nattached[ST_ATTACHES];
	struct st_entries entries;
	struct st_kprobes kprobes;
	struct st_kretprobes returns;
	unsigned int nftrace;		/* places armed through ftrace: the first */
};

static const struct st_site *st_sites;
static unsigned int st_nsites;
static struct st_group *st_start;
static bool *st_base_used;		/* [base]: a probe that is not optional needs it */

/* The groups; under the modules lock. */
static LIST_HEAD(st_groups);
static unsigned long st_missed;		/* hits missed by groups that have ended */

void st_place_failed(const struct st_place *place, int err)
{
	/* A user who may not load modules may not see the kernel's addresses. */
	if (!place->site->optional)
		st_unplaced(place->site->point.pp, uid_valid(st_loader_owner()) ? 0 : place->address, err);
}

int st_kprobe_ready(const struct st_place *place)
{
	if (st_is_unsafe(place))
		return -EINVAL;
	st_cpu_start_guard();
	return 0;
}

/* ---- a group's places ------------------------------------------------------------ */

static struct st_group *group_alloc(unsigned int n)
{
	struct st_group *g = kzalloc(sizeof(*g), GFP_KERNEL);

	if (!g)
		return NULL;
	INIT_LIST_HEAD(&g->list);
	g->places = kvcalloc(n, sizeof(*g->places), GFP_KERNEL);
	if (g->places)
		return g;
	kfree(g);
	return NULL;
}

static void group_free(struct st_group *g)
{
	st_ftrace_release(&g->entries);
	st_kprobes_release(&g->kprobes);
	st_kretprobes_release(&g->returns);
	kvfree(g->places);
	kfree(g);
}

/* Gives a site's address.  Returns false if its module isn't loaded. */
static bool site_address(const struct st_site *site, unsigned long *address)
{
	unsigned long base = 0;

	*address = 0;
	if (site->base != ST_NO_BASE && !st_base_address(site->base, &base))
		return false;
	*address = base + site->offset;
	return true;
}

unsigned long st_code_address(const struct st_point *point)
{
	const struct st_site *site = container_of(point, struct st_site, point);
	unsigned long address = 0;

	if (site >= st_sites && site < st_sites + st_nsites)
		site_address(site, &address);
	return address;
}

static bool place_resolve(struct st_place *place, const struct st_site *site)
{
	*place = (struct st_place){ .site = site, .carrier = st_carrier_of(site) };
	return site_address(site, &place->address);
}

static bool is_return(const struct st_place *place)
{
	return st_attach_is_return(place->site->attach);
}

/*
 * Returns how the place is attached in this kernel: a return through ftrace needs a carrier, ftrace
 * an address that it can reach.
 */
static enum st_attach place_attach(const struct st_place *place)
{
	if (is_return(place))
		return place->carrier && place->address ? ST_FTRACE_RETURN : ST_KRETPROBE;
	return place->site->attach == ST_FTRACE && place->address ? ST_FTRACE : ST_KPROBE;
}

static int place_compare(const void *a, const void *b)
{
	const struct st_place *p = a, *q = b;
	int order = (int)place_attach(p) - (int)place_attach(q);

	if (order)
		return order;
	return p->site < q->site ? -1 : p->site > q->site;
}

/* Orders the places that ftrace didn't take; returns come last. */
static int rest_compare(const void *a, const void *b)
{
	const struct st_place *p = a, *q = b;

	if (is_return(p) != is_return(q))
		return is_return(p) ? 1 : -1;
	return p->site < q->site ? -1 : p->site > q->site;
}

/* Does the place belong to the group's module, and to its part of the module? */
static bool group_takes(const struct st_group *g, const struct st_place *place)
{
	return !g->module || (st_base_of(place->site->base, g->module) &&
			      within_module_init(place->address, g->module) == g->init);
}

static void group_fill(struct st_group *g)
{
	unsigned int i;

	for (i = 0; i < st_nsites; i++) {
		struct st_place place;

		if (!place_resolve(&place, &st_sites[i]) || !group_takes(g, &place))
			continue;
		g->nattached[place_attach(&place)]++;
		g->places[g->nplaces++] = place;
	}
	sort(g->places, g->nplaces, sizeof(*g->places), place_compare, NULL);
}

/* ---- arming and disarming a group ---------------------------------------------------- */

/* Arms a group.  Returns 0, -ENOMEM, -EBUSY or -ENOBUFS (code.h). */
static int group_arm(struct st_group *g)
{
	int taken = st_ftrace_arm(&g->entries, g->places,
				  g->nattached[ST_FTRACE] + g->nattached[ST_FTRACE_RETURN]);
	unsigned int i;
	int err;

	if (taken < 0)
		return taken;
	g->nftrace = taken;
	sort(g->places + taken, g->nplaces - taken, sizeof(*g->places), rest_compare, NULL);
	for (i = taken; i < g->nplaces && !is_return(&g->places[i]); i++)
		;
	err = st_kprobes_arm(&g->kprobes, g->places + taken, i - taken) ?:
	      st_kretprobes_arm(&g->returns, g->places + i, g->nplaces - i);
	st_unplaced_tell();
	return err;
}

static void group_disarm(struct st_group *g)
{
	st_ftrace_disarm(&g->entries);
	st_kprobes_disarm(&g->kprobes);
	st_kretprobes_disarm(&g->returns);
}

static unsigned long group_missed(const struct st_group *g)
{
	return st_kprobes_missed(&g->kprobes) + st_kretprobes_missed(&g->returns);
}

static void group_end(struct st_group *g)
{
	group_disarm(g);
	st_missed += group_missed(g);
	list_del(&g->list);
	group_free(g);
}

/* ---- warnings -------------------------------------------------------------------------- */

/* Was this module reported as another build already, for an earlier base? */
static bool told_before(unsigned int base)
{
	unsigned int i;

	for (i = 0; i < base; i++)
		if (st_program.bases[i].state == ST_BASE_OTHER_BUILD &&
		    !strcmp(st_program.bases[i].module, st_program.bases[base].module))
			return true;
	return false;
}

static void tell_base(unsigned int i)
{
	const struct st_base *b = &st_program.bases[i];
	bool symbol = b->section[0] == ST_BASE_SYMBOL;

	if (b->state == ST_BASE_OTHER_BUILD && !told_before(i))
		st_tell(ST_FMT_WARN, "module %s is another build than the one the script was made "
			"for: its probes are left out [man warning::buildid]", b->module);
	if (!st_base_used[i] || (b->state != ST_BASE_MISSING && b->state != ST_BASE_UNTOLD))
		return;
	if (symbol)
		st_tell(ST_FMT_WARN, "%s has no function '%s', or several: its probe is left out",
			b->module, b->section + 1);
	else if (b->state == ST_BASE_MISSING)
		st_tell(ST_FMT_WARN, "the section %s of module %s can't be found: its probes are "
			"left out", b->section, b->module);
}

/* Warns of bases that can't be found, in a module or, without one, in all. */
static void tell_bases(const struct module *module)
{
	unsigned int i;

	for (i = 1; i < st_program.nbases; i++)
		if (!module || st_base_of(i, module))
			tell_base(i);
}

/* ---- modules ---------------------------------------------------------------------------- */

static unsigned int sites_of(const struct module *module)
{
	unsigned int i, n = 0;

	for (i = 0; i < st_nsites; i++)
		n += st_base_of(st_sites[i].base, module);
	return n;
}

/* Makes and arms one of the module's groups, unless it is empty. */
static int group_late(const struct module *module, unsigned int room, bool init)
{
	struct st_group *g = group_alloc(room);
	int err;

	if (!g)
		return -ENOMEM;
	g->module = module;
	g->init = init;
	group_fill(g);
	list_add(&g->list, &st_groups);
	err = group_arm(g);
	if (err || !g->nplaces)
		group_end(g);
	else
		st_counts.late += g->nftrace + g->kprobes.n + g->returns.n;
	return err;
}

static void places_come(const struct module *module, int err)
{
	unsigned int n = sites_of(module);

	if (!n)
		return;
	tell_bases(module);
	if (!err)
		err = group_late(module, n, true);
	if (!err)
		err = group_late(module, n, false);
	if (err == -EBUSY)
		st_tell(ST_FMT_WARN, "module %s, which was loaded, can't be probed while ftrace is "
			"off (sysctl kernel.ftrace_enabled)", module->name);
	else if (err)
		st_tell(ST_FMT_WARN, "no memory to probe module %s, which was loaded", module->name);
}

static void group_forget(struct st_group *g, const struct module *module, st_within *within)
{
	st_ftrace_forget(&g->entries, module, within);
	st_kprobes_forget(&g->kprobes, module, within);
	st_kretprobes_forget(&g->returns, module, within);
}

static void places_begun(const struct module *module)
{
	struct st_group *g, *next;

	list_for_each_entry_safe(g, next, &st_groups, list) {
		if (g->module == module && g->init)
			group_end(g);
		else if (!g->module)
			group_forget(g, module, within_module_init);
	}
}

static void places_go(const struct module *module)
{
	struct st_group *g, *next;

	list_for_each_entry_safe(g, next, &st_groups, list) {
		if (g->module == module)
			group_end(g);
		else if (!g->module)
			group_forget(g, module, within_module);
	}
}

static const struct st_module_listener st_code_modules = {
	.comes = places_come,
	.begun = places_begun,
	.goes = places_go,
};

/* ---- the family --------------------------------------------------------------------------- */

static int code_prepare(const void *items, unsigned int n)
{
	unsigned int i;

	st_sites = items;
	st_nsites = n;
	st_missed = 0;
	st_start = group_alloc(n);
	st_base_used = kvcalloc(st_program.nbases, sizeof(bool), GFP_KERNEL);
	if (!st_start || !st_base_used)
		return st_fail(-ENOMEM, "no memory for %u places", n);
	for (i = 0; i < n; i++)
		if (!st_sites[i].optional && st_sites[i].base < st_program.nbases)
			st_base_used[st_sites[i].base] = true;
	return 0;
}

static int arm_start(void)
{
	int err;

	st_kprobe_state_find();
	err = st_carriers_arm(st_sites, st_nsites);
	if (err)
		return err;
	group_fill(st_start);
	list_add(&st_start->list, &st_groups);
	err = group_arm(st_start);
	st_counts.ftrace = st_start->nftrace;
	st_counts.kprobes = st_start->kprobes.n;
	st_counts.kretprobes = st_start->returns.n;
	return err;
}

static int arm_failed(int err)
{
	if (err == -EBUSY)
		return st_fail(err, "functions can't be probed while ftrace is off: it was switched "
			       "off by sysctl kernel.ftrace_enabled=0");
	if (err == -ENOBUFS)
		return st_fail(-ENOMEM, "no memory for all calls that return probes may follow at "
			       "once: lower .maxactive(N) or KRETACTIVE, or probe fewer functions");
	return st_fail(err, "no memory for %u places", st_nsites);
}

static int code_arm(void)
{
	int err;

	st_modules_lock();
	tell_bases(NULL);
	err = arm_start();
	if (!err)
		st_modules_listen(&st_code_modules);
	st_modules_unlock();
	return err ? arm_failed(err) : 0;
}

/* Warns once, because there may be thousands. */
static void tell_kprobes_off(void)
{
	static bool told;

	if (!told)
		st_tell(ST_FMT_WARN, "kprobes have been switched off, and probes that need them "
			"are never hit: /sys/kernel/debug/kprobes/enabled is 0");
	told = true;
}

/* Is the kprobe armed?  The kernel doesn't say so of one that it might replace by a jump. */
static bool is_armed(const struct kprobe *kprobe)
{
	kprobe_opcode_t now;

	if (kprobe->flags & KPROBE_FLAG_FTRACE)
		return !kprobe_disabled((struct kprobe *)kprobe);
	return copy_from_kernel_nofault(&now, kprobe->addr, sizeof(now)) || now != kprobe->opcode;
}

void st_kprobe_refresh(struct kprobe *kprobe, const struct st_site *site)
{
	bool wanted = st_wanted(site->point.probe);
	int err;

	if (kprobe->flags & KPROBE_FLAG_GONE || wanted == !kprobe_disabled(kprobe))
		return;
	err = wanted ? enable_kprobe(kprobe) : disable_kprobe(kprobe);
	if (err && wanted && !(kprobe->flags & KPROBE_FLAG_GONE))
		st_tell(ST_FMT_WARN, "probe %s can't be armed (rc %d)", site->point.pp, err);
	if (!err && wanted && !is_armed(kprobe))
		tell_kprobes_off();	/* the kernel succeeds, and does nothing */
}

static void code_refresh(void)
{
	struct st_group *g;

	st_modules_lock();
	list_for_each_entry(g, &st_groups, list) {
		st_ftrace_refresh(&g->entries);
		st_kprobes_refresh(&g->kprobes);
		st_kretprobes_refresh(&g->returns);
	}
	st_modules_unlock();
}

static void code_disarm(void)
{
	struct st_group *g;

	st_modules_lock();
	st_modules_listen(NULL);
	list_for_each_entry(g, &st_groups, list)
		group_disarm(g);
	st_carriers_disarm();
	st_cpu_start_release();
	st_modules_unlock();
}

static void code_release(void)
{
	struct st_group *g, *next;

	list_for_each_entry_safe(g, next, &st_groups, list)
		if (g != st_start)
			group_end(g);
	if (st_start)
		group_free(st_start);
	st_start = NULL;
	INIT_LIST_HEAD(&st_groups);
	st_carriers_release();
	kvfree(st_base_used);
	st_base_used = NULL;
}

static unsigned long code_missed(void)
{
	unsigned long missed = st_missed + st_carriers_missed();
	const struct st_group *g;

	list_for_each_entry(g, &st_groups, list)
		missed += group_missed(g);
	return missed;
}

/*
 * Is a jump there instead of a breakpoint?  The kernel marks a kprobe of its own, which is in a
 * ring with all others at the address.  These are freed after a grace period.
 */
static bool is_optimised(const struct kprobe *kprobe)
{
	const struct list_head *at = &kprobe->list;
	bool found = false;

	rcu_read_lock();
	while (!found && (at = READ_ONCE(at->next)) != &kprobe->list)
		found = list_entry(at, struct kprobe, list)->flags & KPROBE_FLAG_OPTIMIZED;
	rcu_read_unlock();
	return found;
}

void st_kprobe_show(struct seq_file *m, const struct kprobe *kprobe, const struct st_site *site,
		    const char *how)
{
	const char *state = "breakpoint";

	if (kprobe->flags & KPROBE_FLAG_GONE)
		return;
	if (kprobe_disabled((struct kprobe *)kprobe))
		state = "off";
	else if (kprobe_ftrace((struct kprobe *)kprobe))
		state = "ftrace";
	else if (is_optimised(kprobe))
		state = "optimised";
	st_show_place(m, &site->point, how, state, "0x%lx", (unsigned long)kprobe->addr);
}

static void ftrace_show(struct seq_file *m, const struct st_place *place)
{
	if (!place->gone)
		st_show_place(m, &place->site->point, is_return(place) ? "ftrace return" : "ftrace",
			      st_wanted(place->site->point.probe) ? "armed" : "off", "0x%lx",
			      place->address);
}

/* Writes of the group's place number *n; false: *n becomes its number among the other groups'. */
static bool group_show(const struct st_group *g, struct seq_file *m, unsigned int *n)
{
	unsigned int i = *n;

	if (i < g->nftrace) {
		ftrace_show(m, &g->places[i]);
		return true;
	}
	i -= g->nftrace;
	if (i < g->kprobes.n) {
		st_kprobes_show(&g->kprobes, m, i);
		return true;
	}
	i -= g->kprobes.n;
	if (i < g->returns.n) {
		st_kretprobes_show(&g->returns, m, i);
		return true;
	}
	*n = i - g->returns.n;
	return false;
}

static bool code_show(struct seq_file *m, unsigned int n)
{
	const struct st_group *g;
	bool found = false;

	st_modules_lock();
	list_for_each_entry(g, &st_groups, list) {
		found = group_show(g, m, &n);
		if (found)
			break;
	}
	st_modules_unlock();
	return found;
}

const struct st_family st_code_family = {
	.name = "code",
	.prepare = code_prepare,
	.arm = code_arm,
	.refresh = code_refresh,
	.disarm = code_disarm,
	.release = code_release,
	.missed = code_missed,
	.show = code_show,
};
