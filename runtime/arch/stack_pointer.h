/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * st_stack_pointer(): the stack pointer, below the whole frame of the function that calls it.
 *
 * Generated code compares it with the end of the stack before a handler does anything.  An
 * architecture without a file of its own uses the frame's address, which is above the frame.
 */
#ifndef STAP_ARCH_STACK_POINTER_H
#define STAP_ARCH_STACK_POINTER_H

#ifdef __x86_64__
#include "x86/stack_pointer.h"
#else
static inline __attribute__((always_inline)) unsigned long st_stack_pointer(void)
{
	return (unsigned long)__builtin_frame_address(0);
}
#endif

#endif
