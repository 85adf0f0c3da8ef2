// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions that name the kernel's own constants, with the values from its headers. */
#ifdef __KERNEL__
#include <linux/gfp.h>
#include <linux/interrupt.h>
#include <linux/sched.h>
#endif

#include "names.h"

/*
 * A process has no kernel headers, but a script whose BPF programs name these constants: they have had the same
 * numbers since Linux 5.10, which testsuite/bpf/names.stp compares with the headers'.
 */
#ifdef __KERNEL__
#define FLAG_OF(name) { (long)(name), #name }
#define N(name, number) { (long)(name), #name }
#define N_OF(constant, name, number) { (long)(constant), name }
#else
#define N(name, number) { number, #name }
#define N_OF(constant, name, number) { number, name }
#endif

/* What an older kernel does not define, it has no use for. */
#ifndef IRQF_NO_AUTOEN
#define IRQF_NO_AUTOEN 0x80000
#endif
#ifndef IRQF_NO_DEBUG
#define IRQF_NO_DEBUG 0x100000
#endif

static const struct st_name irq_flags[] = {
	N(IRQF_TRIGGER_RISING, 0x1), N(IRQF_TRIGGER_FALLING, 0x2), N(IRQF_TRIGGER_HIGH, 0x4),
	N(IRQF_TRIGGER_LOW, 0x8), N(IRQF_SHARED, 0x80), N(IRQF_PROBE_SHARED, 0x100),
	N_OF(__IRQF_TIMER, "IRQF_TIMER", 0x200), N(IRQF_PERCPU, 0x400), N(IRQF_NOBALANCING, 0x800),
	N(IRQF_IRQPOLL, 0x1000), N(IRQF_ONESHOT, 0x2000), N(IRQF_NO_SUSPEND, 0x4000),
	N(IRQF_FORCE_RESUME, 0x8000), N(IRQF_NO_THREAD, 0x10000), N(IRQF_EARLY_RESUME, 0x20000),
	N(IRQF_COND_SUSPEND, 0x40000), N(IRQF_NO_AUTOEN, 0x80000), N(IRQF_NO_DEBUG, 0x100000),
};

static const struct st_name task_state_flags[] = {
	N(TASK_INTERRUPTIBLE, 0x1), N(TASK_UNINTERRUPTIBLE, 0x2), N_OF(__TASK_STOPPED, "TASK_STOPPED", 0x4),
	N_OF(__TASK_TRACED, "TASK_TRACED", 0x8), N(TASK_WAKEKILL, 0x100),
};

#ifdef __KERNEL__
/* The usual combinations of flags come before single flags. */
static const struct st_name gfp_flags[] = {
	FLAG_OF(GFP_TRANSHUGE), FLAG_OF(GFP_TRANSHUGE_LIGHT), FLAG_OF(GFP_HIGHUSER_MOVABLE), FLAG_OF(GFP_HIGHUSER),
	FLAG_OF(GFP_USER), FLAG_OF(GFP_KERNEL_ACCOUNT), FLAG_OF(GFP_KERNEL), FLAG_OF(GFP_NOFS), FLAG_OF(GFP_ATOMIC),
	FLAG_OF(GFP_NOIO), FLAG_OF(GFP_NOWAIT), FLAG_OF(__GFP_DMA), FLAG_OF(__GFP_HIGHMEM), FLAG_OF(__GFP_DMA32),
	FLAG_OF(__GFP_MOVABLE), FLAG_OF(__GFP_RECLAIMABLE), FLAG_OF(__GFP_HIGH), FLAG_OF(__GFP_IO), FLAG_OF(__GFP_FS),
	FLAG_OF(__GFP_ZERO), FLAG_OF(__GFP_DIRECT_RECLAIM), FLAG_OF(__GFP_KSWAPD_RECLAIM), FLAG_OF(__GFP_WRITE),
	FLAG_OF(__GFP_NOWARN), FLAG_OF(__GFP_RETRY_MAYFAIL), FLAG_OF(__GFP_NOFAIL), FLAG_OF(__GFP_NORETRY),
	FLAG_OF(__GFP_MEMALLOC), FLAG_OF(__GFP_COMP), FLAG_OF(__GFP_NOMEMALLOC), FLAG_OF(__GFP_HARDWALL),
	FLAG_OF(__GFP_THISNODE), FLAG_OF(__GFP_ACCOUNT),
};
#endif

const struct st_table_of_names st_kernel_tables[ST_NAMES_KERNEL] = {
#ifdef __KERNEL__
	ST_TABLE(ST_FLAGS_GFP, gfp_flags),
#endif
	ST_TABLE(ST_FLAGS_TASK_STATE, task_state_flags),
	ST_TABLE(ST_FLAGS_IRQ, irq_flags),
};

#ifdef __KERNEL__
st_long st_fn_gfp_kernel(struct st_ctx *c)
{
	return GFP_KERNEL;
}
#endif
