/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a handler runs in.
 *
 * Every possible CPU has a context for each level of interruption, so that a
 * handler hit in an interrupt runs although one is running in the task below
 * it.  A hit of the same CPU and level while its context is busy comes from
 * what a handler itself called (a probed function) and is skipped, counted as
 * reentrant: that is the whole recursion protection.  From st_enter() to
 * st_leave_handler() preemption is disabled, so the context stays this CPU's.
 *
 * Both are inline and call nothing traceable before the context is busy or
 * after it is free.
 */
#ifndef STAP_CONTEXT_H
#define STAP_CONTEXT_H

#include <linux/kallsyms.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/timex.h>

#include "runtime.h"

enum st_level { ST_TASK, ST_SOFTIRQ, ST_HARDIRQ, ST_NMI, ST_LEVELS };

/* Statements between two looks at the clock. */
#define ST_BUDGET_SLICE 1000l

/* Frames of a backtrace. */
#define ST_STACK_DEPTH 64

struct st_context {
	struct st_ctx c;		/* first: generated code's pointer is ours */
	int busy;
	unsigned short level;
	bool whole_regs;		/* c.regs has all registers, not arguments alone */
	bool user_regs;			/* they are of user space */
	bool begun;			/* pieces of this output went out */
	bool cut;			/* … and the rest is dropped */
	bool nested_lock;		/* took locks above another holder on this CPU */
	u64 ends;			/* its time is over then; 0: not looked at yet */
	bool uncounted;			/* not a hit of its own: -t leaves its time out */
	unsigned long irq_flags;	/* interrupts before the locks were taken */
	unsigned int until_timed;	/* hits to go to the next one timed */
	unsigned int timed_every;
	cycles_t started;		/* timed: when; 0: not */
	unsigned long return_address;	/* return probes: the real one; else 0 */
	char *scratch, *out;		/* where c.sp, c.out begin */
	struct pt_regs entry_regs;	/* where there are no registers but arguments */
	unsigned int error_room;	/* bytes at c.error_buffer */
	unsigned long stack[ST_STACK_DEPTH];	/* the last backtrace */
	char symbol[KSYM_SYMBOL_LEN];	/* the last symbol looked up */
};

DECLARE_PER_CPU(struct st_context *, st_contexts[ST_LEVELS]);

static inline struct st_context *st_context_of(struct st_ctx *c)
{
	return container_of(c, struct st_context, c);
}

int st_contexts_alloc(void);
void st_contexts_free(void);

/* A handler ended with an error: says it, counts it, may end the session. */
void st_handler_failed(struct st_context *x);

/* Hands the output collected so far on. */
void st_flush(struct st_context *x, bool more);

/* The time a timed handler took. */
void st_account_time(struct st_context *x);

/*
 * Softirqs are threads with PREEMPT_RT, which keeps their count elsewhere: a handler hit in
 * one runs at the task's level.  That is enough, as no other thread runs on this CPU before
 * the handler has ended.
 */
static __always_inline enum st_level st_current_level(void)
{
	unsigned long count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return ST_TASK;
	if (count & NMI_MASK)
		return ST_NMI;
	return count & HARDIRQ_MASK ? ST_HARDIRQ : ST_SOFTIRQ;
}

/*
 * What a handler leaves of the stack to the runtime's functions that it calls, and to
 * what these call in the kernel.  A handler that finds less below its own frame does not
 * run; a script function that does fails.  No frame of generated code is larger than
 * ST_FRAME_MAX, which is less: what a function has touched before it looks is still stack.
 */
#ifdef CONFIG_KASAN
#define ST_STACK_RESERVE 4096ul		/* its kernels have stacks twice the size, for a reason */
#else
#define ST_STACK_RESERVE 2048ul
#endif
static_assert((IS_ENABLED(CONFIG_KASAN) ? ST_FRAME_MAX_KASAN : ST_FRAME_MAX) < ST_STACK_RESERVE);

/* So much is looked for below us on a stack that isn't the task's. */
#define ST_STACK_WANTED (ST_STACK_RESERVE + THREAD_SIZE / 4)

/* The lowest address that sp's stack is known to reach, where it is not the task's. */
unsigned long st_other_stack_end(unsigned long sp);

/* The end of the stack we are on, or an address above it. */
static __always_inline unsigned long st_stack_end(void)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);
	unsigned long end = (unsigned long)current->stack;

	return likely(sp - end < THREAD_SIZE) ? end : st_other_stack_end(sp);
}

/*
 * A hit of point: takes the context of this CPU and level, or NULL when no handler is
 * to run now.  'when' is the state in which handlers of its kind run.
 */
static __always_inline struct st_context *st_take(const struct st_point *point, enum st_state when)
{
	struct st_context *x;

	if (unlikely(READ_ONCE(st_state) != when || !st_wanted(point->probe)))
		return NULL;
	preempt_disable_notrace();
	x = __this_cpu_read(st_contexts[st_current_level()]);
	if (unlikely(x->busy)) {
		atomic_long_inc(&st_counts.reentrant);
		goto out;
	}
	x->busy = 1;
	barrier();
	x->c.stack_end = st_stack_end() + ST_STACK_RESERVE;
	if (unlikely((unsigned long)__builtin_frame_address(0) < x->c.stack_end)) {
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

static __always_inline void st_give(struct st_context *x)
{
	barrier();
	x->busy = 0;
	preempt_enable_notrace();
}

static __always_inline void st_leave_handler(struct st_context *x)
{
	if (unlikely(x->c.error))
		st_handler_failed(x);
	if (x->c.out != x->out || unlikely(x->begun))
		st_flush(x, false);
	if (unlikely(x->started))
		st_account_time(x);
	st_give(x);
}

/* A context taken becomes what generated code expects. */
static __always_inline void st_prepare(struct st_context *x, enum st_state when)
{
	if (when == ST_RUNNING && unlikely(!--x->until_timed))
		x->started = get_cycles();
	x->c.error = NULL;
	x->c.near = NULL;
	x->c.budget = min(x->c.point->probe->budget, ST_BUDGET_SLICE);
	x->c.reserve = x->c.point->probe->budget - x->c.budget;
	x->ends = 0;
	x->c.nesting = 0;
	x->c.by_next = 0;
	x->c.match.ngroups = 0;
	x->c.sp = x->scratch;
	x->c.regs = NULL;
	x->c.saved = NULL;
	x->return_address = 0;
	x->whole_regs = false;
	x->user_regs = false;
	x->uncounted = false;
}

/* A hit of point: the context to run its handler in, or NULL. */
static __always_inline struct st_context *st_enter(const struct st_point *point,
						   enum st_state when)
{
	struct st_context *x = st_take(point, when);

	if (x)
		st_prepare(x, when);
	return x;
}

/* All registers at c->regs. */
static __always_inline void st_set_regs(struct st_context *x, struct pt_regs *regs)
{
	x->c.regs = (unsigned long *)regs;
	x->whole_regs = true;
}

#endif
