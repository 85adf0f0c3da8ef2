/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of tasks that exist; processes in messages. */
#ifndef STAP_TASKS_H
#define STAP_TASKS_H

#include <linux/types.h>

struct task_struct;

/*
 * Lists the threads that WANTED accepts; it is called under rcu_read_lock() and must not
 * sleep.  Threads of a process follow each other, its leader first.  Returns their number,
 * with *TASKS allocated and a reference to each; or -ENOMEM.  Process context.
 */
int st_tasks_list(bool (*wanted)(struct task_struct *task), struct task_struct ***tasks);

/* Gives the list and the references back. */
void st_tasks_put(struct task_struct **tasks, int n);

/*
 * A process in a message: "process 17 (cat)", numbered as the starter sees it; control characters
 * are escaped.
 */
struct st_process_text {
	char text[100];
};

/* Writes the text for a thread's process.  In an RCU reader. */
void st_process_text(struct st_process_text *text, struct task_struct *task);

#endif
