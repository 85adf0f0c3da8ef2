// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory of the contexts: allocated for all possible CPUs before the first
 * handler runs, since a module gets no notice of a CPU that comes online.
 */
#include "port/port.h"
#include "context.h"
#include "overload.h"
#include "print.h"
#include "report.h"
#include "user/stack.h"

/* Bytes of the output buffer, and how many strings of the longest length it holds besides. */
#define ST_OUT_MIN 8192
#define ST_OUT_STRINGS 16

DEFINE_PER_CPU(struct st_context *, st_contexts[ST_LEVELS]);

static unsigned long round_words(unsigned long n)
{
	return ALIGN(n, L1_CACHE_BYTES);
}

/* Bytes for the groups, states and text of the last =~ match. */
static unsigned long match_room(void)
{
	unsigned long text = st_program.maxstringlen;

	if (!st_program.groups)
		return 0;
	return round_words(2 * st_program.groups * sizeof(int) + text * sizeof(short) + text);
}

static void match_place(struct st_match *m, char *p)
{
	m->at = (int *)p;
	m->states = (unsigned short *)(m->at + 2 * st_program.groups);
	m->text = (char *)(m->states + st_program.maxstringlen);
}

/* The bytes of a context and of its areas. */
struct layout {
	unsigned long origin, out, scratch, user, whole;
	unsigned int error;
};

static struct layout context_layout(void)
{
	struct layout l = {
		.origin = st_program.json ? ST_ORIGIN_ROOM : 0,
		.out = ST_OUT_MIN + ST_OUT_STRINGS * st_program.maxstringlen,
		.scratch = st_program.scratch,
		.user = sizeof(struct st_user_stack),
		.error = st_program.maxstringlen + 256,
	};

	l.whole = round_words(sizeof(struct st_context)) + round_words(l.origin) +
		  round_words(l.out) + round_words(l.scratch) + round_words(l.user) + match_room() +
		  round_words(l.error);
	return l;
}

/* Lays out a context and its areas in zeroed memory at p. */
static struct st_context *context_place(char *p, unsigned int level, const struct layout *l)
{
	struct st_context *x = (struct st_context *)p;

	x->level = level;
	x->until_timed = st_program.ntimed ? 1 : 1 + level;
	x->timed_every = st_program.ntimed ? 1 : ST_TIMED_EVERY;
	p += round_words(sizeof(*x)) + round_words(l->origin);
	x->out = x->c.out = p;
	x->c.out_end = p + l->out;
	p += round_words(l->out);
	x->scratch = x->c.sp = p;
	x->c.sp_end = p + l->scratch;
	p += round_words(l->scratch);
	x->user = (struct st_user_stack *)p;
	p += round_words(l->user);
	if (st_program.groups)
		match_place(&x->c.match, p);
	p += match_room();
	x->c.error_buffer = p;
	x->error_room = l->error;
	return x;
}

int st_contexts_alloc(void)
{
	struct layout l = context_layout();
	u64 whole = (u64)l.whole * ST_LEVELS * num_possible_cpus();
	unsigned int level;
	int cpu;

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

/* A handler is not preempted: the context of this CPU and level is busy only if it is its caller's. */
struct st_ctx *st_current(void)
{
	struct st_context *x;

	preempt_disable_notrace();
	x = __this_cpu_read(st_contexts[st_current_level()]);
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

/* The contexts of a CPU were allocated together, the task level's first, wherever that is now. */
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
