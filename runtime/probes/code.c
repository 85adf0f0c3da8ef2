// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in kernel text.  Resolves them to addresses, and decides which way
 * each is probed: entries through ftrace where there is an ftrace site, what
 * ftrace doesn't take and other instructions through kprobes, returns through
 * kretprobes.
 */
#include <linux/sort.h>

#include "code.h"

static struct st_place *st_places;	/* entries, then kprobes, then returns */
static unsigned int st_nentries, st_nplaces, st_nreturns;
static unsigned int st_nfailed;
static bool *st_base_told;		/* that it isn't loaded */

void st_place_failed(const struct st_place *place, int err)
{
	st_nfailed++;
	if (!place->site->optional)
		st_tell(ST_FMT_WARN, "probe %s (address 0x%lx) registration error "
			"[man warning::pass5] (rc %d)", place->site->point.pp, place->address, err);
}

/* A place's address; false: its module isn't loaded. */
static bool place_resolve(struct st_place *place, const struct st_site *site)
{
	unsigned long base;

	place->site = site;
	place->address = 0;
	if (site->symbol)
		return true;
	if (!st_base_address(site->base, &base))
		return false;
	place->address = base + site->offset;
	return true;
}

/* Entries first; those without an address can't be ftrace's to find. */
static int place_rank(const struct st_place *place)
{
	if (place->site->kind == ST_RETURN)
		return 2;
	return place->site->kind == ST_ENTRY && place->address ? 0 : 1;
}

static int place_compare(const void *a, const void *b)
{
	const struct st_place *p = a, *q = b;
	int ranks = place_rank(p) - place_rank(q);

	if (ranks)
		return ranks;
	return p->site < q->site ? -1 : p->site > q->site;
}

static int code_prepare(const void *items, unsigned int n)
{
	const struct st_site *sites = items;
	unsigned int i;

	st_places = kvcalloc(n, sizeof(*st_places), GFP_KERNEL);
	st_base_told = kvcalloc(st_program.nbases + 1, sizeof(bool), GFP_KERNEL);
	if (!st_places || !st_base_told)
		return st_fail(-ENOMEM, "no memory for %u places", n);
	st_nplaces = st_nentries = st_nreturns = st_nfailed = 0;
	for (i = 0; i < n; i++) {
		struct st_place *place = &st_places[st_nplaces];

		if (!place_resolve(place, &sites[i])) {
			if (!sites[i].optional)
				st_base_told[min(sites[i].base, st_program.nbases)] = true;
			continue;
		}
		st_nentries += place_rank(place) == 0;
		st_nreturns += place_rank(place) == 2;
		st_nplaces++;
	}
	sort(st_places, st_nplaces, sizeof(*st_places), place_compare, NULL);
	return 0;
}

static void tell_unloaded(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++)
		if (st_base_told[i])
			st_tell(ST_FMT_WARN, "module %s is not loaded: its probes are left out",
				st_program.bases[i].module);
	if (st_base_told[st_program.nbases])
		st_tell(ST_FMT_WARN, "probes of no known base are left out");
}

static int code_arm(void)
{
	struct st_place *returns = st_places + st_nplaces - st_nreturns;
	int taken = st_ftrace_arm(st_places, st_nentries), err;
	unsigned int rest;

	tell_unloaded();
	if (taken < 0)
		return taken;
	rest = returns - (st_places + taken);
	st_counts.ftrace = taken;
	err = st_kprobes_arm(st_places + taken, rest);
	if (err)
		return err;
	st_counts.kprobes = rest - st_nfailed;
	st_nfailed = 0;
	err = st_kretprobes_arm(returns, st_nreturns);
	if (!err)
		st_counts.kretprobes = st_nreturns - st_nfailed;
	return err;
}

static void code_disarm(void)
{
	st_ftrace_disarm();
	st_kprobes_disarm();
	st_kretprobes_disarm();
}

static void code_release(void)
{
	st_ftrace_release();
	st_kprobes_release();
	st_kretprobes_release();
	kvfree(st_places);
	kvfree(st_base_told);
	st_places = NULL;
	st_base_told = NULL;
}

static unsigned long code_missed(void)
{
	return st_kprobes_missed() + st_kretprobes_missed();
}

const struct st_family st_code_family = {
	.name = "code",
	.prepare = code_prepare,
	.arm = code_arm,
	.disarm = code_disarm,
	.release = code_release,
	.missed = code_missed,
};
