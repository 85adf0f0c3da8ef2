/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following calls to their returns: what kretprobes (return.c), their carriers (carrier.c) and the
 * ftrace callback that reports the calls (ftrace.c) share.
 *
 * Carriers are armed for all of the script's sites, before any group of places is armed and until the
 * last is disarmed:
 *
 *	st_carriers_arm(sites, n);
 *	carrier = st_carrier_of(site);		NULL: the site needs a kretprobe
 *	…
 *	st_follow_return(carrier, regs);	at an entry, in a context of the site's
 *	…
 *	st_carriers_disarm();
 *	st_carriers_release();
 *
 * Sources: Documentation/trace/kprobes.rst of the kernel.
 */
#ifndef STAP_CARRIER_H
#define STAP_CARRIER_H

#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/sched.h>

#include "arch/arch.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "code.h"

/* The most calls that are followed at once, unless a probe says otherwise. */
#define ST_ACTIVE_MAX 4096

struct st_carrier {
	struct kretprobe kretprobe;
	const struct st_site *site;	/* the one site of a kretprobe; NULL: shared by many */
};

/* The data of a kretprobe instance. */
struct st_call {
	const struct st_site *site;
	char saved[] __aligned(sizeof(long));
};

/* arm() returns as st_kretprobes_arm() does; a site whose carrier can't be registered has none. */
int st_carriers_arm(const struct st_site *sites, unsigned int n);
struct st_carrier *st_carrier_of(const struct st_site *site);
void st_carriers_disarm(void);
void st_carriers_release(void);
unsigned long st_carriers_missed(void);

/* ---- at an entry ---- */

/*
 * A call in which the machine falls asleep never returns, because the machine wakes up in one of
 * its callers.  The next return would be taken for this call's, and go to its return address.  An
 * image of the memory (hibernation) holds calls that have returned since.
 */
static __always_inline bool st_falls_asleep(void)
{
	return unlikely(READ_ONCE(system_state) == SYSTEM_SUSPEND);
}

/* Runs the entry code.  Returns nonzero if the call is not followed. */
static __always_inline int st_save_at_entry(struct st_context *x, struct st_call *call,
					    const struct st_site *site)
{
	if (st_falls_asleep()) {
		atomic_long_inc(&st_counts.idle);
		return 1;
	}
	call->site = site;
	if (!site->point.probe->entry)
		return 0;
	x->c.saved = call->saved;
	return site->point.probe->entry(&x->c);
}

/* Follows the call that REGS enter to its return.  The caller has taken the context for the
 * place, and prepared it if the probe has entry code. */
void st_follow_return(struct st_carrier *carrier, struct pt_regs *regs);

/* ---- at a return ---- */

/*
 * Was the call made at the place's call site (.callee probes)?  If several kretprobes follow
 * a call, the instance's return address may be the other's trampoline; then the registers
 * have the real one.
 */
bool st_is_of_caller(const struct st_site *site, struct kretprobe_instance *instance,
		     const struct pt_regs *regs);

/* Takes a context for the return of the instance's call, if it is wanted. */
static __always_inline struct st_context *st_return_enter(struct kretprobe_instance *instance,
							  const struct pt_regs *regs)
{
	const struct st_site *site = ((struct st_call *)instance->data)->site;

	if (unlikely(site->caller) && !st_is_of_caller(site, instance, regs))
		return NULL;
	return st_enter(&site->point, ST_RUNNING);
}

/* Runs the handler in that context. */
static __always_inline void st_return_run(struct st_context *x, struct kretprobe_instance *instance,
					  struct pt_regs *regs)
{
	st_set_regs(x, regs);
	x->c.saved = ((struct st_call *)instance->data)->saved;
	x->return_address = st_kretprobe_address(instance);
	x->c.point->probe->handler(&x->c);
}

/* A kretprobe's handler of returns. */
int st_returned(struct kretprobe_instance *instance, struct pt_regs *regs);

/* ---- arming (return.c) ---- */

/* Allocates N kretprobes: 0 or -ENOMEM.  st_kretprobes_release() frees them. */
int st_kretprobes_alloc(struct st_kretprobes *k, unsigned int n);

/*
 * Is there memory for the calls that N kretprobes follow at once?  The kernel allocates them one by
 * one, and might kill processes to get it.
 */
bool st_kretprobes_have_room(const struct st_kretprobes *k, unsigned int n);

/* Registers one of them, which is set up: 0 or -errno. */
int st_kretprobe_register(struct st_kretprobes *k, struct st_carrier *carrier);

/* Returns how many calls of the site are followed at once. */
int st_calls_active(const struct st_site *site);

/* Returns the bytes that are kept with a call. */
size_t st_call_size(const struct st_site *site);

/* Does the kernel keep as much with a call as the site saves? */
bool st_call_is_kept(const struct st_site *site);

#endif
