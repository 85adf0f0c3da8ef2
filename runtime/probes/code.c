// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in kernel text.  Resolves them to addresses, and decides which way
 * each is probed: entries through ftrace where there is an ftrace site, and
 * returns from there too; what ftrace doesn't take and other instructions
 * through kprobes, other returns through kretprobes.
 */
#include <linux/sort.h>

#include "../transport.h"
#include "code.h"

/* Those without an address can't be ftrace's to find. */
enum rank { ENTRY, TRACED_RETURN, KPROBE, RETURN, RANKS };

static struct st_place *st_places;	/* by rank */
static unsigned int st_nplaces, st_nranked[RANKS];
static const struct st_site *st_sites;	/* the script's table */
static unsigned int st_nsites;
static bool *st_base_told;		/* that it isn't loaded */

void st_place_failed(const struct st_place *place, int err)
{
	if (!place->site->optional)
		st_tell(ST_FMT_WARN, "probe %s (address 0x%lx) registration error "
			"[man warning::pass5] (rc %d)", place->site->point.pp, place->address, err);
}

/* Where a site is; 0: the kernel looks its symbol up.  False: its module isn't loaded. */
static bool site_address(const struct st_site *site, unsigned long *address)
{
	unsigned long base = 0;

	*address = 0;
	if (site->symbol)
		return true;
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
	place->site = site;
	place->carrier = NULL;
	place->gone = false;
	return site_address(site, &place->address);
}

static bool is_return(const struct st_place *place)
{
	return place->site->kind == ST_RETURN || place->site->kind == ST_FTRACE_RETURN;
}

static enum rank place_rank(const struct st_place *place)
{
	if (place->site->kind == ST_ENTRY && place->address)
		return ENTRY;
	if (place->site->kind == ST_FTRACE_RETURN && place->address)
		return TRACED_RETURN;
	return is_return(place) ? RETURN : KPROBE;
}

static int place_compare(const void *a, const void *b)
{
	const struct st_place *p = a, *q = b;
	int ranks = place_rank(p) - place_rank(q);

	if (ranks)
		return ranks;
	return p->site < q->site ? -1 : p->site > q->site;
}

/* Of what is left when ftrace has taken its: returns last. */
static int rest_compare(const void *a, const void *b)
{
	const struct st_place *p = a, *q = b;

	if (is_return(p) != is_return(q))
		return is_return(p) ? 1 : -1;
	return p->site < q->site ? -1 : p->site > q->site;
}

static int code_prepare(const void *items, unsigned int n)
{
	unsigned int i;

	st_sites = items;
	st_nsites = n;
	st_places = kvcalloc(n, sizeof(*st_places), GFP_KERNEL);
	st_base_told = kvcalloc(st_program.nbases + 1, sizeof(bool), GFP_KERNEL);
	if (!st_places || !st_base_told)
		return st_fail(-ENOMEM, "no memory for %u places", n);
	st_nplaces = 0;
	memset(st_nranked, 0, sizeof(st_nranked));
	for (i = 0; i < n; i++) {
		struct st_place *place = &st_places[st_nplaces];

		if (!place_resolve(place, &st_sites[i])) {
			if (!st_sites[i].optional)
				st_base_told[min(st_sites[i].base, st_program.nbases)] = true;
			continue;
		}
		st_nranked[place_rank(place)]++;
		st_nplaces++;
	}
	sort(st_places, st_nplaces, sizeof(*st_places), place_compare, NULL);
	return 0;
}

static void tell_unloaded(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++) {
		const struct st_base *b = &st_program.bases[i];

		if (st_base_told[i] && b->section[0] == ST_BASE_SYMBOL)
			st_tell(ST_FMT_WARN, "no function '%s' in %s that can be told by its name: "
				"its probe is left out", b->section + 1, b->module);
		else if (st_base_told[i])
			st_tell(ST_FMT_WARN, "module %s is not loaded: its probes are left out",
				b->module);
	}
	if (st_base_told[st_program.nbases])
		st_tell(ST_FMT_WARN, "probes of no known base are left out");
}

/* Arms what ftrace can have; the number of places, which are the first. */
static int arm_traced(void)
{
	unsigned int n = st_nranked[ENTRY];
	int err = st_carriers_arm(st_places + n, st_nranked[TRACED_RETURN]);

	if (err)
		return err;
	while (n < st_nplaces && st_places[n].carrier)
		n++;
	return st_ftrace_arm(st_places, n);
}

static int code_arm(void)
{
	int taken = arm_traced(), err;
	unsigned int i, nkprobes = 0;

	tell_unloaded();
	if (taken < 0)
		return taken;
	st_counts.ftrace = taken;
	sort(st_places + taken, st_nplaces - taken, sizeof(*st_places), rest_compare, NULL);
	for (i = taken; i < st_nplaces && !is_return(&st_places[i]); i++)
		nkprobes++;
	err = st_kprobes_arm(st_places + taken, nkprobes);
	return err ? err : st_kretprobes_arm(st_places + i, st_nplaces - i);
}

void st_kprobe_refresh(struct kprobe *kprobe, const struct st_site *site)
{
	bool wanted = st_wanted(site->point.probe);
	int err;

	if (kprobe->flags & KPROBE_FLAG_GONE || wanted == !kprobe_disabled(kprobe))
		return;
	err = wanted ? enable_kprobe(kprobe) : disable_kprobe(kprobe);
	if (err && wanted)
		st_tell(ST_FMT_WARN, "probe %s can't be armed (rc %d)", site->point.pp, err);
}

static void code_refresh(void)
{
	st_ftrace_refresh();
	st_kprobes_refresh();
	st_returns_refresh();
}

static void code_disarm(void)
{
	st_ftrace_disarm();
	st_kprobes_disarm();
	st_returns_disarm();
}

static void code_release(void)
{
	st_ftrace_release();
	st_kprobes_release();
	st_returns_release();
	kvfree(st_places);
	kvfree(st_base_told);
	st_places = NULL;
	st_base_told = NULL;
}

static unsigned long code_missed(void)
{
	return st_kprobes_missed() + st_returns_missed();
}

const struct st_family st_code_family = {
	.name = "code",
	.prepare = code_prepare,
	.arm = code_arm,
	.refresh = code_refresh,
	.disarm = code_disarm,
	.release = code_release,
	.missed = code_missed,
};
