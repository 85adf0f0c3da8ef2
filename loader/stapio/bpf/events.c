// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches programs to performance events: perf.type(T).config(C), timer.profile and kernel.data, an event
 * on each CPU.
 */
#include <errno.h>
#include <limits.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "common/say.h"
#include "internal.h"

static const char *why_not(const struct ir_performance *e, int err)
{
	long most = kernel_setting("perf_event_max_sample_rate", LONG_MAX);

	switch (err) {
	case ENOENT:
	case EOPNOTSUPP:
		return "this machine's CPUs or its kernel don't support the event; guests often have no "
		       "hardware events";
	case EBUSY:
	case ENOSPC:
		return "all counters for it are in use";
	case EINVAL:
		return e->a_second && e->period > (uint64_t)most ?
		       arena_printf("the kernel takes at most %ld samples a second (sysctl "
				    "kernel.perf_event_max_sample_rate)", most) :
		       "the kernel knows no such event";
	default:
		return "the kernel refuses it";
	}
}

int attach_to_event(struct handlers *h, int program, const struct ir_place *place, unsigned point)
{
	const struct ir_performance *e = &place->performance;
	struct perf_event_attr a = {
		.size = sizeof(a), .type = e->type, .config = e->config, .sample_period = e->period,
		.freq = e->a_second,
	};

	if (e->watched) {
		a.bp_addr = (place->base == IR_ABSOLUTE ? 0 : h->bases[place->base]) + place->offset;
		a.bp_len = e->watched;
		a.bp_type = e->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
		a.pinned = 1;	/* so that no other event takes the register by turns */
	}
	for (unsigned cpu = 0; cpu < h->plan->cpus; cpu++) {
		int event = syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		if (event < 0 && errno == ENODEV)	/* the CPU is offline, or there is none */
			continue;
		if (!attach_event(h, event, program, point))
			continue;
		if (is_about_place(errno))
			say_error("%s: %s (rc %d)", place->pp, why_not(e, errno), -errno);
		else
			say_place_refused(place, errno);
		return -1;
	}
	return 0;
}
