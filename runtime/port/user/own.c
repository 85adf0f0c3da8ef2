// SPDX-License-Identifier: GPL-2.0-or-later
/* Builtins about the process that was hit. A process answers them about itself. */
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "abi/bounds.h"
#include "abi/transport.h"
#include "arch/cycles.h"
#include "core/walk.h"
#include "names/names.h"
#include "port/port.h"
#include "tapset/stack_text.h"
#include "engine.h"

static st_long clock_ns(clockid_t which)
{
	struct timespec now;

	clock_gettime(which, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

st_long st_fn_realtime_ns(struct st_ctx *c)
{
	return clock_ns(CLOCK_REALTIME);
}

st_long st_fn_monotonic_ns(struct st_ctx *c)
{
	return clock_ns(CLOCK_MONOTONIC);
}

st_long st_fn_local_clock_ns(struct st_ctx *c)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Returns the clock, which is the same for all CPUs here. */
st_long st_fn_cpu_clock_ns(struct st_ctx *c, st_long cpu)
{
	if (cpu < 0 || cpu >= sysconf(_SC_NPROCESSORS_CONF)) {
		st_error(c, "no such cpu: %lld", cpu);
		return 0;
	}
	return clock_ns(CLOCK_MONOTONIC);
}

st_long st_fn_cycles(struct st_ctx *c)
{
	return st_arch_cycles();
}

static struct tm local_time(void)
{
	time_t now = time(NULL);
	struct tm tm = { 0 };

	localtime_r(&now, &tm);
	return tm;
}

st_long st_fn_zone_west(struct st_ctx *c)
{
	return -local_time().tm_gmtoff;
}

/* Returns the time zone's name, which the C library keeps. */
struct st_str st_fn_zone_name(struct st_ctx *c)
{
	const char *name = local_time().tm_zone;

	return name && *name ? (struct st_str){ name, strlen(name) } : ST_LIT("UTC");
}

st_long st_fn_page_size(struct st_ctx *c)
{
	return sysconf(_SC_PAGESIZE);
}

static atomic_long_t own_speculations;

atomic_long_t *st_engine_speculations = &own_speculations;

atomic_long_t *st_speculations(void)
{
	return st_engine_speculations;
}

/* The kernel's coarse clocks advance by its tick. */
st_long st_fn_hz(struct st_ctx *c)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || tick.tv_sec || !tick.tv_nsec)
		return sysconf(_SC_CLK_TCK);
	return (1000000000 + tick.tv_nsec / 2) / tick.tv_nsec;
}

const char *st_engine_name = "";

struct st_str st_fn_module_name(struct st_ctx *c)
{
	return (struct st_str){ st_engine_name, strlen(st_engine_name) };
}

/* Nothing is probed, so handlers here have no registers. */
st_long st_fn_registers_valid(struct st_ctx *c)
{
	return 0;
}

st_long st_fn_register(struct st_ctx *c, int is_signed, struct st_str name)
{
	st_error(c, "cannot access CPU registers in this context");
	return 0;
}

char *(*st_engine_symbol)(unsigned long addr);

char *st_kernels_symbol(struct st_ctx *c, unsigned long addr)
{
	return st_engine_symbol(addr);
}

int (*st_engine_read)(unsigned long addr, void *to, unsigned int n);
unsigned long (*st_engine_task)(void);

st_long st_fn_task_current(struct st_ctx *c)
{
	return st_engine_task();
}

void (*st_engine_code)(unsigned long addr, struct st_uframe *frame);

/* Prints the addresses in a string, of whichever process's code; the reader names them. */
void st_fn_print_ustack(struct st_ctx *c, struct st_str addresses)
{
	struct {
		struct st_ustack head;
		struct st_uframe frames[ST_USER_DEPTH];
	} stack = { .head.style = ST_STACK_FULL };
	unsigned long addr;
	unsigned int n = 0, bytes;
	char *p;

	while (n < ST_USER_DEPTH && st_next_address(c, &addresses, &addr)) {
		struct st_uframe *f = &stack.frames[n];

		*f = (struct st_uframe){ .address = addr, .called = n > 0 };
		st_engine_code(addr - f->called, f);
		n++;
	}
	bytes = sizeof(stack.head) + n * sizeof(*stack.frames);
	p = n && !c->error ? st_emit(c, ST_FMT_USTACK, 4 + bytes) : NULL;
	if (!p)
		return;
	memcpy(p, &bytes, 4);
	memcpy(p + 4, &stack, bytes);
}

st_long st_fn_pid(struct st_ctx *c)
{
	return getpid();
}

st_long st_fn_tid(struct st_ctx *c)
{
	return gettid();
}

st_long st_fn_ppid(struct st_ctx *c)
{
	return getppid();
}

st_long st_fn_pgrp(struct st_ctx *c)
{
	return getpgrp();
}

st_long st_fn_sid(struct st_ctx *c)
{
	return getsid(0);
}

st_long st_fn_uid(struct st_ctx *c)
{
	return getuid();
}

st_long st_fn_gid(struct st_ctx *c)
{
	return getgid();
}

st_long st_fn_euid(struct st_ctx *c)
{
	return geteuid();
}

st_long st_fn_egid(struct st_ctx *c)
{
	return getegid();
}

st_long st_fn_starter_pid(struct st_ctx *c)
{
	return getpid();
}

st_long st_target_process;

st_long st_fn_target(struct st_ctx *c)
{
	return st_target_process;
}

st_long st_fn_cpu(struct st_ctx *c)
{
	return sched_getcpu();
}

struct st_str st_fn_execname(struct st_ctx *c)
{
	char *p = st_scratch(c, 15);	/* the kernel's names have no more */

	if (!p || prctl(PR_GET_NAME, p))
		return ST_LIT("");
	return (struct st_str){ p, strlen(p) };
}

st_long st_fn_random(struct st_ctx *c, st_long n)
{
	u64 x = (u64)random() << 31 | (u64)random();

	return n > 1 ? x % (u64)n : 0;
}

/* ---- system calls: this process is no 32-bit program ---------------------------- */

struct st_str st_fn_syscall_name(struct st_ctx *c, st_long number)
{
	return st_call_name(c, number, false);
}

st_long st_fn_syscall_number_of(struct st_ctx *c, struct st_str name)
{
	return st_walk(c, st_calls[0].n / 8) ? -1 : st_numbered_find(&st_calls[0], name);
}
