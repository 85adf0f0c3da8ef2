// SPDX-License-Identifier: GPL-2.0-or-later
/* Attaches programs to performance events: perf.type(T).config(C) and timer.profile, an event on each CPU. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/say.h"
#include "internal.h"

static const char *why_not(int err)
{
	switch (err) {
	case EPERM:
	case EACCES:
		return "this needs root, or CAP_BPF and CAP_PERFMON";
	case ENOENT:
	case EOPNOTSUPP:
		return "this machine's CPUs or its kernel don't support the event; guests often have no "
		       "hardware events";
	case EBUSY:
	case ENOSPC:
		return "all counters for it are in use";
	case EINVAL:
		return "the kernel knows no such event";
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

	for (unsigned cpu = 0; cpu < h->plan->cpus; cpu++) {
		int event = syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		if (event < 0 && errno == ENODEV)	/* the CPU is offline, or there is none */
			continue;
		if (attach_event(h, event, program, point)) {
			say_error("%s: %s (rc %d)", place->pp, why_not(errno), -errno);
			return -1;
		}
	}
	return 0;
}
