// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches programs to the performance events of tracepoints: those of processes and of all system calls, which need
 * nothing that only raw tracepoints tell.
 *
 * From Linux 7.0 on a task can be preempted within a program of a raw tracepoint, and the kernel leaves out what other
 * tasks of that CPU hit meanwhile, because a CPU runs the same program once at a time.  So a process could begin, or
 * make a system call, unseen:
 *
 *	task A		sys_exit: the program runs …			… ends
 *	task B				sys_exit: left out
 *
 * The event of the same tracepoint runs all of its programs without preemption.  Its number is in tracefs, which only
 * root may read; others have raw tracepoints, and are told at the end how many hits the kernel has left out.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "internal.h"

/* The kernel has 64 programs at an event, those of other sessions included. */
enum { PROGRAMS_MOST = 24 };

/* Returns the number of a tracepoint's event, or -1. */
static long event_number(const char *tracepoint)
{
	bool of_calls = !strncmp(tracepoint, "sys_", strlen("sys_"));
	FILE *f = fopen(arena_printf("/sys/kernel/tracing/events/%s/%s/id", of_calls ? "raw_syscalls" : "sched",
				     tracepoint), "re");
	long number = -1;

	if (f && fscanf(f, "%ld", &number) != 1)
		number = -1;
	if (f)
		fclose(f);
	return number;
}

bool takes_trace_events(const struct handlers *h)
{
	const struct bpf_program *p = h->plan->programs.v;
	size_t n = h->plan->programs.n;

	if (!is_since(7, 0))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t together = 0;

		if (!p[i].context_free)
			continue;
		for (size_t j = 0; j < n; j++)
			together += p[j].context_free && !strcmp(p[j].tracepoint, p[i].tracepoint);
		if (together > PROGRAMS_MOST || event_number(p[i].tracepoint) < 0)
			return false;
	}
	return true;
}

bool is_at_trace_event(const struct handlers *h, const struct bpf_program *p)
{
	return h->at_trace_events && p->context_free;
}

/* The event counts on one CPU; its program runs wherever it is hit. */
int attach_trace_event(struct handlers *h, size_t program)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	struct perf_event_attr a = {
		.size = sizeof(a), .type = PERF_TYPE_TRACEPOINT, .config = event_number(p->tracepoint),
	};

	return attach_event(h, syscall(SYS_perf_event_open, &a, -1, 0, -1, PERF_FLAG_FD_CLOEXEC), h->programs.v[program],
			    p->point);
}
