// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The contexts of handlers: allocated for all CPUs that can ever be there, since
 * a module can't be told of one that comes.  And what is decided at the end of
 * a handler: whether it took too long.
 *
 * Overload: a CPU that spends more than overload_threshold of
 * overload_interval cycles in handlers ends the session.  Reading the cycle
 * counter twice a hit would cost as much as many a handler, so one hit of
 * ST_SAMPLE is timed and stands for all.  Handlers too long for that to be fair
 * (and hits that look long because something interrupted them) count once and
 * have each of the next ones timed.
 */
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "context.h"
#include "timing.h"

#define ST_SAMPLE 16u
#define ST_LONG_HANDLER 65536		/* cycles */

/* Output is collected in this much (and more for long strings). */
#define ST_OUT_MIN 8192
#define ST_OUT_STRINGS 16

DEFINE_PER_CPU(struct st_context *, st_contexts[ST_LEVELS]);

/* Time spent in handlers, a CPU. */
struct st_load {
	cycles_t since, cycles;
};

static DEFINE_PER_CPU(struct st_load, st_loads);

static unsigned long round_words(unsigned long n)
{
	return ALIGN(n, L1_CACHE_BYTES);
}

/* Room for what =~ matched. */
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

/* Cuts a context and its areas from memory at p; returns its end. */
static char *context_place(char *p, unsigned int level, int cpu, unsigned long out,
			   unsigned long scratch, unsigned int error)
{
	struct st_context *x = (struct st_context *)p;

	x->level = level;
	x->until_timed = st_program.ntimed ? 1 : 1 + level;
	x->timed_every = st_program.ntimed ? 1 : ST_SAMPLE;
	p += round_words(sizeof(*x));
	x->out = x->c.out = p;
	x->c.out_end = p + out;
	p += round_words(out);
	x->scratch = x->c.sp = p;
	x->c.sp_end = p + scratch;
	p += round_words(scratch);
	if (st_program.groups)
		match_place(&x->c.match, p);
	p += match_room();
	x->c.error_buffer = p;
	x->error_room = error;
	per_cpu(st_contexts[level], cpu) = x;
	return p + round_words(error);
}

int st_contexts_alloc(void)
{
	unsigned long out = ST_OUT_MIN + ST_OUT_STRINGS * st_program.maxstringlen;
	unsigned long scratch = st_program.scratch;
	unsigned int error = st_program.maxstringlen + 256;
	unsigned long bytes = round_words(sizeof(struct st_context)) + round_words(out) +
			      round_words(scratch) + match_room() + round_words(error);
	u64 whole = (u64)bytes * ST_LEVELS * num_possible_cpus();
	unsigned int level;
	int cpu;

	if (whole > st_data_room())
		return st_fail(-ENOMEM, "no memory for the strings of handlers (%llu MB); lower "
			       "MAXSTRINGLEN or MAXNESTING", whole >> 20);
	for_each_possible_cpu(cpu) {
		char *p = st_data_alloc(ST_LEVELS * bytes, cpu_to_node(cpu));

		if (!p) {
			st_contexts_free();
			return st_fail(-ENOMEM, "no memory for the contexts of handlers");
		}
		for (level = 0; level < ST_LEVELS; level++)
			p = context_place(p, level, cpu, out, scratch, error);
		per_cpu(st_loads, cpu).since = get_cycles();
	}
	return 0;
}

void st_contexts_free(void)
{
	unsigned int level;
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(st_contexts[0], cpu));
		for (level = 0; level < ST_LEVELS; level++)
			per_cpu(st_contexts[level], cpu) = NULL;
	}
}

/*
 * An interrupt's or exception's stack.  The kernel does not export where these lie, but
 * the page below each is not mapped: memory that can be read is this stack's.  Only an
 * interrupt's stack without CONFIG_VMAP_STACK has other memory below; it is aligned.
 */
unsigned long st_other_stack_end(unsigned long sp)
{
	unsigned long page = sp & PAGE_MASK, enough = sp - ST_STACK_WANTED;
	char byte;

	if (!IS_ENABLED(CONFIG_VMAP_STACK))
		enough = max(enough, sp & ~(THREAD_SIZE - 1));
	while (page > enough && !copy_from_kernel_nofault(&byte, (char *)page - 1, 1))
		page -= PAGE_SIZE;
	return max(page, enough);
}

/* The interval is over: too much of it spent?  The first CPU to find so says it. */
static void load_check(struct st_load *load, cycles_t now)
{
	static char why[160];
	static atomic_t claimed;
	st_long spent = load->cycles, span = now - load->since;

	load->cycles = 0;
	load->since = now;
	if (spent <= st_program.overload_threshold || atomic_xchg(&claimed, 1))
		return;
	snprintf(why, sizeof(why), "probe overhead (%lld cycles) exceeded threshold "
		 "(%lld cycles) in last %lld cycles", spent, st_program.overload_threshold, span);
	st_session_end(true, why);
}

void st_account_time(struct st_context *x)
{
	cycles_t now = get_cycles(), took = now - x->started;
	struct st_load *load = this_cpu_ptr(&st_loads);
	unsigned int stood_for = x->timed_every - 1;

	x->started = 0;
	if (st_program.ntimed && !x->uncounted)
		st_timing_add(x, took);
	if (READ_ONCE(st_state) != ST_RUNNING)	/* a begin or end probe: may take its time */
		return;
	load->cycles += took + stood_for * min_t(cycles_t, took, ST_LONG_HANDLER);
	x->timed_every = took < ST_LONG_HANDLER && !st_program.ntimed ? ST_SAMPLE : 1;
	x->until_timed = x->timed_every;
	if (st_program.overload && now - load->since > st_program.overload_interval)
		load_check(load, now);
}
