// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps processors from starting where a function tracer would come upon our kprobes. */
#include <linux/cpuhotplug.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "abi/stap_script.h"
#include "core/bases.h"
#include "core/print.h"
#include "cpu_start.h"

static int starting_state;	/* cpuhp's; <= 0: none */

/* Does the function begin with ftrace's call, or the breakpoint while that is written? */
static bool tracer_is_on(unsigned long function)
{
	static const u8 landing_pad[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u8 code[sizeof(landing_pad) + 1], first;

	if (!function || copy_from_kernel_nofault(code, (void *)function, sizeof(code)))
		return false;
	first = code[memcmp(code, landing_pad, sizeof(landing_pad)) ? 0 : sizeof(landing_pad)];
	return first == 0xe8 || first == 0xcc;
}

static int processor_starts(unsigned int cpu)
{
	if (!tracer_is_on(st_variable_address(&st_program.load_current_idt)))
		return 0;
	st_tell(ST_FMT_WARN, "processor %u is not started: a function tracer is on, which could hit a "
		"kprobe of this session there before the processor can take it", cpu);
	return -EBUSY;
}

void st_cpu_start_guard(void)
{
	if (starting_state > 0)
		return;
	starting_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "stap:starting",
						   processor_starts, NULL);
	if (starting_state <= 0)
		st_tell(ST_FMT_WARN, "the kernel has no room for another callback (rc %d): don't start "
			"processors beside function tracers", starting_state);
}

void st_cpu_start_release(void)
{
	if (starting_state > 0)
		cpuhp_remove_state_nocalls(starting_state);
	starting_state = 0;
}
