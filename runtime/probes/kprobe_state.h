/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handler outside of its kprobe.
 *
 * While a kprobe's handler runs, the kernel's per-CPU current_kprobe points to the kprobe.  Another
 * kprobe that is hit meanwhile is stepped, without its handler.  One that is hit during such a step
 * ends in BUG().  The step has interrupts off, but an NMI can come:
 *
 *	vfs_read → kprobe A: the handler calls copy_from_kernel_nofault
 *		→ kprobe B: a step → NMI: sched_clock → kprobe C: BUG()
 *
 * So a handler of ours runs with current_kprobe set aside.  B is a hit like any other then: its
 * handler, if it is ours, finds the context busy, and C is hit during the step of a first kprobe,
 * which the kernel allows.
 *
 *	struct st_kprobe_state state;
 *
 *	st_kprobe_set_aside(kprobe, &state);
 *	handler(...);
 *	st_kprobe_put_back(&state);
 *
 * The kernel doesn't export current_kprobe, nor kprobe_ctlblk, the rest of the state: the script has
 * their addresses.  If these are not known, or current_kprobe isn't the kprobe that was hit (or one
 * that stands for several at its address), everything stays as it is.
 *
 * An NMI may come at any moment.  Its kprobes leave what they find, if current_kprobe is set, and
 * else overwrite kprobe_ctlblk.  Hence the order in which both are put back.
 */
#ifndef STAP_KPROBE_STATE_H
#define STAP_KPROBE_STATE_H

#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>

/* The kernel's state of a kprobe under way, set aside while a handler of ours runs. */
struct st_kprobe_state {
	struct kprobe *current_kprobe;	/* NULL: nothing was set aside */
	struct kprobe_ctlblk control;
};

extern struct kprobe * __percpu *st_current_kprobe;	/* NULL: not known */
extern struct kprobe_ctlblk __percpu *st_kprobe_ctlblk;

/* Finds both variables, before any kprobe is registered. */
void st_kprobe_state_find(void);

/*
 * HIT is the kprobe whose handler runs.  NULL: a perf event's handler does, and may have interrupted
 * the step of any kprobe.  Preemption is disabled from one function to the other.
 */
static __always_inline void st_kprobe_set_aside(const struct kprobe *hit, struct st_kprobe_state *state)
{
	struct kprobe **current_kprobe;

	state->current_kprobe = NULL;
	if (unlikely(!st_current_kprobe))
		return;
	current_kprobe = raw_cpu_ptr(st_current_kprobe);
	if (!*current_kprobe || (hit && unlikely((*current_kprobe)->addr != hit->addr)))
		return;
	state->current_kprobe = *current_kprobe;
	state->control = *raw_cpu_ptr(st_kprobe_ctlblk);
	barrier();
	WRITE_ONCE(*current_kprobe, NULL);
}

static __always_inline void st_kprobe_put_back(const struct st_kprobe_state *state)
{
	if (!state->current_kprobe)
		return;
	WRITE_ONCE(*raw_cpu_ptr(st_current_kprobe), state->current_kprobe);
	barrier();
	*raw_cpu_ptr(st_kprobe_ctlblk) = state->control;
}

#endif
