// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists tasks: under RCU, again with more room if there are too many.  Names them. */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "life/starter.h"
#include "tasks.h"

static unsigned int tasks_take(bool (*wanted)(struct task_struct *), struct task_struct **tasks,
			       unsigned int room)
{
	struct task_struct *process, *task;
	unsigned int n = 0, i;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (wanted(task) && n++ < room)
			tasks[n - 1] = task;
	}
	for (i = 0; n <= room && i < n; i++)
		get_task_struct(tasks[i]);
	rcu_read_unlock();
	return n;
}

int st_tasks_list(bool (*wanted)(struct task_struct *), struct task_struct ***out)
{
	struct task_struct **tasks = NULL;
	unsigned int room = 64, n;

	do {
		room *= 2;
		kvfree(tasks);
		tasks = kvmalloc_array(room, sizeof(*tasks), GFP_KERNEL);
		if (!tasks)
			return -ENOMEM;
		n = tasks_take(wanted, tasks, room);
	} while (n > room);
	*out = tasks;
	return n;
}

void st_tasks_put(struct task_struct **tasks, int n)
{
	int i;

	for (i = 0; i < n; i++)
		put_task_struct(tasks[i]);
	kvfree(tasks);
}

void st_process_text(struct st_process_text *text, struct task_struct *task)
{
	char comm[TASK_COMM_LEN];

	strscpy(comm, task->group_leader->comm, sizeof(comm));
	snprintf(text->text, sizeof(text->text), "process %d (%*pE)",
		 task_tgid_nr_ns(task, st_starter.pids), (int)strlen(comm), comm);
}
