// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions through kprobes.  They are registered one by one, so that a failure is
 * known to be one place's and the others stay; they are unregistered together, which
 * waits once for running handlers.
 *
 * All are registered before any is armed: for each the kernel decodes the sites of every
 * jump label, twice, and would hit the probes on its own decoder each time.
 */
#include <linux/module.h>

#include "arch/arch.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "life/loader.h"
#include "code.h"
#include "kprobe_state.h"

struct st_kprobe {
	struct kprobe kprobe;
	const struct st_site *site;
};

static int kprobe_hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct st_site *site = container_of(kprobe, struct st_kprobe, kprobe)->site;
	struct st_context *x = st_enter(&site->point, ST_RUNNING);
	struct st_kprobe_state state;

	if (!x)
		return 0;
	st_kprobe_set_aside(kprobe, &state);
	st_set_regs(x, regs);
	site->point.probe->handler(&x->c);
	st_leave_handler(x);
	st_kprobe_put_back(&state);
	return 0;
}

/* Unregisters the kprobes from number 'first' on. */
static void unregister_from(struct st_kprobes *k, unsigned int first)
{
	unsigned int i;

	if (first == k->n)
		return;
	unregister_kprobes(k->registered + first, k->n - first);
	for (i = first; i < k->n; i++)
		k->missed += k->registered[i]->nmissed;
	k->n = first;
}

/* ---- jumps ------------------------------------------------------------------------- */

/*
 * Where x86 can, it replaces a kprobe's breakpoint by a jump, which is quicker, and takes five
 * bytes of what may be several instructions.  It does so unless some code of the function jumps to
 * one of these but the first.  It doesn't see jumps from the function's cold part, which is
 * elsewhere, nor jumps that a static key will put there:
 *
 *	parse_linerange:	xor %eax,%eax; pop %rbx; pop %rbp; ...	← kprobe: jmp detour
 *	parse_linerange.cold:	mov $-22,%eax; jmp to the first pop	→ the middle of that jump
 *
 * So it gets only instructions that are as long as the jump, and those of which the translator has
 * found that nothing jumps there (translator/debuginfo/places/steppable.c).  Elsewhere, if the kernel is
 * ready to replace it, the kprobe is registered again, with a function that is called after the step:
 * the kernel replaces no breakpoint of such a kprobe.
 *
 * A kprobe that ftrace calls has no breakpoint, and must not get such a function: the kernel keeps
 * kprobes with one in another list of ftrace's.  Where one comes to another tracer's that has none,
 * it later takes both out of the wrong list, and calls the other's when it is gone.
 */
static void after_step(struct kprobe *kprobe, struct pt_regs *regs, unsigned long flags)
{
}

/* Has the kernel made another kprobe that stands for this one, to replace it or for several at the
 * address, is the instruction shorter than a jump, and may code jump into that? */
static bool may_become_jump(struct kprobe *kprobe)
{
	return !list_empty(&kprobe->list) && !kprobe_ftrace(kprobe) &&
	       !container_of(kprobe, struct st_kprobe, kprobe)->site->jump_safe &&
	       st_kprobe_insn_size(kprobe) < ST_ARCH_JUMP_BYTES;
}

static void register_again(struct st_kprobes *k, struct kprobe *kprobe)
{
	struct st_place place = {
		.site = container_of(kprobe, struct st_kprobe, kprobe)->site,
		.address = (unsigned long)kprobe->addr,
	};
	int err;

	kprobe->post_handler = after_step;
	st_kprobe_place(kprobe, &place);
	err = register_kprobe(kprobe);
	if (err)
		st_place_failed(&place, err);
	else
		k->registered[k->n++] = kprobe;
}

static void keep_breakpoints(struct st_kprobes *k)
{
	unsigned int i, n = k->n, kept = 0;

	for (i = 0; i < n; i++) {
		if (may_become_jump(k->registered[i]))
			continue;
		swap(k->registered[kept], k->registered[i]);
		kept++;			/* not in swap(): it evaluates twice */
	}
	unregister_from(k, kept);
	for (i = kept; i < n && st_arming_goes_on(); i++)
		register_again(k, k->registered[i]);
}

/* ---- arming ------------------------------------------------------------------------ */

int st_kprobes_arm(struct st_kprobes *k, const struct st_place *places, unsigned int n)
{
	unsigned int i;
	int err;

	if (!n)
		return 0;
	k->all = kvcalloc(n, sizeof(*k->all), GFP_KERNEL);
	k->registered = kvcalloc(n, sizeof(*k->registered), GFP_KERNEL);
	if (!k->all || !k->registered)
		return -ENOMEM;
	for (i = 0; i < n && st_arming_goes_on(); i++) {
		struct kprobe *kprobe = &k->all[i].kprobe;

		k->all[i].site = places[i].site;
		kprobe->pre_handler = kprobe_hit;
		st_kprobe_place(kprobe, &places[i]);
		err = st_kprobe_ready(&places[i]) ?: register_kprobe(kprobe);
		if (err)
			st_place_failed(&places[i], err);
		else
			k->registered[k->n++] = kprobe;
	}
	keep_breakpoints(k);
	st_kprobes_refresh(k);
	return 0;
}

void st_kprobes_refresh(struct st_kprobes *k)
{
	unsigned int i;

	for (i = 0; i < k->n && st_arming_goes_on(); i++)
		st_kprobe_refresh(k->registered[i],
				  container_of(k->registered[i], struct st_kprobe, kprobe)->site);
}

void st_kprobes_forget(struct st_kprobes *k, const struct module *module, st_within *within)
{
	unsigned int i, kept = 0;

	for (i = 0; i < k->n; i++) {
		if (within((unsigned long)k->registered[i]->addr, module))
			continue;
		swap(k->registered[kept], k->registered[i]);
		kept++;			/* not in swap(): it evaluates twice */
	}
	unregister_from(k, kept);
}

void st_kprobes_disarm(struct st_kprobes *k)
{
	unregister_from(k, 0);
}

void st_kprobes_release(struct st_kprobes *k)
{
	kvfree(k->all);
	kvfree(k->registered);
	k->all = NULL;
	k->registered = NULL;
}

void st_kprobes_show(const struct st_kprobes *k, struct seq_file *m, unsigned int n)
{
	const struct kprobe *kprobe = k->registered[n];

	st_kprobe_show(m, kprobe, container_of(kprobe, struct st_kprobe, kprobe)->site, "kprobe");
}

unsigned long st_kprobes_missed(const struct st_kprobes *k)
{
	unsigned long missed = k->missed;
	unsigned int i;

	for (i = 0; i < k->n; i++)
		missed += k->registered[i]->nmissed;
	return missed;
}
