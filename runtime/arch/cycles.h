/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * st_arch_cycles(): the CPU's cycle counter, read in a process; 0 where the architecture has no file of
 * its own.
 */
#ifndef STAP_ARCH_CYCLES_H
#define STAP_ARCH_CYCLES_H

#ifdef __x86_64__
#include "x86/cycles.h"
#else
static inline unsigned long st_arch_cycles(void)
{
	return 0;
}
#endif

#endif
