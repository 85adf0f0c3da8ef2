/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The builtins: functions of the script language that the runtime provides.
 *
 * builtins.def lists them, one row each:
 *
 *	BUILTIN(pid, st_long, (), st_fn_pid, 0, MODULE, FN_PURE | FN_STABLE | FN_UNPRIVILEGED)
 *
 * The translator (translator/lang/builtins.h) makes of a row a function that scripts can call,
 * this header its prototype:
 *
 *	st_long st_fn_pid(struct st_ctx *c);
 *
 * So a row that doesn't fit its function, which includes this header, does not compile.  The call
 * pid() in a script is st_fn_pid(c) in the generated C, without a function in between.
 *
 * How to write such a function:
 *
 * - The first argument is the handler's context; then comes the row's constant, if it has one, an
 *   int; then the script's arguments.  Several rows can share a function:
 *
 *	BUILTIN_OF(mdelay, void, (st_long), st_fn_delay, 1000, …)
 *	BUILTIN_OF(udelay, void, (st_long), st_fn_delay, 1, …)
 *
 *   have mdelay(5) call st_fn_delay(c, 1000, 5).
 * - Numbers are st_long.  Strings are slices, struct st_str, passed and returned by value.  An
 *   argument's bytes belong to the caller: they may lie in a map or a literal, are never written
 *   to, and have a NUL behind them.
 * - A result's bytes are in scratch (st_scratch()), or live as long as the handler: a literal, a
 *   name of the kernel's that can't go away.  A function takes scratch for three strings at most,
 *   and leaves c->sp behind its result: the caller winds it back.
 * - A function that fails sets c->error (st_error()) and returns 0 or "".  The generated code
 *   looks at c->error after each call, unless the row says FN_PURE without FN_WALKS.  A function
 *   may be called with c->error set only by another function of the runtime.
 * - The time it takes has a bound.  If it grows with a string, a stack or a table, the function
 *   reports it with st_walk() (core/walk.h), which fails when the handler's time is over.
 *
 * Only stap_script.h includes this header; like that it includes no kernel header.  The
 * functions are implemented in runtime/tapset/, names/, text/ and life/starter.c.  What they do for a
 * script is said above their declarations in tapsets/.  An unnamed unit is bytes.
 */
#ifndef STAP_FUNCS_H
#define STAP_FUNCS_H

/* ---- constants of rows ------------------------------------------------------------ */

/* The size of a part of a task's memory, in pages. */
enum st_mem { ST_MEM_SIZE, ST_MEM_RSS, ST_MEM_SHARED, ST_MEM_TEXT, ST_MEM_DATA };

/* A task's ID in the starter's PID namespace, 0 if it is not visible there. */
enum st_task_id { ST_ID_THREAD, ST_ID_PROCESS, ST_ID_GROUP, ST_ID_SESSION };

/* What a cgroup was made for (text/cgroup_name.h). */
enum st_cgroup_kind { ST_CGROUP_OTHER, ST_CGROUP_CONTAINER, ST_CGROUP_POD };

/* The address space of an address; for wide characters, their encoding is added. */
enum st_space { ST_KERNEL, ST_USER };
enum st_encoding { ST_UTF16 = 2, ST_UTF32 = 4 };

/* Kinds of numbers in memory: the type of C in the function's name. */
enum st_number {
	ST_NUM_CHAR, ST_NUM_SHORT, ST_NUM_USHORT, ST_NUM_INT, ST_NUM_UINT, ST_NUM_LONG,
	ST_NUM_ULONG, ST_NUM_POINTER, ST_NUM_INT8, ST_NUM_UINT8, ST_NUM_INT16, ST_NUM_UINT16,
	ST_NUM_INT32, ST_NUM_UINT32, ST_NUM_INT64, ST_NUM_UINT64,
};

/* Tables of names (names/). */
enum st_names {
	ST_FLAGS_GFP, ST_FLAGS_TASK_STATE, ST_FLAGS_IRQ,

	/* The tables above use the kernel's headers, those below the numbers in call_numbers.c, */
	ST_NAMES_KERNEL,
	ST_FLAGS_OPEN, ST_FLAGS_ACCESS, ST_FLAGS_AT, ST_FLAGS_PROT, ST_FLAGS_MMAP, ST_FLAGS_CLONE,
	ST_FLAGS_SOCK, ST_FLAGS_MSG, ST_FLAGS_MOUNT, ST_FLAGS_UMOUNT, ST_FLAGS_INOTIFY, ST_FLAGS_WAIT,
	ST_FLAGS_MREMAP, ST_FLAGS_MSYNC, ST_FLAGS_MLOCKALL, ST_FLAGS_FALLOCATE, ST_FLAGS_SPLICE,
	ST_FLAGS_FLOCK, ST_FLAGS_IPC, ST_FLAGS_RANDOM, ST_FLAGS_MEMFD, ST_FLAGS_RENAME,
	ST_FLAGS_SYNC_RANGE, ST_FLAGS_XATTR, ST_FLAGS_SIGACTION, ST_NAMES_WHENCE, ST_NAMES_SIGMASK,
	ST_NAMES_CLOCK, ST_NAMES_ITIMER, ST_NAMES_RLIMIT, ST_NAMES_RUSAGE, ST_NAMES_SCHED,
	ST_NAMES_FAMILY, ST_NAMES_SOCKTYPE, ST_NAMES_SHUTDOWN, ST_NAMES_LEVEL, ST_NAMES_SOCKOPT,
	ST_NAMES_FCNTL, ST_NAMES_FUTEX, ST_NAMES_EPOLL, ST_NAMES_MADVISE, ST_NAMES_FADVISE,
	ST_NAMES_PRIORITY, ST_NAMES_IPC_CMD, ST_NAMES_PTRACE, ST_NAMES_PRCTL, ST_NAMES_ARCH_PRCTL,
	ST_NAMES_SECCOMP, ST_NAMES_BPF, ST_NAMES_WAITID, ST_NAMES_MEMBARRIER, ST_NAMES_REBOOT,
	ST_NAMES_SIGCODE,

	/* and those below in numbers.c. */
	ST_NAMES_CALLS,
	ST_NAMES_SIGNAL, ST_FLAGS_POLL, ST_FLAGS_EPOLL, ST_FLAGS_STATX, ST_FLAGS_FANOTIFY_INIT,
	ST_FLAGS_FANOTIFY_MARK, ST_FLAGS_FANOTIFY_EVENT, ST_FLAGS_MODULE_INIT,
	ST_FLAGS_KEXEC, ST_FLAGS_KEXEC_FILE, ST_FLAGS_MLOCK, ST_NAMES_MPOL,
	ST_FLAGS_MPOL, ST_FLAGS_MPOL_GET, ST_FLAGS_MPOL_MOVE, ST_FLAGS_PERF,
	ST_FLAGS_PKEY, ST_FLAGS_RWF, ST_NAMES_QUOTA, ST_NAMES_QUOTA_TYPE,
	ST_FLAGS_SECCOMP, ST_FLAGS_SHMAT, ST_FLAGS_SWAP, ST_FLAGS_TIMER,
	ST_FLAGS_TIMERFD, ST_FLAGS_EVENTFD, ST_FLAGS_SIGNALFD, ST_FLAGS_EPOLL_CREATE,
	ST_FLAGS_INOTIFY_INIT, ST_FLAGS_CLOSE_RANGE, ST_FLAGS_URING_ENTER,
	ST_FLAGS_MOUNT_ATTR, ST_FLAGS_NAMESPACE, ST_NAMES_FILE_TYPE, ST_NAMES_PROTOCOL,
	ST_NAMES_TCP_OPTION, ST_NAMES_IP_OPTION, ST_NAMES_IPV6_OPTION,
	ST_NAMES_REBOOT_MAGIC, ST_NAMES_KCMP, ST_NAMES_IOPRIO_WHO,
	ST_NAMES_IOPRIO_CLASS, ST_NAMES_KEYCTL, ST_NAMES_KEY, ST_NAMES_SYSLOG,
	ST_NAMES_SOCKETCALL, ST_NAMES_IPC, ST_NAMES_SEM_CMD, ST_NAMES_IOCTL,
	ST_NAMES_SOCKET_FAMILY, ST_NAMES_SOCKET_TYPE, ST_NAMES_SOCKET_STATE, ST_FLAGS_SOCKET,
	ST_NAMES_SOCKET_PROTOCOL, ST_NAMES_TCP_STATE,
	ST_NAMES_DMA_DIRECTION, ST_NAMES_SCSI_STATE,
	ST_NAMES_NFS_STATUS, ST_NAMES_NFS4_TYPE,
};

/* ---- functions that are worth inlining --------------------------------------------- */

static inline st_long st_fn_strlen(struct st_ctx *c, struct st_str s)
{
	(void)c;
	return s.len;
}

st_long st_fn_strpos(struct st_ctx *c, struct st_str s, struct st_str part);

static inline st_long st_fn_isinstr(struct st_ctx *c, struct st_str s, struct st_str part)
{
	return st_fn_strpos(c, s, part) >= 0;
}

static inline st_long st_fn_maxstringlen(struct st_ctx *c)
{
	(void)c;
	return st_program.maxstringlen;
}

static inline st_long st_fn_arch_bytes(struct st_ctx *c)
{
	(void)c;
	return sizeof(long);
}

/* Clocks; the constant is how many nanoseconds the unit has. */
st_long st_fn_realtime_ns(struct st_ctx *c);
st_long st_fn_local_clock_ns(struct st_ctx *c);
st_long st_fn_cpu_clock_ns(struct st_ctx *c, st_long cpu);

static inline st_long st_fn_realtime(struct st_ctx *c, int unit)
{
	return st_fn_realtime_ns(c) / unit;
}

static inline st_long st_fn_local_clock(struct st_ctx *c, int unit)
{
	return st_fn_local_clock_ns(c) / unit;
}

static inline st_long st_fn_cpu_clock(struct st_ctx *c, int unit, st_long cpu)
{
	return st_fn_cpu_clock_ns(c, cpu) / unit;
}

static inline st_long st_low_bits(st_long x, int bits)
{
	return (st_long)((unsigned long)x << (64 - bits) >> (64 - bits));
}

static inline st_long st_swapped(st_long x, int bits)
{
	return (st_long)(__builtin_bswap64(x) >> (64 - bits));
}

/* Convert the low bits (16, 32 or 64) of x between the CPU's byte order and the
 * network's (big-endian), or little-endian. */
static inline st_long st_fn_swap_network(struct st_ctx *c, int bits, st_long x)
{
	(void)c;
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? st_swapped(x, bits) : st_low_bits(x, bits);
}

static inline st_long st_fn_swap_little(struct st_ctx *c, int bits, st_long x)
{
	(void)c;
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? st_low_bits(x, bits) : st_swapped(x, bits);
}

/* Functions that do nothing any more. */
static inline void st_fn_nothing(struct st_ctx *c)
{
	(void)c;
}

static inline void st_fn_ignore(struct st_ctx *c, st_long n)
{
	(void)c;
	(void)n;
}

/* ---- all of them --------------------------------------------------------------------- */

#define ST_ARGUMENTS(...) , ##__VA_ARGS__
#define BUILTIN(name, result, arguments, symbol, ...) \
	result symbol(struct st_ctx *c ST_ARGUMENTS arguments);
#define BUILTIN_OF(name, result, arguments, symbol, constant, ...) \
	result symbol(struct st_ctx *c, int ST_ARGUMENTS arguments);
typedef struct st_str st_str;
#include "builtins.def"
#undef BUILTIN
#undef BUILTIN_OF
#undef ST_ARGUMENTS

/* ---- what builtins share, and the generated code calls for other reasons ------------------ */

/* Is the current task's system call one with times of 32 bits? */
int st_syscall_time32(struct st_ctx *c);

/* Turns an error that can be caught into a warning. */
void st_warn_instead(struct st_ctx *c);

/* Reads a string of max bytes at most; none if max is negative.  If it can't be read: an error;
 * or 'instead', unless that is NULL. */
struct st_str st_string_at(struct st_ctx *c, int from, st_long addr, st_long max,
			   const struct st_str *instead);

/* Stores the stack's addresses in the context (handler/context.h); returns how many. */
unsigned int st_stack_walk(struct st_ctx *c);

/*
 * Convert a float of the probed code to a script's form, a binary64 number of IEEE 754 in an
 * integer with the same bits, and back; rounded to nearest, ties to even.
 */
st_long st_fp_to_32(st_long v);

static inline st_long st_widened(struct st_ctx *c, st_long v)
{
	return st_fn_fp_from_32(c, v);
}

static inline st_long st_narrowed(struct st_ctx *c, st_long v)
{
	(void)c;
	return st_fp_to_32(v);
}

/* Returns a floating-point number as $$vars and $s$ show it, with six digits behind the point. */
struct st_str st_float_shown(struct st_ctx *c, st_long x);

#endif
