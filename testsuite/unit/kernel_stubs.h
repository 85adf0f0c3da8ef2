/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of the kernel as runtime/'s data files (data.h) need to be tested as
 * an ordinary program: the kernel's names over the C library and the
 * compiler's atomics.  A thread is a CPU: it sets stub_cpu.
 */
#ifndef STAP_KERNEL_STUBS_H
#define STAP_KERNEL_STUBS_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define U32_MAX UINT32_MAX
#define U64_MAX UINT64_MAX
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __aligned(n) __attribute__((aligned(n)))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define PTR_ALIGN(p, a) ((__typeof__(p))ALIGN((uintptr_t)(p), (uintptr_t)(a)))
#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(a) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(a) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)
#define swap(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define cpu_relax() __asm__ volatile("" ::: "memory")

typedef struct { int counter; } atomic_t;

static inline bool atomic_try_cmpxchg_acquire(atomic_t *v, int *old, int new)
{
	return __atomic_compare_exchange_n(&v->counter, old, new, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

#define scnprintf(buf, room, ...) snprintf(buf, room, __VA_ARGS__)

/* ---- CPUs: of the possible ones the last is not online ---- */

#define STUB_CPUS 5

extern __thread int stub_cpu;

static const unsigned int nr_cpu_ids = STUB_CPUS;

#define raw_smp_processor_id() stub_cpu
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < STUB_CPUS; (cpu)++)
#define for_each_online_cpu(cpu) for ((cpu) = 0; (cpu) < STUB_CPUS - 1; (cpu)++)
#define num_online_cpus() (STUB_CPUS - 1)
#define num_possible_cpus() STUB_CPUS
#define cpu_to_node(cpu) ((void)(cpu), 0)
#define in_nmi() false
#define raw_local_irq_save(flags) ((flags) = 0)
#define raw_local_irq_restore(flags) ((void)(flags))

static inline u64 ktime_get_mono_fast_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

#define __percpu
#define alloc_percpu(type) ((type *)calloc(STUB_CPUS, sizeof(type)))
#define free_percpu(p) free(p)
#define per_cpu_ptr(p, cpu) (&(p)[cpu])
#define this_cpu_add(v, n) __atomic_add_fetch(&(&(v))[stub_cpu], n, __ATOMIC_RELAXED)

/* ---- memory: what is left can be set ---- */

#define GFP_KERNEL 0
#define __GFP_ZERO 0
#define __GFP_NOWARN 0
#define __GFP_NORETRY 0
#define NUMA_NO_NODE (-1)
#define PAGE_SIZE 4096

extern long stub_pages;			/* available */
extern long stub_allocations;		/* alive */
extern long stub_fail_after;		/* allocations that still succeed; <0: all */

static inline long si_mem_available(void)
{
	return stub_pages;
}

void *kvmalloc_node(unsigned long bytes, int flags, int node);
void kvfree(void *p);

#endif
