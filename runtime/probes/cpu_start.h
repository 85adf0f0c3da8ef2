/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks the start of CPUs beside function tracers.
 *
 * A CPU that starts runs a little of the kernel before it has its IDT, and a breakpoint resets the
 * machine then. unsafe.c refuses kprobes in that code.  But one of these functions,
 * load_current_idt(), can be traced.  Its tracer runs any code there, and may hit any kprobe of
 * ours:
 *
 *	load_current_idt → a tracer → irq_work_queue, to wake its reader: a kprobe → reset
 *
 * Kprobes can't be removed in time, because the kernel holds the hotplug lock while it starts a
 * CPU, and takes it to disarm a kprobe.  So while a session has kprobes and that function is
 * traced, no CPU starts: bringing one online fails with EBUSY, and the session says why.
 */
#ifndef STAP_CPU_START_H
#define STAP_CPU_START_H

/*
 * Call the first before kprobes are registered, any number of times, and the second when the last
 * is gone.  Both may sleep.
 */
void st_cpu_start_guard(void);
void st_cpu_start_release(void);

#endif
