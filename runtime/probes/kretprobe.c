// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns through kretprobes.  What the entry code of a probe saves
 * (c->saved) lies in the kretprobe's instance, which is the call's.  A call
 * whose entry code didn't run, or failed, isn't followed to its return.
 */
#include "code.h"

/* Calls under way at once, by default: many wait in a function that sleeps. */
#define ST_ACTIVE_MIN 64
#define ST_ACTIVE_PER_CPU 16
#define ST_ACTIVE_MAX 4096

struct st_kretprobe {
	struct kretprobe kretprobe;
	const struct st_site *site;
};

static struct st_kretprobe *st_kretprobes;
static struct kretprobe **st_registered;
static unsigned int st_nregistered;

static struct st_context *enter(const struct st_site *site, struct kretprobe_instance *instance,
				struct pt_regs *regs)
{
	struct st_context *x = st_enter(&site->point, ST_RUNNING);

	if (x) {
		st_set_regs(x, regs);
		x->c.saved = instance->data;
	}
	return x;
}

static const struct st_site *site_of(struct kretprobe_instance *instance)
{
	struct kretprobe *kretprobe = st_kretprobe_of(instance);

	if (unlikely(!kretprobe))		/* being unregistered */
		return NULL;
	return container_of(kretprobe, struct st_kretprobe, kretprobe)->site;
}

/* Nonzero: no return handler for this call. */
static int entry_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct st_site *site = site_of(instance);
	struct st_context *x;
	bool failed;

	if (!site)
		return 1;
	x = enter(site, instance, regs);
	if (!x)
		return 1;
	site->point.probe->entry(&x->c);
	failed = x->c.error;
	st_leave_handler(x);
	return failed;
}

static int return_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct st_site *site = site_of(instance);
	struct st_context *x;

	if (!site)
		return 0;
	x = enter(site, instance, regs);
	if (!x)
		return 0;
	x->return_address = st_kretprobe_address(instance);
	site->point.probe->handler(&x->c);
	st_leave_handler(x);
	return 0;
}

static int active(const struct st_site *site)
{
	if (site->maxactive > 0)
		return site->maxactive;
	return clamp_t(int, ST_ACTIVE_PER_CPU * num_possible_cpus(), ST_ACTIVE_MIN, ST_ACTIVE_MAX);
}

int st_kretprobes_arm(const struct st_place *places, unsigned int n)
{
	unsigned int i;
	int err;

	if (!n)
		return 0;
	st_kretprobes = kvcalloc(n, sizeof(*st_kretprobes), GFP_KERNEL);
	st_registered = kvcalloc(n, sizeof(*st_registered), GFP_KERNEL);
	if (!st_kretprobes || !st_registered)
		return st_fail(-ENOMEM, "no memory for %u kretprobes", n);
	for (i = 0; i < n; i++) {
		struct kretprobe *kretprobe = &st_kretprobes[i].kretprobe;

		st_kretprobes[i].site = places[i].site;
		kretprobe->handler = return_hit;
		kretprobe->entry_handler = places[i].site->point.probe->entry ? entry_hit : NULL;
		kretprobe->data_size = places[i].site->point.probe->saved_size;
		kretprobe->maxactive = active(places[i].site);
		st_kprobe_place(&kretprobe->kp, &places[i]);
		err = register_kretprobe(kretprobe);
		if (err)
			st_place_failed(&places[i], err);
		else
			st_registered[st_nregistered++] = kretprobe;
		cond_resched();
	}
	return 0;
}

void st_kretprobes_disarm(void)
{
	if (st_nregistered)
		unregister_kretprobes(st_registered, st_nregistered);
}

void st_kretprobes_release(void)
{
	st_nregistered = 0;
	kvfree(st_kretprobes);
	kvfree(st_registered);
	st_kretprobes = NULL;
	st_registered = NULL;
}

unsigned long st_kretprobes_missed(void)
{
	unsigned long missed = 0;
	unsigned int i;

	for (i = 0; i < st_nregistered; i++)
		missed += st_registered[i]->nmissed + st_registered[i]->kp.nmissed;
	return missed;
}
