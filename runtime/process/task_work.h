/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Task work: functions that a task runs itself before it returns to user space.
 *
 * There such a function may sleep, and the task's memory and registers are as the program
 * left them.  A task that sleeps in a system call is not woken: it runs the function when it
 * is about to leave the call.
 *
 * The kernel keeps task work until it has run.  The session must end before that, so it
 * takes back what tasks have not begun.
 */
#ifndef STAP_TASK_WORK_H
#define STAP_TASK_WORK_H

#include <linux/types.h>

struct task_struct;

/* Makes task work possible: 0, or -ENOMEM with st_message set.  Counted; process context. */
int st_task_works_begin(void);

/* Takes back the work of the last user that ends, and returns when none runs any more.  Nobody
 * adds work meanwhile. */
void st_task_works_end(void);

/*
 * Has TASK call FN; if the task is exiting it never does.  Nor if there is no room, which is
 * counted as a missed hit.  Any context but NMI.  fill() makes room for a thousand tasks, in
 * process context: 0, or -ENOMEM with st_message set.
 */
void st_task_work_add(struct task_struct *task, void (*fn)(void));
int st_task_works_fill(void);

#endif
