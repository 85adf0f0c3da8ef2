/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processors that come online beside function tracers.
 *
 * A processor that starts runs a little of the kernel before it has a table of exceptions, and a
 * breakpoint resets the machine then.  unsafe.c refuses kprobes in that code.  But where a function
 * of it can be traced (in 6.1 load_current_idt()) another's function tracer runs, and that may come
 * upon any kprobe of ours:
 *
 *	load_current_idt → function_trace_call → ring_buffer_lock_reserve: a kprobe → reset
 *
 * ftrace keeps function tracers from tracing themselves by bits of the task that runs.  A processor
 * starts in its idle task: so these bits are set from before the start until the processor is online,
 * and functions that the idle task calls meanwhile are not traced.
 *
 * The kernel doesn't export its list of idle tasks: the script has the address.  If that is not
 * known, or ftrace's bits are others, or the kernel has no room for another callback, nothing is done.
 */
#ifndef STAP_CPU_START_H
#define STAP_CPU_START_H

/* Before kprobes are registered, any number of times, and after the last is gone.  Both may sleep. */
void st_cpu_start_guard(void);
void st_cpu_start_release(void);

#endif
