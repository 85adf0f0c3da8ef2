/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context that a handler runs in.
 *
 * Every possible CPU has one for each level of interruption, so that a handler
 * hit in an interrupt runs although one is running in the task below it.
 * handler/handler.h takes a context at a hit and gives it back.  The task level's may be
 * exchanged for a spare one meanwhile (memory/wait.h).
 */
#ifndef STAP_CONTEXT_H
#define STAP_CONTEXT_H

#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/timex.h>

#include "abi/stap_script.h"

/* What the CPU was doing when a probe was hit.  Each level has its own context, because an interrupt's
 * handler may run in the middle of a task's. */
enum st_level { ST_TASK, ST_SOFTIRQ, ST_HARDIRQ, ST_NMI, ST_LEVELS };

struct st_user_stack;

/*
 * All that a running handler has: one for each CPU and level, taken by st_enter() and given back by
 * st_leave_handler().  A handler that waits for memory keeps its own on whichever CPU it wakes.
 */
struct st_context {
	struct st_ctx c;		/* first; generated code sees only this */
	int busy;			/* a handler runs in it */
	unsigned short level;		/* enum st_level */
	unsigned int patience;		/* with the lock of mappings, in jiffies */
	struct st_context *next;	/* a spare: in the list of spares */
	/* one word, as each hit clears them */
	unsigned int program;		/* a place in a program: index of its st_file, from 1; else 0 */
	bool user_regs;			/* c.regs are of user space */
	bool may_wait;			/* for user memory (memory/wait.h) */
	bool uncounted;			/* this run is no hit of its own */
	bool begun;			/* earlier pieces of this output were committed */
	unsigned long shift;		/* of that file's linked addresses in this process */
	bool cut;			/* a piece was lost: the rest of the output is dropped */
	bool nested_lock;		/* took locks while a handler below held some on this CPU */
	cycles_t looked;		/* when the clock was last looked at; 0: not yet (overload.c) */
	u64 spent, shut;		/* cycles of the handler, and without a break with interrupts off */
	bool opened;			/* interrupts were on since the last look */
	unsigned long irq_flags;	/* interrupts before the locks were taken */
	unsigned int until_timed;	/* hits until the next one is timed */
	unsigned int timed_every;
	cycles_t started;		/* of a hit that is accounted; else 0 */
	u64 waited, waited_before;	/* ns: for locks; of that before the last look */
	unsigned long return_address;	/* return probes: the real one; else 0 */
	struct pt_regs entry_regs;	/* for c.regs where only arguments were saved */
	unsigned long stack[ST_STACK_DEPTH];	/* the last backtrace */
	struct st_user_stack *user;	/* user/stack.h */
	unsigned int user_frames;	/* frames in it; 0: this handler has not unwound it */
	unsigned int user_mappings;	/* mappings that this handler has looked up (user/stack.h) */
	char symbol[KSYM_SYMBOL_LEN];	/* the last symbol looked up */
};

DECLARE_PER_CPU(struct st_context *, st_contexts[ST_LEVELS]);

static inline struct st_context *st_context_of(struct st_ctx *c)
{
	return container_of(c, struct st_context, c);
}

/*
 * Allocates the contexts of all possible CPUs, each with USER bytes for x->user: 0, or -ENOMEM with
 * st_message set and nothing allocated.  Process context; free() after the last handler.
 */
int st_contexts_alloc(unsigned long user);
void st_contexts_free(void);

/* Makes a context for the task level that is no CPU's yet (memory/wait.h); NULL without memory.
 * kvfree() it.  May sleep. */
struct st_context *st_context_make(void);

/* Returns the size of a context with its areas. */
unsigned long st_context_bytes(void);

/*
 * On PREEMPT_RT softirqs are threads, and preempt_count() doesn't count them: a handler hit
 * in one runs at the task's level.  That is enough, as no other thread runs on this CPU
 * before the handler has ended.
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

/* Returns this CPU's and level's context.  Preemption is disabled. */
static __always_inline struct st_context *st_this_context(void)
{
	enum st_level level = st_current_level();

	return likely(level == ST_TASK) ? __this_cpu_read(st_contexts[ST_TASK]) :
					  __this_cpu_read(st_contexts[level]);
}

#endif
