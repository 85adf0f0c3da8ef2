/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_ARCH_X86_CYCLES_H
#define STAP_ARCH_X86_CYCLES_H

static inline unsigned long st_arch_cycles(void)
{
	return __builtin_ia32_rdtsc();
}

#endif
