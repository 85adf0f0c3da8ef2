// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builtins that the kernel answers for the process that was hit, as a process answers them: of
 * itself.
 */
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "port/port.h"

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
