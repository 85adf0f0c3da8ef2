/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runtime's functions for the script library (tapsets/), whose functions are thin
 * wrappers in embedded C, marked runtime; the body of pid() is
 *
 *	STAP_RETURN(st_fn_pid());
 *
 * Only stap_script.h includes this header; like that it includes no kernel header.  The
 * functions are implemented in runtime/tapset/, names/, text/ and core/starter.c.
 *
 * A function that fails sets c->error and returns 0 or "".  Strings returned are in
 * scratch, or live as long as the handler.  An unnamed unit is bytes.
 */
#ifndef STAP_FUNCS_H
#define STAP_FUNCS_H

/* ---- the current task (tapset/task.c) ----------------------------------- */

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
st_long st_fn_task_is_32bit(void);	/* does it run a 32-bit program? */
struct st_str st_fn_execname(struct st_ctx *c);
struct st_str st_fn_pexecname(struct st_ctx *c);
st_long st_fn_stack_size(void);
st_long st_fn_stack_unused(void);

/* ---- any task, given the address of its task_struct (tapset/tasks.c) ------ */

/* An address that can't be read is an error.  For a task without files or memory the
 * result is 0 or "". */
st_long st_fn_task_parent(struct st_ctx *c, st_long task);
st_long st_fn_task_leader(struct st_ctx *c, st_long task);
st_long st_fn_task_pid(struct st_ctx *c, st_long task);
st_long st_fn_task_tid(struct st_ctx *c, st_long task);
st_long st_fn_task_uid(struct st_ctx *c, st_long task);
st_long st_fn_task_gid(struct st_ctx *c, st_long task);
st_long st_fn_task_euid(struct st_ctx *c, st_long task);
st_long st_fn_task_egid(struct st_ctx *c, st_long task);
st_long st_fn_task_state(struct st_ctx *c, st_long task);
st_long st_fn_task_prio(struct st_ctx *c, st_long task);	/* <0: real-time */
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

/* The soft limit of a resource (RLIMIT_…); -1: unlimited, or no such resource. */
st_long st_fn_task_rlimit(struct st_ctx *c, st_long task, st_long which);

/* The task with this thread ID in the initial namespace; 0: none. */
st_long st_fn_task_find(st_long tid);

/* The size of a part of a task's memory, in pages. */
enum st_mem { ST_MEM_SIZE, ST_MEM_RSS, ST_MEM_SHARED, ST_MEM_TEXT, ST_MEM_DATA };
st_long st_fn_task_memory(struct st_ctx *c, st_long task, enum st_mem what);
st_long st_fn_page_size(void);

/* ---- the starter: the process that started the session (core/starter.c) ------- */

st_long st_fn_starter_pid(void);
st_long st_fn_is_starters(void);	/* does the current process belong to its user? */

/* Its time zone: seconds west of UTC, and the name. */
st_long st_fn_zone_west(void);
struct st_str st_fn_zone_name(void);

/* A task's ID in the starter's PID namespace, 0 if it is not visible there; a user's or
 * group's ID in the starter's user namespace. */
enum st_task_id { ST_ID_THREAD, ST_ID_PROCESS, ST_ID_GROUP, ST_ID_SESSION };
st_long st_fn_task_ns_id(struct st_ctx *c, st_long task, enum st_task_id kind);
st_long st_fn_ns_user(st_long uid);
st_long st_fn_ns_group(st_long gid);

/* ---- the current process's arguments and environment (tapset/cmdline.c) --- */

/* Arguments first to last, with delim between them; all from first on if last is less.  An
 * empty one is shown as "" unless it is the only one. */
struct st_str st_fn_cmdline(struct st_ctx *c, st_long first, st_long last, struct st_str delim);
struct st_str st_fn_env(struct st_ctx *c, struct st_str name);

/* ---- system calls (tapset/syscall.c) ---------------------------------------- */

/* The current task's system call, whichever of its functions is probed: argument 1 to 6;
 * the call's number; is it a 32-bit program's? */
st_long st_fn_syscall_argument(st_long n);
void st_fn_set_syscall_argument(st_long n, st_long value);
void st_fn_set_syscall_wide(st_long n, st_long value);
st_long st_fn_syscall_number(void);
st_long st_fn_syscall_compat(void);

/* Argument n as a signed long; as 64 bits, which 32-bit programs pass as two arguments; as a
 * user or group ID: -1 if all 16 bits are ones in the calls with 16-bit IDs. */
st_long st_fn_syscall_long(st_long n);
st_long st_fn_syscall_wide(st_long n);
st_long st_fn_syscall_id(st_long n);

/* Does the call have times of 32 bits? */
int st_fn_syscall_time32(void);

/* The result of the function whose return is probed. */
st_long st_fn_return_value(struct st_ctx *c);

/* The name of the call with this number; "syscall_N" if it has none. */
struct st_str st_fn_syscall_name(struct st_ctx *c, st_long number, int compat);

/* The number of the call with this name; -1 if there is none. */
st_long st_fn_syscall_number_of(struct st_ctx *c, struct st_str name, int compat);

/* The address of the registers of user space, as the entry code saved them. */
st_long st_fn_syscall_registers(void);

/* The strings of a NULL-terminated vector of pointers in user space: ["a", "b c"]. */
struct st_str st_fn_user_strings(struct st_ctx *c, st_long addr);

/* ---- structures of user space (tapset/user.c) -------------------------------- */

/* A structure as text, by its shape; an array of count structures, "[A, B]". */
struct st_str st_fn_user_struct(struct st_ctx *c, struct st_str shape, st_long addr);
struct st_str st_fn_user_structs(struct st_ctx *c, struct st_str shape, st_long addr,
				 st_long count);

/* ---- names of constants (names/) ------------------------------------------------ */

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
	ST_NAMES_SIGCODE, ST_FLAGS_IRQ,

	/* The tables above use the kernel's headers, those below the numbers in numbers.c. */
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
	ST_NAMES_SOCKET_FAMILY, ST_NAMES_SOCKET_TYPE, ST_NAMES_SOCKET_STATE, ST_FLAGS_SOCKET,
	ST_NAMES_SOCKET_PROTOCOL, ST_NAMES_TCP_STATE,
	ST_NAMES_DMA_DIRECTION, ST_NAMES_SCSI_STATE,
	ST_NAMES_NFS_STATUS, ST_NAMES_NFS4_TYPE,
};

/* A set of flags as text: "A|B|0x40"; "0x0" for the empty set. */
struct st_str st_fn_flags(struct st_ctx *c, enum st_names which, st_long value);

/* A constant's name: "A"; "0x40" if it has none. */
struct st_str st_fn_constant(struct st_ctx *c, enum st_names which, st_long value);

/* The constant of this name; -1 if there is none. */
st_long st_fn_constant_value(enum st_names which, struct st_str name);

/* ---- clocks (tapset/time.c) ---------------------------------------------- */

st_long st_fn_realtime_ns(void);
st_long st_fn_monotonic_ns(void);
st_long st_fn_local_clock_ns(void);
st_long st_fn_cpu_clock_ns(struct st_ctx *c, st_long cpu);
st_long st_fn_cycles(void);
st_long st_fn_jiffies(void);
st_long st_fn_hz(void);
struct st_str st_fn_ctime(struct st_ctx *c, st_long seconds);

/* A random number from 0 to n - 1; n below 1 counts as 1. */
st_long st_fn_random(st_long n);

/* The load average over 1, 5 or 15 minutes (which: 0, 1, 2) times 2048; another 'which' is an
 * error. */
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

/* Convert the low bits (16, 32 or 64) of x between the processor's byte order and the
 * network's (big-endian), or little-endian. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define st_fn_swap_network st_fn_swap_bits
#define st_fn_swap_little st_fn_low_bits
#else
#define st_fn_swap_network st_fn_low_bits
#define st_fn_swap_little st_fn_swap_bits
#endif

/* ---- floating point (text/float.c, text/float_text.c) ------------------------- */

/* Arithmetic on binary64 numbers of IEEE 754, held in integers with the same bits. */
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
st_long st_fp_to_32(st_long v);

/* A float of the probed code as a script holds it, and back; rounded to nearest, ties to even. */
static inline st_long st_widened(struct st_ctx *c, st_long v)
{
	(void)c;
	return st_fn_fp_from_32(v);
}

static inline st_long st_narrowed(struct st_ctx *c, st_long v)
{
	(void)c;
	return st_fp_to_32(v);
}

/* Rounds to an integer.  how: 0 to nearest, ties to even; 1 to zero; 2 down; 3 up; 4 to
 * nearest, ties away from zero; other values: to the odd neighbour. */
st_long st_fn_fp_to_long(st_long x, st_long how);

/* Decimal text with 'precision' digits behind the point, and the reverse. */
struct st_str st_fn_fp_to_string(struct st_ctx *c, st_long x, st_long precision);
st_long st_fn_fp_from_string(struct st_ctx *c, struct st_str s);

/* A floating-point number among the values of $$vars and $s$, with six digits behind the point. */
struct st_str st_float_shown(struct st_ctx *c, st_long x);

/* ---- strings (tapset/string.c) --------------------------------------------- */

/* Functions whose time grows with a string, a stack or a table of names fail when the handler's time
 * is over (st_walk()). */

struct st_str st_fn_substr(struct st_ctx *c, struct st_str s, st_long start, st_long length);
st_long st_fn_stringat(struct st_ctx *c, struct st_str s, st_long i);
st_long st_fn_strpos(struct st_ctx *c, struct st_str s, struct st_str part);	/* -1: not there */
st_long st_fn_strtol(struct st_ctx *c, struct st_str s, st_long base);
struct st_str st_fn_replace(struct st_ctx *c, struct st_str s, struct st_str what,
			    struct st_str by);

/* Group n of the last =~ match (text/regex.c), and the number of groups.  Errors if it didn't
 * match. */
struct st_str st_fn_matched(struct st_ctx *c, st_long n);
st_long st_fn_ngroups(struct st_ctx *c);

/* The positions in s, from 'at' on, where the next token begins and where it ends; the length
 * of s if there is none. */
st_long st_fn_token_begin(struct st_ctx *c, struct st_str s, st_long at, struct st_str delim);
st_long st_fn_token_end(struct st_ctx *c, struct st_str s, st_long at, struct st_str delim);

/* s with escapes for bytes that don't print, and \uXXXX for characters beyond ASCII; the result has
 * at most max bytes (0: the longest string).  Quoted: in double quotes, followed by "..." if it was
 * cut. */
struct st_str st_fn_text(struct st_ctx *c, struct st_str s, st_long max, int quoted);

/* The name of ERR or -ERR, "ENOENT"; "" if there is none (tapset/errno.c). */
struct st_str st_fn_errno(st_long err);

/* The error of this name; or an error. */
st_long st_fn_errno_number(struct st_ctx *c, struct st_str name);

/* ---- memory (tapset/memory.c, tapset/wide.c) --------------------------------- */

/* The NUMA node of the memory at an address of the kernel or the process; the processor's, if that
 * is not known. */
st_long st_fn_addr_to_node(st_long addr);

enum st_space { ST_KERNEL, ST_USER };

/* Reads a number of 1, 2, 4 or 8 bytes, sign extended if has_sign.  If it can't be read: an
 * error that calls it 'what'; with what NULL, 0 without an error. */
st_long st_fn_number(struct st_ctx *c, enum st_space from, st_long addr, unsigned int size,
		     int has_sign, const char *what);

/* Counts a value that memory at an address could not give (core/missing.h); returns 0. */
st_long st_fn_missing(st_long addr);

void st_fn_store(struct st_ctx *c, enum st_space to, st_long addr, unsigned int size, st_long v);

/* Writes a string and its NUL, max bytes at most (<0: all). */
void st_fn_store_string(struct st_ctx *c, enum st_space to, st_long addr, struct st_str s,
			st_long max);

/* For a string's length: as long as strings can be. */
#define ST_WHOLE 0x7fffffff

/* Reads a string of max bytes at most; none if max is negative.  If it can't be read: an error;
 * or 'instead', unless that is NULL. */
struct st_str st_fn_string(struct st_ctx *c, enum st_space from, st_long addr, st_long max,
			   const struct st_str *instead);

/* Read a string of max bytes at most, or a buffer of len bytes; the result is escaped, in
 * quotes, and has at most 'out' bytes.  If it can't be read: the address in hex. */
struct st_str st_fn_quoted(struct st_ctx *c, enum st_space from, st_long addr, st_long max,
			   st_long out);
struct st_str st_fn_quoted_buffer(struct st_ctx *c, enum st_space from, st_long addr,
				  st_long len, st_long out);

/* The same for a buffer; if it can't be read: an error. */
struct st_str st_fn_quoted_buffer_error(struct st_ctx *c, enum st_space from, st_long addr,
					st_long len, st_long out);

/* Reads a string of UTF-16 (width 2) or UTF-32 (4) and converts it to UTF-8.  If it can't be
 * read or is invalid: an error; or 'instead', unless that is NULL. */
struct st_str st_fn_wide_string(struct st_ctx *c, enum st_space from, st_long addr,
				unsigned int width, const struct st_str *instead);

/* The same in double quotes, with \u20AC or \U0001F600 for characters outside ASCII, followed
 * by "..." if it was cut.  If it can't be read or is invalid: the address in hex. */
struct st_str st_fn_wide_quoted(struct st_ctx *c, enum st_space from, st_long addr,
				unsigned int width);

/* ---- the probe, symbols and stacks (tapset/probe.c, symbol.c, stack.c) ------------ */

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

/* How the probe is attached, in a word. */
struct st_str st_fn_probe_type(struct st_ctx *c);

/* Its size: "text 61440 rodata 32768 data 24576". */
struct st_str st_fn_module_size(struct st_ctx *c);

/* An address as text.  symname: "vfs_read"; symdata: "vfs_read+0x10/0x180 [kernel]"; symfile:
 * "fs/read_write.c"; symline: "450"; symfileline: "fs/read_write.c:450"; if it is not known, the
 * address in hex.  modname: "kernel" or the module; if it is not known, an error. */
struct st_str st_fn_symname(struct st_ctx *c, st_long addr);
struct st_str st_fn_symdata(struct st_ctx *c, st_long addr);
struct st_str st_fn_symfile(struct st_ctx *c, st_long addr);
struct st_str st_fn_symline(struct st_ctx *c, st_long addr);
struct st_str st_fn_symfileline(struct st_ctx *c, st_long addr);
struct st_str st_fn_modname(struct st_ctx *c, st_long addr);

/* The kernel stack, innermost frame first: printed as symbols; as a string of symbols, a line
 * each; as a string of hex addresses, that of the probe and n callers' (<0: all); one address, by its
 * depth. */
void st_fn_print_backtrace(struct st_ctx *c, int lines);
struct st_str st_fn_sprint_backtrace(struct st_ctx *c);
struct st_str st_fn_callers(struct st_ctx *c, st_long n);
st_long st_fn_stack(struct st_ctx *c, st_long depth);

/* Was the probed function called, directly or not, from a function or module of this name?  A "*"
 * at its end stands for any characters. */
st_long st_fn_called_from(struct st_ctx *c, struct st_str name);

/* Stores the stack's addresses in the context (core/context.h); returns how many. */
unsigned int st_stack_walk(struct st_ctx *c);

/* The addresses in a string, printed as symbols, or as a string of symbols. */
void st_fn_print_stack(struct st_ctx *c, struct st_str addresses);
struct st_str st_fn_sprint_stack(struct st_ctx *c, struct st_str addresses);

/* The user stack, likewise; STYLE is of ST_STACK_* (transport.h), or from other registers than
 * those of user space (tapset/ustack.c). */
void st_fn_print_ubacktrace(struct st_ctx *c, int style);
void st_fn_print_folded(struct st_ctx *c, st_long number);
void st_fn_print_ubacktrace_from(struct st_ctx *c, st_long pc, st_long sp, st_long fp, int style);
struct st_str st_fn_sprint_ubacktrace(struct st_ctx *c);
struct st_str st_fn_ucallers(struct st_ctx *c, st_long n);
st_long st_fn_ustack(struct st_ctx *c, st_long depth);
void st_fn_print_ustack(struct st_ctx *c, struct st_str addresses);
struct st_str st_fn_sprint_ustack(struct st_ctx *c, struct st_str addresses);

/* The address in user space, or 0; and addresses there as text.  usymname: "read"; where no name is
 * known (user/symbols.h) "libc.so.6+0x2724a", or the address in hex; usymdata: "read+0x14/0x90
 * [libc.so.6]", or "0x7f12… [libc.so.6+0x2724a]"; usymfile and the like as symfile above; umodname:
 * "libc.so.6"; if it is not known, an error. */
st_long st_fn_uaddr(struct st_ctx *c);
struct st_str st_fn_usymname(struct st_ctx *c, st_long addr);
struct st_str st_fn_usymdata(struct st_ctx *c, st_long addr);
struct st_str st_fn_usymfile(struct st_ctx *c, st_long addr);
struct st_str st_fn_usymline(struct st_ctx *c, st_long addr);
struct st_str st_fn_usymfileline(struct st_ctx *c, st_long addr);
struct st_str st_fn_umodname(struct st_ctx *c, st_long addr);

/* The address as the file at it has it, and that file's build-id in hex; or an error. */
st_long st_fn_umodaddr(struct st_ctx *c, st_long addr);
struct st_str st_fn_umodbuildid(struct st_ctx *c, st_long addr);

/* ---- Go (tapset/go.c) ----------------------------------------------------------- */

/* The number of the current goroutine, in a place of a Go program. */
st_long st_fn_go_goid(struct st_ctx *c);

/* ---- registers and arguments (tapset/registers.c) ------------------------------ */

/* A register by its name; a 32-bit half is sign extended if is_signed. */
st_long st_fn_register(struct st_ctx *c, struct st_str name, int is_signed);

/* The function's argument n, from 1, at its entry; size is 4 or 8, negative if it is signed. */
st_long st_fn_arg(struct st_ctx *c, st_long n, int size);

/* ---- what the reader of the output does (tapset/requests.c) --------------------------- */

/* A new speculation's ID; text for one, in the place where it is committed; its end. */
st_long st_fn_speculation(void);
void st_fn_speculate(struct st_ctx *c, st_long id, struct st_str text);
void st_fn_speculation_ends(struct st_ctx *c, st_long id, int committed);

/* Has a shell run a command; lets the output go on in the next file. */
void st_fn_system(struct st_ctx *c, struct st_str command);
void st_fn_switch_file(struct st_ctx *c);

/* Set an argument, as st_fn_arg() counts them, and the result of the function whose return is
 * probed. */
void st_fn_set_arg(struct st_ctx *c, st_long n, int size, st_long value);
void st_fn_set_return_value(struct st_ctx *c, st_long value);

/* ---- changes to the kernel, for scripts with -g (tapset/guru.c) -------------------------- */

/* A line in the kernel's log, at a level from 0 to 7; the stack there. */
void st_fn_printk(struct st_ctx *c, st_long level, struct st_str text);
void st_fn_dump_stack(struct st_ctx *c);

/* Sends the current task a signal. */
void st_fn_raise(struct st_ctx *c, st_long signal);

/* Has the function whose return is probed return an error, by its name. */
void st_fn_fail(struct st_ctx *c, struct st_str error);

/* Keeps the processor busy for an amount of time; unit is in microseconds. */
void st_fn_delay(struct st_ctx *c, st_long amount, st_long unit);

void st_fn_panic(struct st_str message);

/* ---- messages (tapset/log.c) --------------------------------------------------- */

void st_fn_log(struct st_ctx *c, struct st_str s);
void st_fn_warn(struct st_ctx *c, struct st_str s);
void st_fn_error(struct st_ctx *c, struct st_str s);

/* Turns an error that can be caught into a warning. */
void st_fn_warn_instead(struct st_ctx *c);

void st_fn_ftrace(struct st_str s);

#endif
