/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance events, inside: probes, and what counts for each task of a program.
 */
#ifndef STAP_PERF_H
#define STAP_PERF_H

#include <linux/perf_event.h>

#include "abi/stap_script.h"

/* A program, as what it is run from. */
struct st_program_file {
	dev_t dev;
	unsigned long inode;		/* 0: any program */
};

struct st_perf_probe {
	const struct st_perf *perf;
	struct perf_event **events;	/* by CPU; where it counts for tasks: none */
	struct st_program_file program;
};

/* One whose events belong to the program's tasks, not to CPUs. */
static inline bool st_perf_of_tasks(const struct st_perf_probe *p)
{
	return p->perf->counter && p->program.inode;
}

/* Does the task run it?  Its mm does not go away meanwhile. */
bool st_runs_program(const struct task_struct *task, const struct st_program_file *program);

/* What counts, as the kernel wants it told; what -errno of making it says. */
struct perf_event_attr st_perf_attr(const struct st_perf *perf);
const char *st_perf_why_not(int err);

/*
 * perf_tasks.c: counters of each thread of a program.  arm() begins with the tasks there
 * are: 0 or -errno with st_message set; disarm() is also called after it failed, and
 * returns when nobody reads any more.
 */
int st_perf_tasks_arm(const struct st_perf_probe *probes, unsigned int n);
void st_perf_tasks_refresh(void);
void st_perf_tasks_disarm(void);

/* The event that counts for the current task, or NULL.  Preemption is disabled. */
struct perf_event *st_perf_task_event(const struct st_perf_probe *p);

#endif
