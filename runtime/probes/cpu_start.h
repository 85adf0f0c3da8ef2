/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that start beside function tracers.
 *
 * A CPU that starts runs a little of the kernel before it has a table of exceptions, and a
 * breakpoint resets the machine then.  unsafe.c refuses kprobes in that code.  But one of these
 * functions, load_current_idt(), can be traced.  Its tracer runs what it likes there, and may hit any
 * kprobe of ours:
 *
 *	load_current_idt → a tracer → irq_work_queue, to wake its reader: a kprobe → reset
 *
 * Nothing makes kprobes go away in time: the kernel holds the lock of hotplug while it starts a
 * CPU, and takes it to disarm a kprobe.  So while a session has kprobes and somebody traces
 * that function, no CPU starts: bringing one online fails with EBUSY, and the session says why.
 */
#ifndef STAP_CPU_START_H
#define STAP_CPU_START_H

/* Before kprobes are registered, any number of times, and after the last is gone.  Both may sleep. */
void st_cpu_start_guard(void);
void st_cpu_start_release(void);

#endif
