/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The port: what the runtime's portable files need of where they run.
 *
 * Portable are data/, text/, the half of core/ that knows no kernel (errors, budgets, printing,
 * the session's state), and the functions of tapset/ that only compute.  They are written in the
 * kernel's terms: u64, min(), READ_ONCE(), for_each_possible_cpu(), kvfree().  port/kernel.h brings
 * the kernel's own; port/user.h gives the same names their meaning in a process.  kbuild's
 * __KERNEL__ says which.
 *
 * What the kernel has no name for is here: the memory of data, and, in core/supply.h, what
 * handlers need of the engine that runs them.  Portable files include no header of the kernel or of the
 * C library; the build of libstrun.a (port/user/engine.h) sees to that.
 */
#ifndef STAP_PORT_H
#define STAP_PORT_H

#include "abi/stap_script.h"

#ifdef __KERNEL__
#include "kernel.h"
#else
#include "user.h"
#endif

/* Returns the most bytes that one allocation may take: three quarters of available memory. */
static inline u64 st_data_room(void)
{
	return (u64)si_mem_available() * PAGE_SIZE / 4 * 3;
}

/* Allocates zeroed memory on a node; NULL if the machine is short of it.  May sleep.  kvfree()
 * frees it. */
static inline void *st_data_alloc(unsigned long bytes, int node)
{
	return kvmalloc_node(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY, node);
}

#endif
