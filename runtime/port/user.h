/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The port to a process: the kernel's names over the C library and the compiler's atomics (port.h).
 *
 * CPUs.  A process has one CPU (0) unless it says otherwise.  One that runs handlers in several
 * threads at once gives each thread a CPU, and says how many there are before anything is
 * allocated:
 *
 *	st_machine = (struct st_machine){ .possible = 4, .online = 4 };
 *	…
 *	st_this_cpu_id = 2;		in each thread, another number
 *
 * Two threads of the same CPU must not run handlers at the same time, as in the kernel.  Locks
 * and counters are atomic, so data shared by CPUs is safe; the engine (port/user/engine.h) has one context
 * and is for one thread.
 *
 * Interrupts.  There are none, so disabling them does nothing, and a signal handler must not run
 * a script's handlers.
 *
 * Memory.  port/user/memory.c defines kvmalloc_node(), kvfree() and si_mem_available().  Linked
 * from a library, a program that defines all three uses its own.
 */
#ifndef STAP_PORT_USER_H
#define STAP_PORT_USER_H

/*
 * Builtins have parameters that some of them don't use (abi/stap_funcs.h); kbuild doesn't warn of
 * these.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <errno.h>
#include <limits.h>
#include <linux/types.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- numbers, bits, compiler -------------------------------------------- */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define S32_MIN INT32_MIN
#define S32_MAX INT32_MAX
#define U32_MAX UINT32_MAX
#define U64_MAX UINT64_MAX
#define L1_CACHE_BYTES 64
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#undef __always_inline		/* the C library's is the same */
#define __always_inline inline __attribute__((__always_inline__))
#define __aligned(n) __attribute__((__aligned__(n)))
#define __printf(format, first) __attribute__((__format__(printf, format, first)))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define PTR_ALIGN(p, a) ((__typeof__(p))ALIGN((uintptr_t)(p), (uintptr_t)(a)))
#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)
#define swap(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

#define cpu_to_be64(x) __builtin_bswap64(x)

/* The number of the highest bit that is set. */
static inline unsigned int __fls(unsigned long x)
{
	return 8 * sizeof(x) - 1 - __builtin_clzl(x);
}

/* ---- text --------------------------------------------------------------- */

/* Format as the kernel does: return the bytes written, without the NUL. */
static inline int vscnprintf(char *buf, size_t room, const char *fmt, va_list args)
{
	int n = vsnprintf(buf, room, fmt, args);

	return n < 0 || !room ? 0 : min((size_t)n, room - 1);
}

static inline __printf(3, 4) int scnprintf(char *buf, size_t room, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vscnprintf(buf, room, fmt, args);
	va_end(args);
	return n;
}

/* ---- atomics and barriers ------------------------------------------------ */

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define cpu_relax() __asm__ volatile("" ::: "memory")
#define cmpxchg(p, old, new) ({							\
	__typeof__(*(p)) old_ = (old);						\
	__atomic_compare_exchange_n(p, &old_, new, false, __ATOMIC_SEQ_CST,	\
				    __ATOMIC_SEQ_CST);				\
	old_;									\
})

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;

static inline bool atomic_try_cmpxchg_acquire(atomic_t *v, int *old, int new)
{
	return __atomic_compare_exchange_n(&v->counter, old, new, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static inline long atomic_long_read(const atomic_long_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline long atomic_long_inc_return(atomic_long_t *v)
{
	return __atomic_add_fetch(&v->counter, 1, __ATOMIC_SEQ_CST);
}

static inline void atomic_long_inc(atomic_long_t *v)
{
	__atomic_add_fetch(&v->counter, 1, __ATOMIC_RELAXED);
}

/* ---- CPUs ---------------------------------------------------------------- */

/* The machine that the process pretends to be. The process sets it before anything is allocated. */
struct st_machine {
	unsigned int possible, online;	/* CPUs; the online ones come first */
};

extern struct st_machine st_machine;	/* { 1, 1 } */
extern __thread int st_this_cpu_id;	/* the thread's CPU */

#define nr_cpu_ids st_machine.possible
#define num_possible_cpus() st_machine.possible
#define num_online_cpus() st_machine.online
#define for_each_possible_cpu(cpu) \
	for ((cpu) = 0; (unsigned int)(cpu) < st_machine.possible; (cpu)++)
#define for_each_online_cpu(cpu) \
	for ((cpu) = 0; (unsigned int)(cpu) < st_machine.online; (cpu)++)
#define raw_smp_processor_id() st_this_cpu_id
#define cpu_to_node(cpu) ((void)(cpu), NUMA_NO_NODE)
#define in_nmi() false
#define raw_local_irq_save(flags) ((flags) = 0)
#define raw_local_irq_restore(flags) ((void)(flags))

#define __percpu
#define alloc_percpu(type) ((type *)calloc(st_machine.possible, sizeof(type)))
#define free_percpu(p) free(p)
#define per_cpu_ptr(p, cpu) (&(p)[cpu])
#define this_cpu_add(v, n) __atomic_add_fetch(&(&(v))[st_this_cpu_id], n, __ATOMIC_RELAXED)

/* ---- time ---------------------------------------------------------------- */

static inline u64 ktime_get_mono_fast_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Sets *TM to the calendar's time in UTC, SECONDS after 1970, and OFFSET more. */
static inline void time64_to_tm(time_t seconds, int offset, struct tm *tm)
{
	seconds += offset;
	gmtime_r(&seconds, tm);
}

/* ---- memory -------------------------------------------------------------- */

#define GFP_KERNEL 0
#define __GFP_ZERO 0			/* all of it is zeroed */
#define __GFP_NOWARN 0
#define __GFP_NORETRY 0
#define NUMA_NO_NODE (-1)
#define PAGE_SIZE 4096ul

/* Allocates zeroed memory, aligned to a cache line; NULL without memory.  kvfree() frees it; P may
 * be NULL. */
void *kvmalloc_node(unsigned long bytes, int flags, int node);
void kvfree(void *p);

/* Returns how many pages the process may still allocate. */
long si_mem_available(void);

#endif
