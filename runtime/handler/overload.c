// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounds the time of handlers, from the inside out:
 *
 * - A handler ends with an error after a second, in begin, end and error probes after eight, and
 *   after 100 ms without a break with interrupts off.  Nothing without -g lifts that.
 * - A CPU that handlers keep with interrupts off for 100 ms without a break, or for more than two
 *   thirds of its time and a second, ends the session.  Nothing without -g lifts that either:
 *   handlers may end with errors that are suppressed, and many timers expire in one interrupt.
 * - A CPU that spends more than overload_threshold of overload_interval cycles in handlers, in two
 *   intervals one after the other, ends the session, unless -D STP_NO_OVERLOAD.
 *
 * A clock can't tell a handler's work from a pause in which the host runs another virtual machine.
 * A slice, which is what a handler does between two looks at the clock, is some microseconds of
 * work.  So it counts for a small part of a limit at most, however long it took: what a handler may
 * do in any case is 256 slices with interrupts off, and 16 in all.  What it waited for locks is
 * known, and counts as it is.  Nor does one interval of overload prove anything.
 *
 * A CPU's two limits are levels that handlers raise by the time they take, and other work lowers.
 *
 * Reading the cycle counter twice per hit would cost as much as many a handler, so one hit of
 * ST_TIMED_EVERY is timed and stands for all; which one is left to chance, or hits that take turns
 * might all pass untimed.  A handler too long for that to be fair (or one that an interrupt
 * delayed) counts as ST_LONG_HANDLER for the hits it stands for, and each of the next hits is
 * timed.  One that looks at the clock counts in any case.
 */
#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "port/port.h"
#include "core/run.h"
#include "core/state.h"
#include "core/supply.h"
#include "context.h"
#include "overload.h"
#include "timing.h"

#define ST_LONG_HANDLER 65536		/* cycles */

/* Milliseconds: a handler's limit with interrupts off (run.h has the others). */
#define ST_SHUT_MS 100

/* The part of a limit that a slice counts for at most. */
#define ST_SLICE_PART 16
#define ST_SHUT_SLICE_PART 256

/* A CPU's limits: how high the levels may get, and how fast they fall while no handler runs. */
#define ST_BUSY_MS 1000
#define ST_BUSY_FALL 2
#define ST_CPU_SHUT_FALL 10

struct st_load {
	cycles_t since, cycles;		/* the current interval: beginning, time in handlers */
	bool was_over;			/* the interval before it exceeded the threshold */
	cycles_t last;			/* when time was last accounted */
	u64 busy, shut;			/* levels, in cycles: all handlers; interrupts off */
};

static DEFINE_PER_CPU(struct st_load, st_loads);

static u64 cycles_of(unsigned int ms)
{
	return (u64)ms * st_arch_cycles_per_ms();
}

void st_overload_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(st_loads, cpu).since = per_cpu(st_loads, cpu).last = get_cycles();
}

/* ---- a CPU's time ----------------------------------------------------------- */

/*
 * Ends the session.  FMT takes up to three long longs, because a va_list would take a tenth of a
 * handler's stack.
 */
static void overloaded(const char *fmt, st_long a, st_long b, st_long c)
{
	static char why[160];
	static atomic_t claimed;

	if (atomic_xchg(&claimed, 1))
		return;
	scnprintf(why, sizeof(why), fmt, a, b, c);
	st_session_end(true, why);
}

/*
 * Ends an interval.  A handler does that, so one that follows another after 20 s ends an interval of 20 s, whose
 * threshold is as much higher.
 */
static void load_check(struct st_load *load, cycles_t now)
{
	st_long spent = load->cycles, span = now - load->since;
	st_long intervals = max(span / st_program.overload_interval, 1LL);
	bool over = spent / intervals > st_program.overload_threshold, again = over && load->was_over;

	load->cycles = 0;
	load->since = now;
	load->was_over = over;
	if (again)
		overloaded("probe overhead (%lld cycles) exceeded threshold (%lld cycles) in last "
			   "%lld cycles", spent, st_program.overload_threshold, span);
}

/*
 * A handler's time since it was last accounted.  'others' is the time of the hits that it stands
 * for.
 */
struct st_slice {
	cycles_t now, took;
	u64 waited;			/* of that, for locks */
	u64 others;
	bool shut, opened;		/* interrupts are off; they were on meanwhile */
};

static u64 slice_counts(const struct st_slice *s, u64 limit, unsigned int part)
{
	return min_t(u64, s->took, limit / part + s->waited);
}

static u64 lowered(u64 level, u64 by)
{
	return level > by ? level - by : 0;
}

/* Has this CPU exceeded one of its limits?  Handlers of interrupts are not counted twice. */
static bool load_add(const struct st_slice *s)
{
	struct st_load *load = this_cpu_ptr(&st_loads);
	u64 most = cycles_of(ST_BUSY_MS), shut = cycles_of(ST_SHUT_MS);
	u64 elapsed = s->now - load->last, rest;
	struct st_slice own = *s;

	own.took = min_t(u64, s->took, elapsed);
	rest = min(lowered(elapsed, own.took + s->others), most);
	load->last = s->now;
	load->busy = lowered(load->busy, rest * ST_BUSY_FALL) + s->others +
		     slice_counts(&own, cycles_of(ST_HANDLER_MS), ST_SLICE_PART);
	load->shut = s->opened ? 0 : lowered(load->shut, rest * ST_CPU_SHUT_FALL);
	load->shut = s->shut ? load->shut + s->others +
			       slice_counts(&own, shut, ST_SHUT_SLICE_PART) : 0;
	if (st_program.untimed)
		return false;
	if (load->shut > shut)
		overloaded("overload: handlers took more than %lld ms of CPU %lld without a break, "
			   "with interrupts off", ST_SHUT_MS, smp_processor_id(), 0);
	else if (load->busy > most)
		overloaded("overload: handlers take more than two thirds of CPU %lld's time",
			   smp_processor_id(), 0, 0);
	else
		return false;
	return true;
}

/* ---- a handler's time -------------------------------------------------------- */

/* Returns the slice that ends now. */
static struct st_slice slice_end(struct st_context *x)
{
	struct st_slice s = {
		.now = get_cycles(),
		.waited = st_ns_cycles(x->waited - x->waited_before),
		.shut = irqs_disabled() || x->level >= ST_HARDIRQ,
		.opened = x->opened,
	};

	s.took = s.now - x->looked;
	x->looked = s.now;
	x->opened = false;
	x->waited_before = x->waited;
	return s;
}

static void first_look(struct st_context *x)
{
	if (!x->started)
		x->started = get_cycles();
	x->looked = x->started;
	x->spent = x->shut = 0;
	x->opened = false;
}

/* Lets interrupts in for a moment.  No handler runs in them, because the session isn't running. */
static void let_interrupts_in(void)
{
	if (!irqs_disabled())
		return;
	raw_local_irq_enable();
	raw_local_irq_disable();
}

bool st_time_is_over(struct st_ctx *c)
{
	struct st_context *x = st_context_of(c);
	enum st_state state = READ_ONCE(st_state);
	/* What runs while the session is exiting began before that. */
	bool running = state == ST_RUNNING || state == ST_EXITING;
	u64 whole = cycles_of(running ? ST_HANDLER_MS : ST_BEGIN_HANDLER_MS);
	u64 shut = cycles_of(ST_SHUT_MS);
	struct st_slice s;

	if (!x->looked)
		first_look(x);
	s = slice_end(x);
	x->spent += slice_counts(&s, whole, ST_SLICE_PART);
	x->shut = s.opened ? 0 : x->shut;
	x->shut = s.shut ? x->shut + slice_counts(&s, shut, ST_SHUT_SLICE_PART) : 0;
	if (!running)
		let_interrupts_in();
	if (st_program.untimed)
		return false;
	if (x->spent > whole)
		st_error(c, "the handler takes too long (more than %u s)",
			 running ? ST_HANDLER_MS / 1000 : ST_BEGIN_HANDLER_MS / 1000);
	else if (running && x->shut > shut)
		st_error(c, "the handler takes too long (more than %u ms with interrupts off)",
			 ST_SHUT_MS);
	else if (state == ST_RUNNING && load_add(&s))
		st_abort(c);
	else
		return false;
	return true;
}

void st_time_apart(struct st_context *x, cycles_t cycles)
{
	if (x->started)
		x->started += cycles;
	if (x->looked)
		x->looked += cycles;
}

/* Draws which of the next hits in this context is timed. */
static void draw_timed(struct st_context *x, cycles_t now)
{
	x->timed_every = 1 + ((u32)now * 0x9e3779b1u >> 16) % (2 * ST_TIMED_EVERY - 1);
}

void st_account_time(struct st_context *x)
{
	bool sampled = !x->until_timed, was_long;
	struct st_slice s;
	cycles_t took;

	if (!x->looked)
		first_look(x);
	s = slice_end(x);
	took = s.now - x->started;
	was_long = took >= ST_LONG_HANDLER;
	x->started = 0;
	x->waited = x->waited_before = 0;
	if (st_program.ntimed && !x->uncounted)
		st_timing_add(x->c.point->number, x->level == ST_NMI, took);
	if (READ_ONCE(st_state) != ST_RUNNING)	/* begin and end probes may take longer */
		return;
	if (sampled)
		s.others = (x->timed_every - 1) * min_t(u64, took, ST_LONG_HANDLER);
	load_add(&s);
	if (was_long || st_program.ntimed)
		x->timed_every = 1;
	else if (sampled)
		draw_timed(x, s.now);
	if (was_long || sampled)
		x->until_timed = x->timed_every;
	if (st_program.overload) {
		struct st_load *load = this_cpu_ptr(&st_loads);

		load->cycles += took + s.others;
		if (s.now - load->since > st_program.overload_interval)
			load_check(load, s.now);
	}
}
