// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions through kprobes.  Registered one by one, so that one that can't
 * be had is known and the others stay; unregistered together, which waits for
 * running handlers once.
 *
 * All are registered before any is armed: to register one the kernel decodes the
 * sites of every jump label, twice, and would go through the probes on its own
 * decoder each time.
 */
#include "code.h"

struct st_kprobe {
	struct kprobe kprobe;
	const struct st_site *site;
};

static struct st_kprobe *st_kprobes;
static struct kprobe **st_armed_kprobes;
static unsigned int st_nregistered;

static int kprobe_hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct st_site *site = container_of(kprobe, struct st_kprobe, kprobe)->site;
	struct st_context *x = st_enter(&site->point, ST_RUNNING);

	if (!x)
		return 0;
	st_set_regs(x, regs);
	site->point.probe->handler(&x->c);
	st_leave_handler(x);
	return 0;
}

int st_kprobes_arm(const struct st_place *places, unsigned int n)
{
	unsigned int i;
	int err;

	if (!n)
		return 0;
	st_kprobes = kvcalloc(n, sizeof(*st_kprobes), GFP_KERNEL);
	st_armed_kprobes = kvcalloc(n, sizeof(*st_armed_kprobes), GFP_KERNEL);
	if (!st_kprobes || !st_armed_kprobes)
		return st_fail(-ENOMEM, "no memory for %u kprobes", n);
	for (i = 0; i < n && st_arming_goes_on(); i++) {
		struct kprobe *kprobe = &st_kprobes[i].kprobe;

		st_kprobes[i].site = places[i].site;
		kprobe->pre_handler = kprobe_hit;
		st_kprobe_place(kprobe, &places[i]);
		err = register_kprobe(kprobe);
		if (err)
			st_place_failed(&places[i], err);
		else
			st_armed_kprobes[st_nregistered++] = kprobe;
	}
	st_counts.kprobes = st_nregistered;
	st_kprobes_refresh();
	return 0;
}

void st_kprobes_refresh(void)
{
	unsigned int i;

	for (i = 0; i < st_nregistered && st_arming_goes_on(); i++)
		st_kprobe_refresh(st_armed_kprobes[i],
				  container_of(st_armed_kprobes[i], struct st_kprobe, kprobe)->site);
}

void st_kprobes_disarm(void)
{
	if (st_nregistered)
		unregister_kprobes(st_armed_kprobes, st_nregistered);
}

void st_kprobes_release(void)
{
	st_nregistered = 0;
	kvfree(st_kprobes);
	kvfree(st_armed_kprobes);
	st_kprobes = NULL;
	st_armed_kprobes = NULL;
}

unsigned long st_kprobes_missed(void)
{
	unsigned long missed = 0;
	unsigned int i;

	for (i = 0; i < st_nregistered; i++)
		missed += st_armed_kprobes[i]->nmissed;
	return missed;
}
