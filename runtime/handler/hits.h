/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often each probe's handler ran, for .places (abi/transport.h).  Each CPU counts for itself,
 * by one instruction, which nothing can interrupt half way.
 */
#ifndef STAP_HITS_H
#define STAP_HITS_H

#include <linux/percpu.h>

#include <asm/local.h>

#include "abi/stap_script.h"

DECLARE_PER_CPU(local_t *, st_hits);		/* [index of the probe] */

/* Preemption is disabled; any context, NMI included. */
static __always_inline void st_hits_add(const struct st_probe *probe)
{
	local_inc(&__this_cpu_read(st_hits)[probe->index]);
}

/*
 * Allocates the counters, before the first handler: 0, or -ENOMEM with st_message set and nothing
 * allocated.
 */
int st_hits_alloc(void);
void st_hits_free(void);

/* Returns a probe's hits so far, on all CPUs; between alloc() and free(). */
unsigned long st_hits_of(const struct st_probe *probe);

#endif
