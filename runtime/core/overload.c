// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU that spends more than overload_threshold of overload_interval cycles in
 * handlers, in two intervals one after the other, ends the session.  One interval alone
 * proves nothing: a virtual machine that its host stops for a second while a handler runs
 * finds that second in the handler's time.
 *
 * Reading the cycle counter twice per hit would cost as much as many a handler, so one hit
 * of ST_TIMED_EVERY is timed and stands for all.  A handler too long for that to be fair (or
 * one that an interrupt delayed) counts as ST_LONG_HANDLER for the hits it stands for, and
 * each of the next hits is timed.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/timex.h>

#include "context.h"
#include "overload.h"
#include "state.h"
#include "timing.h"

#define ST_LONG_HANDLER 65536		/* cycles */

/* A CPU's current interval: its beginning, and the cycles spent in handlers. */
struct st_load {
	cycles_t since, cycles;
	bool was_over;			/* the interval before it exceeded the threshold */
};

static DEFINE_PER_CPU(struct st_load, st_loads);

void st_overload_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(st_loads, cpu).since = get_cycles();
}

/* Ends an interval.  The first CPU with two in a row over the threshold ends the session. */
static void load_check(struct st_load *load, cycles_t now)
{
	static char why[160];
	static atomic_t claimed;
	st_long spent = load->cycles, span = now - load->since;
	bool over = spent > st_program.overload_threshold, again = over && load->was_over;

	load->cycles = 0;
	load->since = now;
	load->was_over = over;
	if (!again || atomic_xchg(&claimed, 1))
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
		st_timing_add(x->c.point->number, x->level == ST_NMI, took);
	if (READ_ONCE(st_state) != ST_RUNNING)	/* begin and end probes may take longer */
		return;
	load->cycles += took + stood_for * min_t(cycles_t, took, ST_LONG_HANDLER);
	x->timed_every = took < ST_LONG_HANDLER && !st_program.ntimed ? ST_TIMED_EVERY : 1;
	x->until_timed = x->timed_every;
	if (st_program.overload && now - load->since > st_program.overload_interval)
		load_check(load, now);
}
