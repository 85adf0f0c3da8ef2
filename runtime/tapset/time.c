// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about time, load, and random numbers.  They use the kernel's "fast"
 * clocks, which can be read in an NMI that interrupts an update of the clock.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/sched/loadavg.h>
#include <linux/timex.h>

#include "abi/stap_script.h"

st_long st_fn_realtime_ns(struct st_ctx *c)
{
	return ktime_get_real_fast_ns();
}

st_long st_fn_monotonic_ns(struct st_ctx *c)
{
	return ktime_get_mono_fast_ns();
}

st_long st_fn_local_clock_ns(struct st_ctx *c)
{
	return local_clock();
}

st_long st_fn_cpu_clock_ns(struct st_ctx *c, st_long cpu)
{
	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_possible(cpu)) {
		st_error(c, "no such cpu: %lld", cpu);
		return 0;
	}
	return cpu_clock(cpu);
}

st_long st_fn_cycles(struct st_ctx *c)
{
	return get_cycles();
}

st_long st_fn_jiffies(struct st_ctx *c)
{
	return jiffies;
}

st_long st_fn_hz(struct st_ctx *c)
{
	return HZ;
}

st_long st_fn_loadavg(struct st_ctx *c, st_long which)
{
	BUILD_BUG_ON(FSHIFT != 11);
	if (which >= 0 && which < 3)
		return READ_ONCE(avenrun[which]);
	st_error(c, "Invalid loadavg index %lld specified.", which);
	return 0;
}

/*
 * Returns a random number from a counter per CPU, mixed with the cycle counter (splitmix64).  That
 * is good enough for sampling and, unlike the kernel's generators, safe in every context.
 */
st_long st_fn_random(struct st_ctx *c, st_long n)
{
	static DEFINE_PER_CPU(u64, state);
	u64 x = this_cpu_add_return(state, 0x9e3779b97f4a7c15ull) + get_cycles();

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	x ^= x >> 31;
	return n > 1 ? x % (u64)n : 0;
}
