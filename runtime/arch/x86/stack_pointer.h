/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64's part of arch/stack_pointer.h. */
static inline __attribute__((always_inline)) unsigned long st_stack_pointer(void)
{
	unsigned long sp;

	asm volatile("mov %%rsp, %0" : "=r"(sp));
	return sp;
}
