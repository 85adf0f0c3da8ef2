// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions that name the kernel's own constants, with the values from its headers. */
#include <linux/gfp.h>
#include <linux/interrupt.h>
#include <linux/sched.h>

#include "names.h"

#define N(name) { (long)(name), #name }

static const struct st_name irq_flags[] = {
	N(IRQF_TRIGGER_RISING), N(IRQF_TRIGGER_FALLING), N(IRQF_TRIGGER_HIGH), N(IRQF_TRIGGER_LOW),
	N(IRQF_SHARED), N(IRQF_PROBE_SHARED), { __IRQF_TIMER, "IRQF_TIMER" }, N(IRQF_PERCPU),
	N(IRQF_NOBALANCING), N(IRQF_IRQPOLL), N(IRQF_ONESHOT), N(IRQF_NO_SUSPEND), N(IRQF_FORCE_RESUME),
	N(IRQF_NO_THREAD), N(IRQF_EARLY_RESUME), N(IRQF_COND_SUSPEND),
#ifdef IRQF_NO_AUTOEN
	N(IRQF_NO_AUTOEN),
#endif
#ifdef IRQF_NO_DEBUG
	N(IRQF_NO_DEBUG),
#endif
};

/* The usual combinations of flags come before single flags. */
static const struct st_name gfp_flags[] = {
	N(GFP_TRANSHUGE), N(GFP_TRANSHUGE_LIGHT), N(GFP_HIGHUSER_MOVABLE), N(GFP_HIGHUSER),
	N(GFP_USER), N(GFP_KERNEL_ACCOUNT), N(GFP_KERNEL), N(GFP_NOFS), N(GFP_ATOMIC),
	N(GFP_NOIO), N(GFP_NOWAIT), N(__GFP_DMA), N(__GFP_HIGHMEM), N(__GFP_DMA32),
	N(__GFP_MOVABLE), N(__GFP_RECLAIMABLE), N(__GFP_HIGH), N(__GFP_IO), N(__GFP_FS),
	N(__GFP_ZERO), N(__GFP_DIRECT_RECLAIM), N(__GFP_KSWAPD_RECLAIM), N(__GFP_WRITE),
	N(__GFP_NOWARN), N(__GFP_RETRY_MAYFAIL), N(__GFP_NOFAIL), N(__GFP_NORETRY),
	N(__GFP_MEMALLOC), N(__GFP_COMP), N(__GFP_NOMEMALLOC), N(__GFP_HARDWALL),
	N(__GFP_THISNODE), N(__GFP_ACCOUNT),
};

static const struct st_name task_state_flags[] = {
	N(TASK_INTERRUPTIBLE), N(TASK_UNINTERRUPTIBLE), { __TASK_STOPPED, "TASK_STOPPED" },
	{ __TASK_TRACED, "TASK_TRACED" }, N(TASK_WAKEKILL),
};

const struct st_table_of_names st_kernel_tables[] = {
	ST_TABLE(ST_FLAGS_GFP, gfp_flags),
	ST_TABLE(ST_FLAGS_TASK_STATE, task_state_flags),
	ST_TABLE(ST_FLAGS_IRQ, irq_flags),
};

st_long st_fn_gfp_kernel(struct st_ctx *c)
{
	return st_fn_constant_value(c, ST_FLAGS_GFP, ST_LIT("GFP_KERNEL"));
}
