/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance events: what perf.c, which has an event for each CPU, shares with
 * perf_tasks.c, which has one for each thread of a program.
 */
#ifndef STAP_PERF_H
#define STAP_PERF_H

#include <linux/perf_event.h>

#include "abi/stap_script.h"

/* A program, identified by its file. */
struct st_program_file {
	dev_t dev;
	unsigned long inode;		/* 0: any program */
};

/* A perf probe and its events, which perf.c creates and releases. */
struct st_perf_probe {
	const struct st_perf *perf;
	struct perf_event **events;	/* [CPU]; all NULL if it counts for threads */
	struct st_program_file program;
};

/* Do its events belong to the program's threads, not to CPUs? */
static inline bool st_perf_of_tasks(const struct st_perf_probe *p)
{
	return p->perf->counter && p->program.inode;
}

/* Does the task run the program?  The caller ensures that its mm doesn't go away. */
bool st_runs_program(const struct task_struct *task, const struct st_program_file *program);

/* Return the event's attributes; and, for the user, what an error of creating it means. */
struct perf_event_attr st_perf_attr(const struct st_perf *perf);
const char *st_perf_why_not(int err);

/*
 * perf_tasks.c: counters for each thread of a program.  arm() starts with the tasks that
 * exist; it returns 0, or -errno with st_message set.  disarm() may follow a failed arm() and
 * returns when no handler reads a counter any more.
 */
int st_perf_tasks_arm(const struct st_perf_probe *probes, unsigned int n);
void st_perf_tasks_refresh(void);
void st_perf_tasks_disarm(void);

/* Returns the current task's event, or NULL.  Preemption is disabled. */
struct perf_event *st_perf_task_event(const struct st_perf_probe *p);

#endif
