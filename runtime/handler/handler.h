/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running a handler: every family's hits begin and end here.
 *
 *	struct st_context *x = st_enter(&site->point, ST_RUNNING);
 *
 *	if (!x)
 *		return;
 *	st_set_regs(x, regs);
 *	site->point.probe->handler(&x->c);
 *	st_leave_handler(x);
 *
 * A hit on a CPU and level whose context is busy comes from what a handler itself
 * called (a probed function).  It is skipped and counted as reentrant: that is the
 * whole recursion protection.  From st_enter() to st_leave_handler() preemption is
 * disabled, so the context stays this CPU's.
 *
 * The functions are inline and call nothing traceable before the context is busy or
 * after it is free.
 */
#ifndef STAP_HANDLER_H
#define STAP_HANDLER_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/preempt.h>

#include "core/report.h"
#include "core/run.h"
#include "core/state.h"
#include "core/supply.h"
#include "bound.h"
#include "context.h"
#include "hits.h"
#include "overload.h"
#include "stack.h"

/* Did the probe's condition hold when it was last evaluated? */
static __always_inline bool st_wanted(const struct st_probe *probe)
{
	return likely(!probe->armed) || READ_ONCE(*probe->armed);
}

/*
 * Takes this CPU's and level's context for a hit of POINT; NULL if no handler may run now.
 * WHEN: the state in which handlers of this kind run.
 */
static __always_inline struct st_context *st_take_any_context(const struct st_point *point,
							       enum st_state when)
{
	struct st_context *x;

	if (unlikely(READ_ONCE(st_state) != when || !st_wanted(point->probe)))
		return NULL;
	preempt_disable_notrace();
	x = st_this_context();
	/* It has been allocated.  The kernel's options keep the compiler from concluding so from the next
	 * line, and each caller would test what this returns. */
	if (!x)
		__builtin_unreachable();
	if (unlikely(x->busy)) {
		atomic_long_inc(&st_counts.reentrant);
		goto out;
	}
	x->busy = 1;
	barrier();
	x->c.stack_end = st_stack_end() + ST_STACK_RESERVE;
	if (unlikely(current_stack_pointer < x->c.stack_end)) {
		x->busy = 0;
		st_skip();
		goto out;
	}
	x->c.point = point;
	return x;
out:
	preempt_enable_notrace();
	return NULL;
}

/* Does the same for a hit that counts only if the current task is within the session's bound. */
static __always_inline struct st_context *st_take_context(const struct st_point *point, enum st_state when)
{
	return st_in_bound() ? st_take_any_context(point, when) : NULL;
}

static __always_inline void st_give(struct st_context *x)
{
	barrier();
	x->busy = 0;
	preempt_enable_notrace();
}

static __always_inline void st_leave_handler(struct st_context *x)
{
	if (unlikely(x->c.error))
		st_handler_failed(&x->c);
	if (x->c.out != x->c.output || unlikely(x->begun))
		st_flush(&x->c, false);
	if (likely(!x->uncounted))
		st_hits_add(x->c.point->probe);
	if (unlikely(x->started))
		st_account_time(x);
	st_give(x);
}

/* Sets a taken context up for generated code. */
static __always_inline void st_prepare(struct st_context *x, enum st_state when)
{
	if (when == ST_RUNNING && unlikely(!--x->until_timed))
		x->started = get_cycles();
	st_ctx_begin(&x->c);
	x->looked = 0;
	x->return_address = 0;
	x->program = 0;
	x->user_regs = false;
	x->may_wait = false;
	x->uncounted = false;
	x->begun = false;
	x->user_frames = 0;
	x->user_mappings = 0;
}

/* Takes and prepares the context for a hit of POINT that is no task's, such as a timer's; or returns
 * NULL. */
static __always_inline struct st_context *st_enter_any(const struct st_point *point, enum st_state when)
{
	struct st_context *x = st_take_any_context(point, when);

	if (x)
		st_prepare(x, when);
	return x;
}

/* Does the same for a hit of the current task. */
static __always_inline struct st_context *st_enter(const struct st_point *point,
						   enum st_state when)
{
	struct st_context *x = st_take_context(point, when);

	if (x)
		st_prepare(x, when);
	return x;
}

/* Makes REGS, which has all registers, the handler's. */
static __always_inline void st_set_regs(struct st_context *x, struct pt_regs *regs)
{
	x->c.regs = (unsigned long *)regs;
}

#endif
