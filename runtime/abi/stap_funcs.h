/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tapset functions are made of: the part of the runtime's interface that
 * scripts reach through the tapset (tapsets/), each function of which is a
 * thin embedded-C wrapper marked runtime.  Included by stap_script.h alone,
 * and like it free of kernel headers.  Implemented in runtime/funcs_*.c.
 *
 * As everywhere, what fails sets c->error and returns 0 or "", and strings
 * returned are in scratch or live as long as the handler.
 */
#ifndef STAP_FUNCS_H
#define STAP_FUNCS_H

/* ---- the current task (funcs_task.c) ------------------------------------ */

st_long st_fn_pid(void);
st_long st_fn_tid(void);
st_long st_fn_ppid(void);
st_long st_fn_pgrp(void);
st_long st_fn_sid(void);
st_long st_fn_uid(void);
st_long st_fn_gid(void);
st_long st_fn_euid(void);
st_long st_fn_egid(void);
st_long st_fn_cpu(void);
st_long st_fn_task_current(void);
st_long st_fn_target(void);
st_long st_fn_task_is_32bit(void);	/* its program */
struct st_str st_fn_execname(struct st_ctx *c);
struct st_str st_fn_pexecname(struct st_ctx *c);
st_long st_fn_stack_size(void);
st_long st_fn_stack_unused(void);

/* ---- any task, by the address of its task_struct (funcs_tasks.c) ---------- */

/* An address that can't be read is an error; what a task hasn't (files, memory),
 * 0 or "". */
st_long st_fn_task_parent(struct st_ctx *c, st_long task);
st_long st_fn_task_leader(struct st_ctx *c, st_long task);
st_long st_fn_task_pid(struct st_ctx *c, st_long task);
st_long st_fn_task_tid(struct st_ctx *c, st_long task);
st_long st_fn_task_uid(struct st_ctx *c, st_long task);
st_long st_fn_task_gid(struct st_ctx *c, st_long task);
st_long st_fn_task_euid(struct st_ctx *c, st_long task);
st_long st_fn_task_egid(struct st_ctx *c, st_long task);
st_long st_fn_task_state(struct st_ctx *c, st_long task);
st_long st_fn_task_prio(struct st_ctx *c, st_long task);	/* 0: the highest that isn't real-time */
st_long st_fn_task_nice(struct st_ctx *c, st_long task);
st_long st_fn_task_cpu(struct st_ctx *c, st_long task);
st_long st_fn_task_utime(struct st_ctx *c, st_long task);	/* ns */
st_long st_fn_task_stime(struct st_ctx *c, st_long task);
st_long st_fn_task_start_time(struct st_ctx *c, st_long task);	/* ns since boot */
st_long st_fn_task_open_files(struct st_ctx *c, st_long task);
st_long st_fn_task_max_files(struct st_ctx *c, st_long task);
st_long st_fn_task_file(struct st_ctx *c, st_long task, st_long fd);
st_long st_fn_task_exe_file(struct st_ctx *c, st_long task);
st_long st_fn_task_cwd(struct st_ctx *c, st_long task);		/* struct path */
st_long st_fn_task_root(struct st_ctx *c, st_long task);
struct st_str st_fn_task_name(struct st_ctx *c, st_long task);

/* The limit it has now of what (RLIMIT_…); -1: none, or there is no such. */
st_long st_fn_task_rlimit(struct st_ctx *c, st_long task, st_long which);

/* By thread ID in the initial namespace; 0: none. */
st_long st_fn_task_find(st_long tid);

/* Sizes of a task's memory, in pages. */
enum st_mem { ST_MEM_SIZE, ST_MEM_RSS, ST_MEM_SHARED, ST_MEM_TEXT, ST_MEM_DATA };
st_long st_fn_task_memory(struct st_ctx *c, st_long task, enum st_mem what);
st_long st_fn_page_size(void);

/* ---- who started the session (starter.c) -------------------------------------- */

st_long st_fn_starter_pid(void);
st_long st_fn_is_starters(void);	/* the current process is of its user */

/* The time zone there: seconds west of UTC, and its name. */
st_long st_fn_zone_west(void);
struct st_str st_fn_zone_name(void);

/* A task's number in the PID namespace there, 0 where it has none; a user's or
 * group's in the user namespace. */
enum st_task_id { ST_ID_THREAD, ST_ID_PROCESS, ST_ID_GROUP, ST_ID_SESSION };
st_long st_fn_task_ns_id(struct st_ctx *c, st_long task, enum st_task_id kind);
st_long st_fn_ns_user(st_long uid);
st_long st_fn_ns_group(st_long gid);

/* ---- the current process's arguments and environment (funcs_cmdline.c) ---- */

/* Arguments first to last (before first: all behind it), delim between. */
struct st_str st_fn_cmdline(struct st_ctx *c, st_long first, st_long last, struct st_str delim);
struct st_str st_fn_env(struct st_ctx *c, struct st_str name);

/* ---- system calls (funcs_syscall.c) ----------------------------------------- */

/* The current task's, whatever is probed while it is in it: argument 1 to 6, its
 * number, whether it is one of 32 bits. */
st_long st_fn_syscall_argument(st_long n);
st_long st_fn_syscall_number(void);
st_long st_fn_syscall_compat(void);

/* A signed long; 64 bits, which 32-bit programs pass as two arguments; the ID of a user or a
 * group, -1 for all ones of the 16 bits that the oldest calls have. */
st_long st_fn_syscall_long(st_long n);
st_long st_fn_syscall_wide(st_long n);
st_long st_fn_syscall_id(st_long n);

/* Are the parts of its times 32 bits wide? */
int st_fn_syscall_time32(void);

/* What the function whose return is probed returns. */
st_long st_fn_return_value(struct st_ctx *c);

/* The name of a number; "syscall_N" when it has none. */
struct st_str st_fn_syscall_name(struct st_ctx *c, st_long number, int compat);

/* The strings of a vector of pointers in user space, quoted, blanks between. */
struct st_str st_fn_user_strings(struct st_ctx *c, st_long addr);

/* ---- structures of user space (funcs_user.c) --------------------------------- */

/* A structure by its shape; an array of count of them, "[A, B]". */
struct st_str st_fn_user_struct(struct st_ctx *c, struct st_str shape, st_long addr);
struct st_str st_fn_user_structs(struct st_ctx *c, struct st_str shape, st_long addr,
				 st_long count);

/* ---- names of constants (funcs_names.c) ----------------------------------------- */

enum st_names {
	ST_FLAGS_OPEN, ST_FLAGS_ACCESS, ST_FLAGS_AT, ST_FLAGS_PROT, ST_FLAGS_MMAP,
	ST_FLAGS_CLONE, ST_FLAGS_SOCK, ST_FLAGS_MSG, ST_FLAGS_MOUNT, ST_FLAGS_UMOUNT,
	ST_FLAGS_INOTIFY, ST_FLAGS_WAIT, ST_FLAGS_MREMAP, ST_FLAGS_MSYNC, ST_FLAGS_MLOCKALL,
	ST_FLAGS_FALLOCATE, ST_FLAGS_SPLICE, ST_FLAGS_FLOCK, ST_FLAGS_IPC, ST_FLAGS_RANDOM,
	ST_FLAGS_MEMFD, ST_FLAGS_RENAME, ST_FLAGS_SYNC_RANGE, ST_FLAGS_XATTR,
	ST_FLAGS_SIGACTION, ST_NAMES_WHENCE, ST_NAMES_SIGNAL, ST_NAMES_SIGMASK,
	ST_NAMES_CLOCK, ST_NAMES_ITIMER, ST_NAMES_RLIMIT, ST_NAMES_RUSAGE, ST_NAMES_SCHED,
	ST_NAMES_FAMILY, ST_NAMES_SOCKTYPE, ST_NAMES_SHUTDOWN, ST_NAMES_LEVEL,
	ST_NAMES_SOCKOPT, ST_NAMES_FCNTL, ST_NAMES_FUTEX, ST_NAMES_EPOLL, ST_NAMES_MADVISE,
	ST_NAMES_FADVISE, ST_NAMES_PRIORITY, ST_NAMES_IPC_CMD, ST_NAMES_PTRACE,
	ST_NAMES_PRCTL, ST_NAMES_ARCH_PRCTL, ST_NAMES_SECCOMP, ST_NAMES_BPF, ST_NAMES_WAITID,
	ST_NAMES_MEMBARRIER, ST_NAMES_REBOOT, ST_FLAGS_GFP, ST_FLAGS_TASK_STATE,
	ST_NAMES_SIGCODE,

	/* Of what follows the numbers are written here, not the kernel's headers asked. */
	ST_NAMES_KERNEL,
	ST_FLAGS_POLL, ST_FLAGS_EPOLL, ST_FLAGS_STATX, ST_FLAGS_FANOTIFY_INIT,
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
};

/* "A|B|0x40"; "0x0" for none. */
struct st_str st_fn_flags(struct st_ctx *c, enum st_names which, st_long value);

/* "A"; "0x40" for what has no name. */
struct st_str st_fn_constant(struct st_ctx *c, enum st_names which, st_long value);

/* The other way; -1 for what is no name. */
st_long st_fn_constant_value(enum st_names which, struct st_str name);

/* ---- clocks (funcs_time.c) ----------------------------------------------- */

st_long st_fn_realtime_ns(void);
st_long st_fn_monotonic_ns(void);
st_long st_fn_local_clock_ns(void);
st_long st_fn_cpu_clock_ns(struct st_ctx *c, st_long cpu);
st_long st_fn_cycles(void);
st_long st_fn_jiffies(void);
st_long st_fn_hz(void);
struct st_str st_fn_ctime(struct st_ctx *c, st_long seconds);

/* From 0 to n - 1; n below 1 counts as 1. */
st_long st_fn_random(st_long n);

/* The load average, of 1, 5 or 15 minutes (0 to 2), in parts of 2048; an error
 * elsewhere. */
st_long st_fn_loadavg(struct st_ctx *c, st_long which);

/* ---- numbers -------------------------------------------------------------- */

static inline unsigned long st_fn_low_bits(st_long x, unsigned int bits)
{
	return (unsigned long)x << (64 - bits) >> (64 - bits);
}

static inline unsigned long st_fn_swap_bits(st_long x, unsigned int bits)
{
	return __builtin_bswap64(x) >> (64 - bits);
}

/* The low bits (16, 32 or 64) of x, between ours and the network's byte order
 * (big-endian), or little-endian. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define st_fn_swap_network st_fn_swap_bits
#define st_fn_swap_little st_fn_low_bits
#else
#define st_fn_swap_network st_fn_low_bits
#define st_fn_swap_little st_fn_swap_bits
#endif

/* ---- floating point (float.c, float_text.c) ---------------------------------- */

/* binary64 numbers of IEEE 754, as integers with the same bits. */
st_long st_fn_fp_add(st_long a, st_long b);
st_long st_fn_fp_sub(st_long a, st_long b);
st_long st_fn_fp_mul(st_long a, st_long b);
st_long st_fn_fp_div(st_long a, st_long b);
st_long st_fn_fp_rem(st_long a, st_long b);
st_long st_fn_fp_sqrt(st_long a);
st_long st_fn_fp_eq(st_long a, st_long b);
st_long st_fn_fp_le(st_long a, st_long b);
st_long st_fn_fp_lt(st_long a, st_long b);
st_long st_fn_fp_from_long(st_long v);
st_long st_fn_fp_from_32(st_long v);

/* how: 0 to nearest, ties to even; 1 to zero; 2 down; 3 up; 4 to nearest, ties away
 * from zero; more: to an odd number. */
st_long st_fn_fp_to_long(st_long x, st_long how);

/* precision: digits behind the point. */
struct st_str st_fn_fp_to_string(struct st_ctx *c, st_long x, st_long precision);
st_long st_fn_fp_from_string(struct st_ctx *c, struct st_str s);

/* ---- strings (funcs_string.c) --------------------------------------------- */

struct st_str st_fn_substr(struct st_ctx *c, struct st_str s, st_long start, st_long length);
st_long st_fn_stringat(struct st_ctx *c, struct st_str s, st_long i);
st_long st_fn_strpos(struct st_str s, struct st_str part);	/* -1: not there */
st_long st_fn_strtol(struct st_str s, st_long base);
struct st_str st_fn_replace(struct st_ctx *c, struct st_str s, struct st_str what,
			    struct st_str by);

/* What the last =~ matched (regex.c): group n, how many groups.  Errors when it
 * failed. */
struct st_str st_fn_matched(struct st_ctx *c, st_long n);
st_long st_fn_ngroups(struct st_ctx *c);

/* Where in s, from 'at' on, the next token begins and where it ends; the length
 * of s when there is none. */
st_long st_fn_token_begin(struct st_str s, st_long at, struct st_str delim);
st_long st_fn_token_end(struct st_str s, st_long at, struct st_str delim);

/* Bytes that don't print as escapes; at most max (0: the longest string) bytes
 * of result; quoted: in double quotes, "..." behind them when cut. */
struct st_str st_fn_text(struct st_ctx *c, struct st_str s, st_long max, int quoted);

/* A string with a newline at its end. */

/* "ENOENT"; "E#3333" when unknown (funcs_errno.c). */
struct st_str st_fn_errno(struct st_ctx *c, st_long err);

/* ---- memory (funcs_memory.c) ----------------------------------------------- */

enum st_space { ST_KERNEL, ST_USER };

/* A number of 1, 2, 4 or 8 bytes, widened with its sign if it has one.  Where
 * it can't be read: an error that calls it 'what', or with what NULL just 0. */
st_long st_fn_number(struct st_ctx *c, enum st_space from, st_long addr, unsigned int size,
		     int has_sign, const char *what);

void st_fn_store(struct st_ctx *c, enum st_space to, st_long addr, unsigned int size, st_long v);

/* A string with its NUL, but max bytes at most (<0: all). */
void st_fn_store_string(struct st_ctx *c, enum st_space to, st_long addr, struct st_str s,
			st_long max);

/* A string of max bytes at most (<0: the longest).  Where it can't be read: an
 * error, or 'instead' if not NULL. */
struct st_str st_fn_string(struct st_ctx *c, enum st_space from, st_long addr, st_long max,
			   const struct st_str *instead);

/* A string of max bytes at most, or a buffer of just that many, escaped and in
 * quotes, out bytes of result; the address in hex where it can't be read. */
struct st_str st_fn_quoted(struct st_ctx *c, enum st_space from, st_long addr, st_long max,
			   st_long out);
struct st_str st_fn_quoted_buffer(struct st_ctx *c, enum st_space from, st_long addr,
				  st_long len, st_long out);

/* The same of a buffer; an error where it can't be read. */
struct st_str st_fn_quoted_buffer_error(struct st_ctx *c, enum st_space from, st_long addr,
					st_long len, st_long out);

/* A string of UTF-16 (width 2) or UTF-32 (4) as UTF-8.  Where it can't be read or
 * is none: an error, or 'instead' if not NULL (funcs_wide.c). */
struct st_str st_fn_wide_string(struct st_ctx *c, enum st_space from, st_long addr,
				unsigned int width, const struct st_str *instead);

/* The same in double quotes, what is not ASCII as \u20AC or \U0001F600, "..." behind one
 * that was cut; the address in hex where it can't be read or is none. */
struct st_str st_fn_wide_quoted(struct st_ctx *c, enum st_space from, st_long addr,
				unsigned int width);

/* ---- the probe, symbols and stacks (funcs_probe.c, funcs_symbol.c, funcs_stack.c) */

struct st_str st_fn_pp(struct st_ctx *c);
struct st_str st_fn_pn(struct st_ctx *c);
struct st_str st_fn_probefunc(struct st_ctx *c);
struct st_str st_fn_ppfunc(struct st_ctx *c);
struct st_str st_fn_probemod(struct st_ctx *c);
st_long st_fn_is_return(struct st_ctx *c);
st_long st_fn_user_mode(struct st_ctx *c);
st_long st_fn_registers_valid(struct st_ctx *c);
st_long st_fn_addr(struct st_ctx *c);
struct st_str st_fn_module_name(void);

/* "vfs_read"; "vfs_read+0x10/0x180 [kernel]"; "kernel" or the module, an error
 * where there is nothing. */
struct st_str st_fn_symname(struct st_ctx *c, st_long addr);
struct st_str st_fn_symdata(struct st_ctx *c, st_long addr);
struct st_str st_fn_symfile(struct st_ctx *c, st_long addr);
struct st_str st_fn_symline(struct st_ctx *c, st_long addr);
struct st_str st_fn_symfileline(struct st_ctx *c, st_long addr);
struct st_str st_fn_modname(struct st_ctx *c, st_long addr);

/* The kernel stack from the probed place out: printed symbolised, as a string of
 * symbols by lines, as n (<0: all) hex addresses, one address by its depth. */
void st_fn_print_backtrace(struct st_ctx *c, int lines);
struct st_str st_fn_sprint_backtrace(struct st_ctx *c);
struct st_str st_fn_callers(struct st_ctx *c, st_long n);
st_long st_fn_stack(struct st_ctx *c, st_long depth);

/* A string of hex addresses symbolised likewise. */
void st_fn_print_stack(struct st_ctx *c, struct st_str addresses);
struct st_str st_fn_sprint_stack(struct st_ctx *c, struct st_str addresses);

/* ---- registers and arguments (funcs_registers.c) ------------------------------ */

/* By name; halves sign extended or not. */
st_long st_fn_register(struct st_ctx *c, struct st_str name, int is_signed);

/* A function's argument N, from 1, at its entry; size in bytes, negative: signed. */
st_long st_fn_arg(struct st_ctx *c, st_long n, int size);

/* ---- saying things (funcs_log.c) -------------------------------------------- */

void st_fn_log(struct st_ctx *c, struct st_str s);
void st_fn_warn(struct st_ctx *c, struct st_str s);
void st_fn_error(struct st_ctx *c, struct st_str s);
void st_fn_ftrace(struct st_str s);

#endif
