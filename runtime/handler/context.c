// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory of the contexts: allocated for all possible CPUs before the first
 * handler runs, since a module gets no notice of a CPU that comes online.
 */
#include "port/port.h"
#include "core/report.h"
#include "core/run.h"
#include "context.h"
#include "overload.h"
#include "print.h"

DEFINE_PER_CPU(struct st_context *, st_contexts[ST_LEVELS]);

static unsigned long st_user_bytes;		/* of what x->user points to */

/* The bytes of a context and what lies behind it, in this order. */
struct layout {
	unsigned long context, user, origin, areas, whole;
};

static struct layout context_layout(void)
{
	struct layout l = {
		.context = ALIGN(sizeof(struct st_context), L1_CACHE_BYTES),
		.user = ALIGN(st_user_bytes, L1_CACHE_BYTES),
		.origin = st_origins ? ALIGN(ST_ORIGIN_ROOM, L1_CACHE_BYTES) : 0,
		.areas = st_ctx_bytes(),
	};

	l.whole = l.context + l.user + l.origin + l.areas;
	return l;
}

/* Lays out a context and its areas in zeroed memory at p. */
static struct st_context *context_place(char *p, unsigned int level, const struct layout *l)
{
	struct st_context *x = (struct st_context *)p;

	x->level = level;
	x->until_timed = st_program.ntimed ? 1 : 1 + level;
	x->timed_every = st_program.ntimed ? 1 : ST_TIMED_EVERY;
	x->user = (struct st_user_stack *)(p + l->context);
	st_ctx_place(&x->c, p + l->context + l->user + l->origin);
	return x;
}

int st_contexts_alloc(unsigned long user)
{
	struct layout l;
	unsigned int level;
	u64 whole;
	int cpu;

	st_user_bytes = user;
	l = context_layout();
	whole = (u64)l.whole * ST_LEVELS * num_possible_cpus();
	if (whole > st_data_room())
		return st_fail(-ENOMEM, "no memory for the strings of handlers (%llu MB); lower "
			       "MAXSTRINGLEN or MAXNESTING", whole >> 20);
	for_each_possible_cpu(cpu) {
		char *p = st_data_alloc(ST_LEVELS * l.whole, cpu_to_node(cpu));

		if (!p) {
			st_contexts_free();
			return st_fail(-ENOMEM, "no memory for the contexts of handlers");
		}
		for (level = 0; level < ST_LEVELS; level++)
			per_cpu(st_contexts[level], cpu) = context_place(p + level * l.whole, level,
									 &l);
	}
	return 0;
}

/*
 * Returns the caller's context. Handlers are not preempted, so this CPU's and level's context is
 * busy only if it is the caller's.
 */
struct st_ctx *st_current(void)
{
	struct st_context *x;

	preempt_disable_notrace();
	x = st_this_context();
	preempt_enable_notrace();
	return x && x->busy ? &x->c : NULL;
}

unsigned long st_context_bytes(void)
{
	return context_layout().whole;
}

struct st_context *st_context_make(void)
{
	struct layout l = context_layout();
	char *p = st_data_alloc(l.whole, NUMA_NO_NODE);

	return p ? context_place(p, ST_TASK, &l) : NULL;
}

/*
 * Frees the contexts. A CPU's were allocated together, the task level's first, which may be another
 * CPU's now.
 */
void st_contexts_free(void)
{
	unsigned int level;
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(st_contexts[ST_TASK], cpu));
		for (level = 0; level < ST_LEVELS; level++)
			per_cpu(st_contexts[level], cpu) = NULL;
	}
}
