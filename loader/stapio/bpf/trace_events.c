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
 * root may read, and it has room for 64 programs.  Others have raw tracepoints, and are told at the end how many hits the
 * kernel has left out.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "internal.h"

/* The kernel has so many programs at an event (BPF_TRACE_MAX_PROGS). */
enum { PROGRAMS_MOST = 64 };

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

/* Opens the tracepoint's event, which counts on one CPU; its program runs wherever it is hit.  Returns -1 if none may be. */
static int open_event(const char *tracepoint)
{
	struct perf_event_attr a = { .size = sizeof(a), .type = PERF_TYPE_TRACEPOINT };
	long number = event_number(tracepoint);

	a.config = number;
	return number < 0 ? -1 : syscall(SYS_perf_event_open, &a, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

/* How many programs of the script would be at the tracepoint's event? */
static size_t count_at(const struct handlers *h, const char *tracepoint)
{
	const struct bpf_program *p = h->plan->programs.v;
	size_t n = 0;

	for (size_t i = 0; i < h->plan->programs.n; i++)
		n += p[i].context_free && !strcmp(p[i].tracepoint, tracepoint);
	return n;
}

/* Has the tracepoint an event, and that room for the script's programs? */
static bool has_room(const struct handlers *h, const char *tracepoint)
{
	struct perf_event_query_bpf others = { .ids_len = 0 };
	int event = open_event(tracepoint), err;

	if (event < 0)
		return false;
	err = ioctl(event, PERF_EVENT_IOC_QUERY_BPF, &others);
	close(event);
	return !err && others.prog_cnt + count_at(h, tracepoint) <= PROGRAMS_MOST;
}

bool takes_trace_events(const struct handlers *h)
{
	const struct bpf_program *p = h->plan->programs.v;

	if (!is_since(7, 0))
		return false;
	for (size_t i = 0; i < h->plan->programs.n; i++)
		if (p[i].context_free && !has_room(h, p[i].tracepoint))
			return false;
	return true;
}

bool is_at_trace_event(const struct handlers *h, const struct bpf_program *p)
{
	return h->at_trace_events && p->context_free;
}

int attach_trace_event(struct handlers *h, size_t program)
{
	const struct bpf_program *p = &h->plan->programs.v[program];

	return attach_event(h, open_event(p->tracepoint), h->programs.v[program], p->point);
}
