// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the time of handlers in a process: their thread's CPU time, so that other processes, or
 * a host that pauses a virtual machine, don't count.  A program may replace this file's functions
 * by its own.
 */
#include "core/run.h"
#include "core/supply.h"
#include "internal.h"

#define NS_PER_MS 1000000ull

static u64 first_look;			/* 0: the handler has not looked yet */

static u64 cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 * NS_PER_MS + now.tv_nsec;
}

void st_time_begin(void)
{
	first_look = 0;
}

bool st_time_is_over(struct st_ctx *c)
{
	bool running = st_state == ST_RUNNING || st_state == ST_EXITING;
	unsigned int limit = running ? ST_HANDLER_MS : ST_BEGIN_HANDLER_MS;
	u64 now = cpu_ns();

	if (!first_look)
		first_look = now;
	if (st_program.untimed || now - first_look <= limit * NS_PER_MS)
		return false;
	st_error(c, "the handler takes too long (more than %u s)", limit / 1000);
	return true;
}
