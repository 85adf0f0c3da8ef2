/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells how much stack is left to a handler. */
#ifndef STAP_STACK_H
#define STAP_STACK_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/thread_info.h>

#include "abi/bounds.h"

/*
 * Bytes of stack that a handler leaves to the runtime's functions and to the kernel's
 * functions that these call.  A handler with less left below its frame is skipped; a script
 * function with less left fails.  ST_FRAME_MAX, the largest frame of generated code, is
 * smaller: whatever a function touches before it checks is still stack.
 */
#ifdef CONFIG_KASAN
#define ST_STACK_RESERVE 4096ul		/* KASAN kernels have stacks twice as large */
#else
#define ST_STACK_RESERVE 2048ul
#endif
static_assert((IS_ENABLED(CONFIG_KASAN) ? ST_FRAME_MAX_KASAN : ST_FRAME_MAX) < ST_STACK_RESERVE);

/* How many bytes are looked for below the stack pointer, on a stack that isn't the task's. */
#define ST_STACK_WANTED (ST_STACK_RESERVE + THREAD_SIZE / 4)

/*
 * Returns the lowest address that sp's stack is known to include; for a stack that isn't the
 * task's.
 */
unsigned long __cold st_other_stack_end(unsigned long sp);

/* Returns the lowest address of the current stack, or an address above it. */
static __always_inline unsigned long st_stack_end(void)
{
	unsigned long sp = current_stack_pointer;
	unsigned long end = (unsigned long)current->stack;

	return likely(sp - end < THREAD_SIZE) ? end : st_other_stack_end(sp);
}

#endif
