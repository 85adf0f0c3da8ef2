// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps CPUs from starting while a function tracer could hit our kprobes there. */
#include <linux/cpuhotplug.h>

#include "abi/stap_script.h"
#include "arch/arch.h"
#include "handler/print.h"
#include "bases.h"
#include "cpu_start.h"

static int starting_state;	/* cpuhp's; <= 0: none */

static int processor_starts(unsigned int cpu)
{
	if (!st_arch_is_traced(st_variable_address(&st_program.load_current_idt)))
		return 0;
	st_tell(ST_FMT_WARN, "CPU %u is not started: a function tracer is on, which could hit a "
			     "kprobe of this session there before the CPU can take it", cpu);
	return -EBUSY;
}

void st_cpu_start_guard(void)
{
	if (starting_state > 0)
		return;
	starting_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "stap:starting",
						   processor_starts, NULL);
	if (starting_state <= 0)
		st_tell(ST_FMT_WARN, "the kernel has no room for another callback (rc %d): don't "
				     "start CPUs beside function tracers", starting_state);
}

void st_cpu_start_release(void)
{
	if (starting_state > 0)
		cpuhp_remove_state_nocalls(starting_state);
	starting_state = 0;
}
