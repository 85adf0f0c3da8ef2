/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that handlers take: a handler's limit, and a CPU's.
 *
 * A long handler looks at the clock each ST_BUDGET_SLICE statements and ST_WALK_SLICE steps; of the
 * short ones some are timed as a whole.
 */
#ifndef STAP_OVERLOAD_H
#define STAP_OVERLOAD_H

#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timex.h>
#include <linux/types.h>

#include "arch/arch.h"
#include "compat.h"

struct st_context;

/*
 * On average one of so many hits is timed and stands for all (overload.c); with -t each is timed.
 */
#define ST_TIMED_EVERY 16u

static inline u64 st_ns_cycles(u64 ns)
{
	return ns ? div_u64(ns * st_arch_cycles_per_ms(), NSEC_PER_MSEC) : 0;
}

/* Starts the first interval on every CPU; before the first handler. */
void st_overload_begin(void);

/* Notes that the handler has waited for so many cycles, which aren't its own. */
void st_time_apart(struct st_context *x, cycles_t cycles);

/* Accounts the time of a handler that was timed, looked at the clock or waited, and ends now. */
void st_account_time(struct st_context *x);

#endif
