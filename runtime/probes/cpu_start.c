// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps function tracers off processors that start. */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "abi/stap_script.h"
#include "core/bases.h"
#include "core/compat.h"
#include "cpu_start.h"

#ifdef HAVE_TRACE_RECURSION
#include <linux/trace_recursion.h>

/*
 * A task is in a tracer already: outside of interrupts, which have other bits.  A tracer tries the
 * second bit where it finds the first set, as an interrupt may have come before it counted.
 */
#define ST_TASK (1ul << TRACE_CTX_NORMAL | 1ul << TRACE_CTX_TRANSITION)
#define ST_TRACED (ST_TASK << TRACE_FTRACE_START | ST_TASK << TRACE_LIST_START)

static struct task_struct * __percpu *idle_tasks;
static int starting_state, online_state;	/* cpuhp's; <= 0: none */

/* Before a processor starts: its idle task doesn't run. */
static int processor_starts(unsigned int cpu)
{
	struct task_struct *idle = *per_cpu_ptr(idle_tasks, cpu);

	if (!IS_ERR_OR_NULL(idle))
		WRITE_ONCE(idle->trace_recursion, idle->trace_recursion | ST_TRACED);
	return 0;
}

/* The processor is online, and not in its idle task; or is offline, perhaps as it didn't start. */
static int processor_started(unsigned int cpu)
{
	struct task_struct *idle = *per_cpu_ptr(idle_tasks, cpu);

	if (!IS_ERR_OR_NULL(idle))
		WRITE_ONCE(idle->trace_recursion, idle->trace_recursion & ~ST_TRACED);
	return 0;
}

/* Is it a list of tasks without number? */
static bool is_list_of_idle_tasks(struct task_struct * __percpu *tasks)
{
	struct task_struct *task;
	pid_t pid;
	int cpu;

	for_each_online_cpu(cpu)
		if (copy_from_kernel_nofault(&task, per_cpu_ptr(tasks, cpu), sizeof(task)) ||
		    copy_from_kernel_nofault(&pid, &task->pid, sizeof(pid)) || pid)
			return false;
	return true;
}

void st_cpu_start_guard(void)
{
	if (idle_tasks)
		return;
	idle_tasks = (void __percpu *)st_variable_address(&st_program.idle_threads);
	if (!idle_tasks || !is_list_of_idle_tasks(idle_tasks))
		return;
	online_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "stap:online",
						 processor_started, NULL);
	if (online_state > 0)
		starting_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "stap:starting",
							   processor_starts, processor_started);
}

void st_cpu_start_release(void)
{
	if (starting_state > 0)
		cpuhp_remove_state_nocalls(starting_state);
	if (online_state > 0)
		cpuhp_remove_state_nocalls(online_state);
	starting_state = online_state = 0;
	idle_tasks = NULL;
}

#else

void st_cpu_start_guard(void)
{
}

void st_cpu_start_release(void)
{
}
#endif
