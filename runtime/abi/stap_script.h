/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between generated code and the runtime: the only header a
 * script's C includes.
 *
 * It brings in no kernel header, so that a script compiles in milliseconds and
 * the runtime is compiled once per kernel.  Every limit is data the script
 * carries (struct st_program), never a #define the runtime is compiled with.
 * All names begin with st_/ST_: a script with embedded C includes kernel
 * headers beside this one.
 *
 * Strings.  A string is a slice: pointer and length, and p[len] is 0.  It points
 * to a literal, into a map's key or value, into a variable's buffer or into
 * the context's scratch, which generated code winds back after each
 * statement.  A variable owns a buffer (struct st_strvar); assigning copies.
 *
 * Errors.  A function that fails sets c->error and returns 0, "" or NULL; every
 * function that can fail does nothing while c->error is set.  Generated code
 * tests it after each statement and where a value decides control flow, and
 * jumps to the innermost catch or out of the handler.
 *
 * Handlers run in the context of their CPU and level (task, softirq, hardirq,
 * NMI), which is never re-entered; they neither sleep, allocate nor fault.
 *
 * For instance, "probe kernel.function("vfs_read") { n += $count }" becomes
 * (stap -p3 prints all of it)
 *
 *	ST_SHARED void st_handler_0(struct st_ctx *c)
 *	{
 *		ST_BEGIN_HANDLER(c, );
 *		ST_STEP(c, 1, "near identifier 'n' at a.stp:1:38", out);
 *		c->near = "near identifier '$count' at a.stp:1:43";
 *		st_long t0 = (st_long)st_reg(c, 12);
 *		ST_CHECK(c, out);
 *		st_counter_add(g0_n, t0);
 *	out:	;
 *	}
 */
#ifndef STAP_SCRIPT_H
#define STAP_SCRIPT_H

#include "arch/stack_pointer.h"
#include "attach.h"
#include "bounds.h"

/* A number of the script's: 64 bits, signed. */
typedef long long st_long;

/*
 * A string: LEN bytes and a NUL behind them.  It doesn't own the bytes, which mostly live until the
 * statement ends (see st_scratch()).
 */
struct st_str {
	const char *p;
	unsigned int len;
};

/*
 * Helpers are inlined, except in scripts so large that this would slow the compiler down.
 * st_inline_here is for helpers that look at their caller's frame; where they are functions, they
 * see a few bytes less of the stack.
 */
#ifdef ST_LARGE
#define st_inline static __attribute__((__noinline__, __unused__))
#define st_inline_here st_inline
#else
#define st_inline static inline
#define st_inline_here static inline __attribute__((always_inline))
#endif

/*
 * A large script is compiled as two units at the same time: ST_PART is 1 in the unit of its data,
 * functions and first handlers, 2 in the unit of the other handlers, 0 if one unit has all.
 * ST_SHARED begins what both may use: ST_SHARED for functions, ST_SHARED_DATA for variables, with
 * ST_INIT for their initial values.
 */
#ifndef ST_PART
#define ST_PART 0
#endif
#if ST_PART
#define ST_SHARED __attribute__((visibility("hidden")))
#else
#define ST_SHARED static
#endif
#if ST_PART == 2
#define ST_SHARED_DATA extern ST_SHARED
#define ST_INIT(...)
#else
#define ST_SHARED_DATA ST_SHARED
#define ST_INIT(...) = __VA_ARGS__
#endif

#define ST_LIT(s) ((struct st_str){ s, sizeof(s) - 1 })
#define st_likely(x) __builtin_expect(!!(x), 1)
#define st_unlikely(x) __builtin_expect(!!(x), 0)

/* A key of a map; an argument of a format. */
union st_arg {
	st_long i;
	struct st_str s;
};

/* ---- the script's data -------------------------------------------------- */

struct st_ctx;

/* A probe of the script: its handler, which may serve any number of places. */
struct st_probe {
	void (*handler)(struct st_ctx *);
	int (*entry)(struct st_ctx *);	/* return probes, or NULL: runs at the function's entry
					   and fills c->saved; not 0 if it failed: then the
					   handler doesn't run at the return */
	void (*condition)(struct st_ctx *);	/* probe … if (expr): evaluates expr into *armed */
	int *armed;			/* where the condition's value is: 0, hits are ignored;
					   NULL: no condition */
	const union st_arg *consts;	/* this probe's constants, for a handler that several
					   probes share; or NULL */
	const char *where;		/* "foo.stp:3:1" */
	unsigned int index;
	unsigned int saved_size;	/* bytes of c->saved */
	long budget;			/* statements a handler may run */
	int system_call;		/* the library's alias of a system call: int_arg() and the
					   like mean the call's arguments */
};

/* A place: every family's descriptor begins with this. */
struct st_point {
	const struct st_probe *probe;
	const char *pp;			/* resolved probe point */
	const char *func, *module;	/* "" when none */
	const char *pn;			/* the point as the script wrote it */
	unsigned int number;		/* with -t: in st_program.timed */
};

/* With -t: a place's line of the report. */
struct st_timed {
	const char *pp;			/* resolved probe point */
	const char *where;		/* the probe in the script */
	const char *from;		/* " from: …" for each alias or wildcard on the way from
					   the script's probe point to this place */
};

/* Family "begin": begin, end, error; the session ends after a oneshot's begin. */
struct st_begin {
	struct st_point point;
	enum { ST_BEGIN, ST_END, ST_ERROR, ST_ONESHOT } kind;
	st_long sequence;		/* lower first */
};

/* Family "timer". */
struct st_timer {
	struct st_point point;
	st_long interval;		/* ns; jiffies with .jiffies */
	st_long random;			/* each interval varies by ± this, same unit */
	int jiffies;
};

/* Family "code": places in kernel text. */
struct st_site {
	struct st_point point;
	enum st_attach attach;
	unsigned int base;		/* index in st_program.bases, or ST_NO_BASE */
	unsigned long offset;		/* from the base's address */
	int maxactive;			/* returns: calls followed at once; 0: default */
	int optional;			/* failing to probe the place is not reported */
	int traceable;			/* the kernel lets tracers into the function (runtime/probes/unsafe.c) */
	int jump_safe;			/* a jump may replace the place's breakpoint (runtime/probes/kprobe.c) */
	unsigned long rest;		/* in modules: bytes from the place to the end of its function, for
					   kprobes; 0: unknown */
	int args_only;			/* entries: the handler needs only the registers that
					   carry arguments, ip and sp, which is cheaper */
	unsigned int caller_base;	/* returns: only those to this address, the offset 'caller'
					   from this base; */
	unsigned long caller;		/* 0: returns to any address */
};

#define ST_NO_BASE (~0U)		/* offset is the address itself */

/*
 * A program or shared library.  Mapped, the address of its code is 'distance' and the
 * mapping's shift above its offset in the file; the shift is another in each process.
 */
struct st_file {
	const char *path;
	const char *build_id;		/* in hex; NULL: any build */
	unsigned long long size;	/* bytes, of a file without a build-id; 0: any */
	unsigned int owner;		/* user */
	const char *identity;		/* of the only file that will do (base/regular.h); NULL: any
					   that is at the path */
	unsigned long distance;
	unsigned int goid;		/* a Go program: offset of the goroutine's number in its struct
					   g; 0: unknown */
	void *inode;			/* the loader has found it; NULL: not found */
	void *open;			/* the file: is read, and keeps its file system mounted */
	int awaited;			/* it was not there when the script was compiled: it may be
					   missing, for places in processes that execute it */
	int other;			/* it lacks the code of a place: nothing is probed in it */
};

/* An instruction in a program's file: the code from there on, up to its segment's end. */
struct st_instruction {
	unsigned long offset;
	unsigned char size;
	unsigned char code[ST_CODE_BYTES];
};

/* Family "uprobe": places in programs. */
struct st_uprobe {
	struct st_point point;
	enum st_attach attach;		/* of a program: ST_UPROBE, … */
	unsigned int file;		/* index in st_program.files */
	struct st_instruction at;	/* of a function that returns: its first */
	const struct st_instruction *body;	/* returns: where the entry code runs; NULL: at 'at' */
	unsigned long semaphore;	/* offset of a 16-bit counter of the place's tracers; 0: none */
	unsigned long caller;		/* returns: only those to this offset; 0: all */
	const struct st_instruction *returns;	/* ST_URETURNS, ST_GO_RETURN */
	unsigned int nreturns;
	int pid;			/* only in this process; 0: in any */
	int optional;			/* one of many that a wildcard found, or of a point with
					   "?": failing to probe it is only counted */
};

/* Family "trace": tracepoints of the kernel (point.module "kernel") or a module. */
struct st_trace {
	struct st_point point;
	struct st_str system, name;
};

/* Family "perf": performance events; type and config as in perf_event_open(2). */
struct st_perf {
	struct st_point point;
	unsigned int type;
	unsigned long long config;
	unsigned long long period;	/* events between two hits; with hz, hits per second */
	int hz;
	const char *process;		/* only in processes that run this file; NULL: all */
	unsigned int counter;		/* not 0: a counter, which has no hits but is read by
					   st_perf_count(counter - 1) */
	struct st_watch {		/* PERF_TYPE_BREAKPOINT: the data watched */
		unsigned long address;
		int linked;		/* address is a link address of the kernel, or a program */
		int percpu;		/* each CPU watches its own instance */
		unsigned int length;	/* bytes; 0: no watch */
		int reads;		/* reads are hits too, not only writes */
	} watch;
};

/* Family "procfs": files in the module's directory. */
struct st_procfs {
	struct st_point point;
	const char *path;		/* below the module's directory */
	int write;			/* a write probe; else a read probe */
	unsigned int umask;		/* bits cleared from the mode 0444 or 0222 */
	unsigned int maxsize;		/* bytes a reader can get; 0: MAXSTRINGLEN */
};

/* Family "netfilter". */
struct st_netfilter {
	struct st_point point;
	unsigned int family, hook;	/* NFPROTO_…, and one of its hooks, NF_… */
	int priority;
};

/* Family "process": what happens to processes and their threads.  A place is for the processes
 * that run a program, for one process, or, with neither, for all; with a target (-c, -x)
 * these must be among the target's processes too. */
struct st_process {
	struct st_point point;
	enum st_process_event {
		ST_PROCESS_BEGIN, ST_PROCESS_END, ST_THREAD_BEGIN, ST_THREAD_END,
		ST_SYSCALL, ST_SYSCALL_RETURN, ST_PROCESS_WATCH, ST_PROCESS_EVENTS
	} event;
	int file;			/* index in st_program.files, or -1 */
	int pid;			/* or 0 */
	struct st_watch watch;		/* ST_PROCESS_WATCH; linked: in the file */
};

/* A symbol that is unique in its module, and its offset from a base. */
struct st_anchor {
	const char *symbol;
	unsigned long offset;
};

/*
 * A base: places' offsets are relative to it.  The loader, or the runtime when a module is
 * loaded later (probes/bases.c), fills in its address and state.  For instance
 *
 *	{ "kernel", "" }		offsets are vmlinux's link addresses; the address is the
 *					shift between them and where the kernel runs
 *	{ "ext4", ".text", anchors }	a module's section
 *	{ "kernel", "=vfs_read" }	a symbol, for a target without debug information
 */
struct st_base {
	const char *module;
	const char *section;
	const struct st_anchor *anchors;	/* for a module's section, the last without a
					   symbol; or NULL */
	const char *build_id;		/* the module's, in hex; NULL: any build */
	unsigned long address;		/* 0: not known */
	enum st_base_state {
		ST_BASE_UNTOLD,		/* the loader has not set it */
		ST_BASE_AWAITED,	/* its module is not loaded */
		ST_BASE_FOUND,
		ST_BASE_MISSING,	/* its module lacks the symbol, or has several */
		ST_BASE_OTHER_BUILD,	/* its module is another build than the script expects */
	} state;
	int kprobes_may;		/* a symbol that is not on the kernel's list of what
					   kprobes may not touch */
};

/* An exported data symbol.  The script carries its link address; the difference to its
 * real address is the kernel's base. */
#define ST_ANCHOR system_state

/* What a script extracts from a statistic: @count, @sum, … */
enum st_stat_op {
	ST_COUNT, ST_SUM, ST_MIN, ST_MAX, ST_AVG, ST_VARIANCE,
};

/* A statistic's histogram: @hist_log, @hist_linear. */
enum st_hist { ST_HIST_NONE, ST_HIST_LOG, ST_HIST_LINEAR };

/* How the script uses a statistic: which values it extracts decides which are kept. */
struct st_stat_decl {
	unsigned int ops;		/* 1 << ST_COUNT | … */
	enum st_hist hist;
	st_long lo, hi, step;		/* ST_HIST_LINEAR */
	int shift;			/* @variance(v, shift): bits of fraction */
};

/* A string variable: its value and the buffer it owns (maxstringlen bytes). */
struct st_strvar {
	struct st_str s;
	char *buf;
};

struct st_map;
struct st_counter;
struct st_agg;
struct st_stat;

/* A global variable. */
struct st_global {
	const char *name;
	enum { ST_G_LONG, ST_G_STRING, ST_G_COUNTER, ST_G_STAT, ST_G_MAP } kind;
	void *slot;			/* LONG: st_long *; STRING: struct st_strvar *;
					   COUNTER, STAT, MAP: struct st_counter **, struct
					   st_agg **, struct st_map **, filled before begin */
	st_long init;			/* COUNTER */
	/* MAP */
	unsigned int nkeys, string_keys;	/* bit i: key i is a string */
	unsigned int key_room[ST_MAX_KEYS];	/* bytes of the longest string that is stored as
					   key i, with the NUL; 0: maxstringlen */
	enum { ST_V_LONG, ST_V_STRING, ST_V_STAT } value;
	unsigned int maxentries;
	int sized;			/* maxentries is declared, not MAXMAPENTRIES */
	int wrap;			/* when full, a new entry replaces the oldest */
	int percpu;			/* concurrent handlers only add: one map per CPU, merged
					   when read (ST_V_LONG, ST_V_STAT) */
	unsigned int nsorters;		/* order buffers, one for each sorted foreach */
	/* STAT; MAP of ST_V_STAT */
	struct st_stat_decl stat;
};

/* A global's lock (handler/lock.c). */
struct st_lock {
	int word;			/* 0 free, n readers, -1 a writer */
	unsigned int contended;		/* how often a handler had to wait */
	unsigned int timed_out;		/* how often one gave up waiting */
} __attribute__((aligned(64)));

/* The descriptors of one family: n of its struct st_begin, st_site, …. */
struct st_table {
	const char *family;
	const void *items;
	unsigned int n, size;		/* size: of one */
};

/* What a script may ask of programs' code: names of functions, source lines, stacks. */
enum { ST_ASKS_SYMBOLS = 1, ST_ASKS_LINES = 2, ST_ASKS_STACKS = 4 };

/* All that the runtime needs to know about the script; bounds.h limits the numbers. */
struct st_program {
	unsigned int maxstringlen;	/* bytes of a string, with the NUL */
	unsigned int maxnesting;	/* calls within each other */
	unsigned int maxerrors, maxskipped;	/* more of them end the session */
	unsigned int scratch;		/* bytes of a context's scratch */
	unsigned int maxtrylock;	/* time to wait for locks, in units of 10 µs */
	int kretactive;			/* maxactive of sites that give none; 0: default */
	int hist_width;			/* characters of a histogram's longest bar */
	int hist_elision;		/* empty rows kept on each side of a gap; negative: all */
	int overload;			/* exceeding overload_threshold ends the session */
	st_long overload_interval, overload_threshold;	/* cycles */
	int untimed;			/* handlers have no time limit */
	int suppress_errors;		/* handlers' errors are counted, and end nothing */
	int skip_badvars;		/* reading bad memory gives 0 instead of an error */
	int guru;			/* -g: may read devices' registers */
	void (*init_hook)(void), (*exit_hook)(void);	/* stap_hooks.h; NULL: none */
	unsigned long anchor;		/* link address of ST_ANCHOR; 0: unknown */
	unsigned long ex_table, ex_table_end;	/* of the kernel's exception table; 0: unknown */
	/* Per-CPU variables of the kernel that it doesn't export, and a function. */
	struct st_kernel_variable {
		unsigned int base;
		unsigned long address;	/* from the base */
	} current_kprobe, kprobe_ctlblk, load_current_idt;
	struct st_base *bases;		/* [0] is the kernel */
	unsigned int nbases;
	struct st_file *files;
	unsigned int nfiles;
	unsigned int asks;		/* ST_ASKS_*: what it asks of programs' code; 0: nothing */
	const struct st_global *globals;
	unsigned int nglobals;
	struct st_lock *locks;		/* the globals' */
	const struct st_lines_of {
		unsigned int base;
		const struct st_lines *lines;	/* srcline.h */
	} *lines;			/* source lines, if the script asks for them */
	unsigned int nlines;
	const struct st_timed *timed;	/* with -t */
	unsigned int ntimed;		/* 0: without -t */
	const struct st_probe *const *probes;
	unsigned int nprobes;
	const struct st_table *tables;
	unsigned int ntables;
	const struct st_format {
		const char *text;	/* canonical (text/format.h) */
		const char *members;	/* or NULL: as an object in JSON, what is between its braces, of the
					   same arguments; strings of %s are to be quoted */
	} *formats;			/* records give the index */
	unsigned int nformats;
	unsigned int groups;		/* the most groups of any st_regex, the whole match
					   included; 0: the script asks for none */
};

/* Defined by the script.  A process may run one script after another (port/user/engine.h). */
#ifdef __KERNEL__
extern const struct st_program st_program;
#else
extern struct st_program st_program;
#endif

/* ---- the context ------------------------------------------------------- */

/* The last =~ of this handler. */
struct st_match {
	unsigned int ngroups;		/* the whole match is group 0; 0: no match */
	char *text;			/* the whole match */
	int *at;			/* group n is text[at[2n]] to text[at[2n + 1] - 1]; -1: the
					   group took no part */
	unsigned short *states;		/* the matcher's memory */
};

/* The most calls that an error message lists. */
#define ST_CALLERS 16

/* The part of a context that generated code sees (handler/context.h has the rest). */
struct st_ctx {
	union {
		const char *error;	/* message, or NULL */
		const char *last_error;	/* its name in embedded C */
	};
	const char *near;		/* the error's place: "near operator '/' at foo.stp:3:7" */
	long budget;			/* statements left until the next look at the clock */
	long reserve;			/* statements left after those */
	unsigned int nesting;		/* depth of calls */
	unsigned int by_next;		/* a function body ended with 'next' */
	unsigned long stack_end;	/* generated code's frames stay above this address */
	unsigned int walked;		/* steps walked (st_walk()) since the last look at the clock */
	char *sp, *sp_end;		/* scratch: next free byte, end */
	char *out, *out_end;		/* output: next free byte, end */
	union {
		unsigned long *regs;	/* words of struct pt_regs, or NULL */
		struct pt_regs *kregs;	/* its name in embedded C */
	};
	char *saved;			/* return probes: what entry saved; procfs: struct
					   st_value; netfilter: struct st_packet */
	char *error_buffer;		/* memory for messages, more than maxstringlen bytes */
	const struct st_point *point;	/* the place that was hit */
	struct st_match match;		/* its members have memory if st_program.groups is not 0 */
	unsigned int ncallers;
	const char *callers[ST_CALLERS];	/* of the function that failed, innermost first;
					   in the form of 'near' */
	/* what handlers themselves don't touch: short offsets are for the rest */
	char *scratch, *output;		/* where they begin */
	unsigned int error_room;	/* bytes at error_buffer */
};

/* Sets the error (the kernel's printf) unless one is set.  The kernel warns of a precision above
 * 32767, so a script's text goes through st_error_text(). */
void st_error(struct st_ctx *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void st_error_text(struct st_ctx *c, struct st_str s);

/*
 * An error that is set aside while a condition is evaluated.  The condition may fail itself; its
 * message is dropped.
 */
struct st_pending {
	const char *error, *near;
	char *buffer;			/* the context's own */
	unsigned int room;
	char none;			/* takes its place */
};

void st_set_aside(struct st_ctx *c, struct st_pending *p);
void st_take_back(struct st_ctx *c, const struct st_pending *p);

/* Adds a caller to a set error: the function that failed was called NEAR "…".  Innermost
 * call first. */
__attribute__((cold)) void st_called(struct st_ctx *c, const char *near);

/*
 * Handles a budget below zero.  Returns 0 if the reserve refilled it, or -1 with the error set:
 * MAXACTION or the handler's time is exceeded.
 */
__attribute__((cold)) int st_out_of_budget(struct st_ctx *c, const char *near);

/* Counts N statements that are about to run, the first of them at PLACE ("near …"); goes to
 * LABEL if those are too many. */
#define ST_STEP(c, n, place, label) do {				\
	if (st_step(c, n, place))					\
		goto label;						\
} while (0)

st_inline int st_step(struct st_ctx *c, unsigned int n, const char *near)
{
	return st_unlikely((c->budget -= n) < 0) && st_out_of_budget(c, near);
}

/*
 * A statement that walks over an array takes time that grows with the array, and one that searches
 * a long string with the string, which no count of statements shows.  So each such step is counted,
 * over all statements of the handlers of a context, and the clock looked at every so many of them.
 */
#define ST_WALK_SLICE 1024

/*
 * Looks at the clock when the context has walked a slice.  Returns 1, with the error set, if the
 * handler's time is over.
 */
__attribute__((cold)) int st_walked_slice(struct st_ctx *c);

/*
 * Counts steps that are about to be taken.  Returns 1, with the error set, if the handler's time is
 * over.  A step takes about as long as finding a small element.
 */
st_inline int st_walk(struct st_ctx *c, unsigned int steps)
{
	c->walked += steps;
	return st_unlikely(c->walked >= ST_WALK_SLICE) && st_walked_slice(c);
}

/* Counts N steps that the statement at PLACE ("near …") is about to take; goes to LABEL if the
 * handler's time is over. */
#define ST_WALK(c, n, place, label) do {				\
	if (st_walk(c, n)) {						\
		(c)->near = place;					\
		goto label;						\
	}								\
} while (0)

/* Goes to LABEL if an error is set. */
#define ST_CHECK(c, label) do {						\
	if (st_unlikely((c)->error != 0))				\
		goto label;						\
} while (0)

static inline __attribute__((always_inline)) int st_stack_short(struct st_ctx *c)
{
	return st_unlikely(st_stack_pointer() < c->stack_end);
}

/* Counts a skipped hit. */
void st_skip(void);

/* Begins a handler: returns RESULT, a skipped hit, if the frame leaves too little stack. */
#define ST_BEGIN_HANDLER(c, result) do {				\
	if (st_turned_away(c))						\
		return result;						\
} while (0)

st_inline_here int st_turned_away(struct st_ctx *c)
{
	if (!st_stack_short(c))
		return 0;
	st_skip();
	return -1;
}

/* Enter and leave a script function.  st_call() returns 0, or -1 with the error set. */
st_inline_here int st_call(struct st_ctx *c)
{
	if (st_unlikely(c->nesting++ >= st_program.maxnesting))
		st_error(c, "MAXNESTING exceeded");
	else if (st_stack_short(c))
		st_error(c, "function calls nested too deeply for the kernel's stack");
	else
		return 0;
	return -1;
}

static inline void st_leave(struct st_ctx *c)
{
	c->nesting--;
}

/* Begins a catch block: copies the message (without its place, as SystemTap does) to a
 * variable, unless that is NULL, and clears the error.  The errors that the budget ran out
 * and st_abort()'s can't be caught: they stay set. */
void st_catch(struct st_ctx *c, struct st_strvar *message);

/* Notes that a handler has changed a probe's *armed, so that places are armed or disarmed soon. */
void st_condition_changed(void);

/* exit(): ends the session after this handler. */
void st_exit(struct st_ctx *c);

/* abort(): ends the session and this handler, by an error that is not reported. */
void st_abort(struct st_ctx *c);

/* ---- locks ------------------------------------------------------------- */

/* A lock that a statement needs, and the per-CPU variable to merge under it, or NULL. */
struct st_lockref {
	struct st_lock *lock;
	int write;
	struct st_map **map;
	struct st_agg **agg;
	const char *near;		/* that variable, for the error that it overflows */
};

/*
 * Takes the locks in the order given, which is the same in the whole program; interrupts
 * are off until st_unlock_all().  Returns 0; or -1 if they could not be had in time
 * (st_program.maxtrylock): then the hit is counted as skipped, and the handler returns.
 * Merging a per-CPU variable may set the error; the locks are held all the same.
 * Not nested.
 */
int st_lock_all(struct st_ctx *c, const struct st_lockref *refs, unsigned int n);
void st_unlock_all(struct st_ctx *c, const struct st_lockref *refs, unsigned int n);

/* ---- integers ---------------------------------------------------------- */

/* Divide.  Division by zero is a script error; INT64_MIN / -1 is INT64_MIN, INT64_MIN % -1 is 0. */
st_long st_div(struct st_ctx *c, st_long a, st_long b);
st_long st_mod(struct st_ctx *c, st_long a, st_long b);

/* Shift; a count that is not 0 to 63 shifts by 0. */
static inline st_long st_shl(st_long a, st_long count)
{
	return (unsigned long long)count < 64 ? (st_long)((unsigned long long)a << count) : a;
}

static inline st_long st_shr(st_long a, st_long count)
{
	return (unsigned long long)count < 64 ? a >> count : a;
}

/* ---- strings ----------------------------------------------------------- */

/* Allocates N bytes of scratch and one for the NUL; NULL with the error set. */
char *st_scratch(struct st_ctx *c, unsigned int n);

/* Allocates N bytes of scratch for variables, aligned and zeroed; takes up to 8 bytes more. */
void *st_area(struct st_ctx *c, unsigned int n);

/*
 * Makes the compiler forget what it knows of memory, so that it keeps no copy of a value in the
 * frame.
 */
#define ST_SETTLE() __asm__ __volatile__("" : : : "memory")

/* Make new strings in scratch, cut to maxstringlen - 1 bytes. */
struct st_str st_concat(struct st_ctx *c, struct st_str a, struct st_str b);
struct st_str st_dup(struct st_ctx *c, struct st_str s);

/* Winds scratch back to MARK but keeps S, which is moved there: a function's result. */
struct st_str st_keep(struct st_ctx *c, char *mark, struct st_str s);

/* Returns <0, 0 or >0, ordering bytes as memcmp() does. */
int st_compare(struct st_str a, struct st_str b);

static inline int st_equal(struct st_str a, struct st_str b)
{
	return a.len == b.len && __builtin_memcmp(a.p, b.p, a.len) == 0;
}

/* Copies S, which may lie in the variable's buffer, to the variable. */
void st_assign(struct st_strvar *v, struct st_str s);

/*
 * Copies S to BUF, of SIZE bytes, and ends it with a NUL: a literal may be longer than a
 * string of the script.  Returns the length.
 */
st_inline unsigned int st_save_text(char *buf, unsigned int size, struct st_str s)
{
	unsigned int n = s.len < size ? s.len : size - 1;

	__builtin_memcpy(buf, s.p, n);
	buf[n] = '\0';
	return n;
}

/* sprintf() with a canonical format (text/format.h); the result is in scratch. */
struct st_str st_format(struct st_ctx *c, const char *canonical,
			const union st_arg *args, unsigned int nargs);

/* ---- regular expressions ------------------------------------------------ */

/* States of st_regex_search(). */
#define ST_RE_DEAD 0			/* no match is possible any more */
#define ST_RE_MATCHED 1
#define ST_RE_FIRST 2			/* the first of all other states */
#define ST_RE_AT_END 1			/* flag: it is a match if the subject ends here */

/* Flags of st_regex_match()'s states: a match begins at this byte, or does so if this is
 * the subject's first byte. */
#define ST_RE_BEGINS 1
#define ST_RE_BEGINS_FIRST 2

/* Values of a step's from and to. */
#define ST_RE_FROM_FIRST 0		/* from the match's start, at the subject's first byte */
#define ST_RE_FROM_START 1		/* from the match's start elsewhere */
#define ST_RE_BEHIND 2			/* and above: behind the byte of node number - 2 */
#define ST_RE_DONE 0
#define ST_RE_NO_TAG 0xffff

/*
 * One step of st_regex_match(): from the node that was left to the next one, and the tags between.
 */
struct st_regex_step {
	unsigned short from, to;
	unsigned short tags;		/* index in .tags of the groups that begin or end here */
};

/*
 * A regular expression as tables of a DFA, made by translator/regex/: one for
 * st_regex_search() (search.c there) or, with steps, for st_regex_match() (split.c).
 */
struct st_regex {
	const unsigned char *classes;	/* [byte]: equivalent bytes have the same class */
	unsigned int nclasses;
	const unsigned short *next;	/* [state * nclasses + class] */
	const unsigned char *flags;	/* [state] */
	unsigned int start;		/* the first state; 0 for st_regex_match() */
	/* only for st_regex_match() */
	unsigned int ngroups;
	const unsigned int *rows;	/* a state's steps: rows[state] to rows[state + 1] - 1,
					   sorted by .from */
	const struct st_regex_step *steps;
	const unsigned short *tags;	/* lists: 2n, group n begins; 2n + 1, it ends */
};

/* Does the string match?  Fails when the handler's time is over. */
int st_regex_search(struct st_ctx *c, const struct st_regex *re, struct st_str s);

/* Does the same, and stores the match in c->match; st_program.groups must not be 0. */
int st_regex_match(struct st_ctx *c, const struct st_regex *re, struct st_str s);

/* ---- printing ---------------------------------------------------------- */

/*
 * Output is recorded, not formatted.  An item is a 16-bit format number, then each
 * argument: 8 bytes for an integer, a 32-bit length and the bytes for a string
 * (transport.h).  st_emit() stores the number and makes room for the rest, BYTES long; it
 * returns where that goes, or NULL if there is no room (the loss is counted).  BYTES is
 * summed as an unsigned long: many long strings are more than 4 GB.
 * printf("%d %s\n", x, s) with format number 3 is
 *
 *	char *p = st_emit(c, 3, 8 + 4ul + s.len);
 *
 *	if (p)
 *		st_emit_str(st_emit_long(p, x), s);
 */
#define ST_FMT_TEXT 0xffff	/* one string argument, printed as it is */
#define ST_FMT_WARN 0xfffe	/* to standard error: "WARNING: ", the string, a newline */
#define ST_FMT_ERROR 0xfffd	/* to standard error: "ERROR: ", the string, a newline */
#define ST_FMT_USTACK 0xfffc	/* a struct st_ustack (transport.h), printed with names */
#define ST_FMT_SPECULATION 0xfffb	/* a struct st_speculation (transport.h), and its text */
#define ST_FMT_SYSTEM 0xfffa	/* a command for a shell */
#define ST_FMT_SWITCH 0xfff9	/* an empty string: output goes on in the next file */
#define ST_FMT_SYMBOLS 0xfff8	/* prints nothing: the number of a file, a u16, whose names the
				   script asks for */
#define ST_FMT_ORIGIN 0xfff7	/* a struct st_origin (transport.h); precedes each piece of output if the
				   loader asks for it */
#define ST_FMT_HIST 0xfff6	/* a histogram: a struct st_hist_head (transport.h), and an item that
				   names it; its buckets come next */
#define ST_FMT_BUCKET 0xfff5	/* a struct st_bucket with values; an empty string ends the histogram */
#define ST_FMT_RAW_USTACK 0xfff4	/* a user stack that the reader unwinds: a struct bpf_ustack (lib/bpf/bpf.h) */
#define ST_FMT_LOWEST ST_FMT_RAW_USTACK

/* Commits the output collected so far to make room for BYTES; NULL: they don't fit. */
char *st_emit_slow(struct st_ctx *c, unsigned long bytes);

st_inline char *st_emit(struct st_ctx *c, unsigned short format, unsigned long bytes)
{
	char *p = c->out;

	if (st_unlikely((unsigned long)(c->out_end - p) < bytes + 2)) {
		p = st_emit_slow(c, bytes + 2);
		if (!p)
			return p;
	}
	__builtin_memcpy(p, &format, 2);
	c->out = p + 2 + bytes;
	return p + 2;
}

static inline char *st_emit_long(char *p, st_long v)
{
	__builtin_memcpy(p, &v, 8);
	return p + 8;
}

/* Copies the bytes of a string, which don't overlap. */
void st_copy_text(char *to, const char *from, unsigned int n);

st_inline char *st_emit_str(char *p, struct st_str s)
{
	__builtin_memcpy(p, &s.len, 4);
	if (__builtin_constant_p(s.len))
		__builtin_memcpy(p + 4, s.p, s.len);
	else
		st_copy_text(p + 4, s.p, s.len);
	return p + 4 + s.len;
}

/* Returns the context of the handler that runs on this CPU and level; NULL if none does. */
struct st_ctx *st_current(void);

/* Records an item with one string. */
st_inline void st_emit_one(struct st_ctx *c, unsigned short format, struct st_str s)
{
	char *p = st_emit(c, format, 4ul + s.len);

	if (st_likely(p != (void *)0))
		st_emit_str(p, s);
}

/* Print a string as it is, or as a warning. */
void st_print_text(struct st_ctx *c, struct st_str s);
void st_warn(struct st_ctx *c, struct st_str s);

/*
 * Records a histogram.  Begins with its head, and with the item that names it: of FORMAT, whose
 * members are the statistic's name and keys, with BYTES of arguments.  Returns where they go, and then
 * the buckets are to follow; or NULL, without room or after an error.
 *
 *	char *p = st_print_hist(c, st, d, 3, 4ul + key.len);
 *
 *	if (p) {
 *		st_emit_str(p, key);
 *		st_print_buckets(c, st, d);
 *	}
 */
char *st_print_hist(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d,
		    unsigned short format, unsigned long bytes);
void st_print_buckets(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d);

/* Returns a histogram, drawn as SystemTap draws it, as a string in scratch. */
struct st_str st_format_hist(struct st_ctx *c, const struct st_stat *st,
			     const struct st_stat_decl *d);

/* ---- globals ----------------------------------------------------------- */

/*
 * Add to, sum up and set a number that concurrent handlers only add to, so that each CPU has a
 * part.
 */
void st_counter_add(struct st_counter *k, st_long delta);
st_long st_counter_sum(const struct st_counter *k);
void st_counter_set(struct st_counter *k, st_long v);

/* Add to, clear and merge a scalar statistic, of which each CPU has a part. */
void st_agg_add(struct st_ctx *c, struct st_agg *a, st_long v);
void st_agg_clear(struct st_ctx *c, struct st_agg *a);
const struct st_stat *st_agg_merge(struct st_ctx *c, struct st_agg *a);	/* under the write lock */

/* Extracts a value; avg, min and max of no values are the error "empty aggregate". */
st_long st_stat_get(struct st_ctx *c, const struct st_stat *st, enum st_stat_op op);

/*
 * Return a histogram's number of buckets; a bucket's count, an error without values or without a
 * bucket i; the count of a bucket that exists, 0 without values; and the lowest value of bucket i.
 */
unsigned int st_hist_buckets(const struct st_stat_decl *d);
st_long st_hist_count(struct st_ctx *c, const struct st_stat *st,
		      const struct st_stat_decl *d, st_long i);
st_long st_hist_bucket(const struct st_stat *st, unsigned int i);
st_long st_hist_value(const struct st_stat_decl *d, unsigned int i);

/* ---- maps -------------------------------------------------------------- */

/*
 * K is an array of nkeys keys: for a["x", 3]
 *
 *	union st_arg k[2] = { { .s = ST_LIT("x") }, { .i = 3 } };
 *
 * Reading an absent element gives 0, "" or NULL and adds nothing.  Adding to a full map is
 * the error "Array overflow, check MAXMAPENTRIES" (or "check size limit (N)") unless it
 * wraps.  The caller holds the lock of the map's variable, for reading or writing: sorted
 * iteration, any iteration of a percpu map, and reading a percpu map's statistics count as
 * writing.  Adding to a percpu map needs no lock.  Reading a percpu map fails where its parts
 * together have more elements than it.  What walks over many elements (slices, draining,
 * clearing, sorting) fails when the handler's time is over.  st_map_get_stat()'s result is
 * valid until the next call for the same map.
 */
st_long st_map_get(struct st_ctx *c, struct st_map *m, const union st_arg *k);
struct st_str st_map_get_str(struct st_ctx *c, struct st_map *m, const union st_arg *k);
/* NULL: absent */
const struct st_stat *st_map_get_stat(struct st_ctx *c, struct st_map *m, const union st_arg *k);

void st_map_set(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long v);
void st_map_set_str(struct st_ctx *c, struct st_map *m, const union st_arg *k, struct st_str v);
void st_map_add(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long delta);
void st_map_add_stat(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long v);

/* Returns the element's value to be changed in place; an absent element is added with the
 * value 0.  NULL with the error set.  Not for percpu maps. */
st_long *st_map_ref(struct st_ctx *c, struct st_map *m, const union st_arg *k);

/* Bit i of 'any' is set if key i is '*' and matches any key: a[*, 3]. */
int st_map_has(struct st_ctx *c, struct st_map *m, const union st_arg *k, unsigned int any);
void st_map_delete(struct st_ctx *c, struct st_map *m, const union st_arg *k, unsigned int any);
void st_map_clear(struct st_ctx *c, struct st_map *m);
st_long st_map_count(struct st_ctx *c, struct st_map *m);

/*
 * Iteration, in order of insertion unless sorted.  The map doesn't change meanwhile: the
 * translator refuses scripts that would change it.
 *
 *	struct st_iter it;
 *	for (st_iter_begin(c, &it, m, &how, keys, any); st_iter_next(c, &it);)
 *		use(st_iter_key(&it, 0), st_iter_value(&it));
 *	st_iter_end(&it);
 *
 * st_iter_end() must be called however the loop is left (error, return, next).
 */
struct st_order {
	int by;				/* 0: not sorted; n: by key n, from 1; -1: by value */
	int descending;
	enum st_stat_op stat;		/* statistics: the value to sort by */
	unsigned int sorter;		/* which of the map's order buffers to use */
	st_long limit;			/* elements; <0: no limit */
};

/* A foreach that is under way: st_iter_begin() to st_iter_end(). */
struct st_iter {
	struct st_map *map;
	const void *node;		/* the current element */
	unsigned int pos, n;		/* sorted: position in the order buffer, its length */
	const unsigned int *order;
	st_long left;			/* elements until the limit */
	const union st_arg *keys;	/* only elements with these keys, */
	unsigned int any;		/* but those of set bits; all ones: every element */
	int sorter;			/* the order buffer in use; -1: none */
};

void st_iter_begin(struct st_ctx *c, struct st_iter *it, struct st_map *m,
		   const struct st_order *how, const union st_arg *keys, unsigned int any);
int st_iter_next(struct st_ctx *c, struct st_iter *it);
void st_iter_end(struct st_iter *it);
st_long st_iter_key(const struct st_iter *it, unsigned int i);
struct st_str st_iter_key_str(const struct st_iter *it, unsigned int i);
st_long st_iter_value(const struct st_iter *it);
struct st_str st_iter_value_str(const struct st_iter *it);
const struct st_stat *st_iter_value_stat(const struct st_iter *it);

/* ---- the thing probed -------------------------------------------------- */

/* Returns a register of the probed code, by its index in the words of struct pt_regs. */
static inline unsigned long st_reg(struct st_ctx *c, unsigned int i)
{
	if (st_likely(c->regs != (void *)0))
		return c->regs[i];
	st_error(c, "no registers here");
	return 0;
}

static inline void st_set_reg(struct st_ctx *c, unsigned int i, unsigned long v)
{
	if (st_likely(c->regs != (void *)0))
		c->regs[i] = v;
	else
		st_error(c, "no registers here");
}

/* Returns the tracepoint that was hit. */
static inline const struct st_trace *st_trace(struct st_ctx *c)
{
	return (const struct st_trace *)c->point;
}

/*
 * Returns a performance counter's current value: this CPU's, or, if it counts for a program's
 * threads, this thread's; 0 in threads of other programs.
 */
st_long st_perf_count(struct st_ctx *c, unsigned int counter);

/* A netfilter handler's packet; c->saved points to it. */
struct st_packet {
	st_long hooknum, skb, in, out, verdict;
};

static inline struct st_packet *st_packet(struct st_ctx *c)
{
	return (struct st_packet *)c->saved;
}

/* A system call; c->saved of its handlers points to it. */
struct st_syscall {
	st_long syscall, result;	/* its number; what it returns */
	st_long arg1, arg2, arg3, arg4, arg5, arg6;
};

static inline struct st_syscall *st_syscall(struct st_ctx *c)
{
	return (struct st_syscall *)c->saved;
}

/* $value of a procfs probe; c->saved points to it.  The runtime owns the 'room' bytes at text;
 * a value that exceeds them is cut, and so is st_value_get()'s string at maxstringlen. */
struct st_value {
	char *text;
	unsigned int len, room;
};

void st_value_set(struct st_ctx *c, struct st_str s);
void st_value_append(struct st_ctx *c, struct st_str s);
struct st_str st_value_get(struct st_ctx *c);

/*
 * Returns a register of user space: as it is in a handler hit there, else as it was when the task
 * entered the kernel.  A task without user space (a kernel thread) is an error.
 */
unsigned long st_ureg(struct st_ctx *c, unsigned int i);

/*
 * Returns a word of the program's vector register, in a handler of a place there; word 0 has the
 * lowest bytes.
 */
unsigned long st_vector(struct st_ctx *c, unsigned int reg, unsigned int word);

/* Returns the current thread's pointer to its thread-local storage in user space. */
unsigned long st_thread_pointer(struct st_ctx *c);

/*
 * Read and write 1, 2, 4 or 8 bytes of the kernel's memory, or of the current process's;
 * values read are zero-extended.  An address that can't be read is the error "read fault
 * [man error::fault] at 0x…".  User memory that is not present is a fault too, except in
 * handlers of places in programs, which wait for it (memory/wait.h).
 */
st_long st_kread(struct st_ctx *c, unsigned long addr, unsigned int size);
st_long st_uread(struct st_ctx *c, unsigned long addr, unsigned int size);
void st_kwrite(struct st_ctx *c, unsigned long addr, unsigned int size, st_long v);
void st_uwrite(struct st_ctx *c, unsigned long addr, unsigned int size, st_long v);

/* Read a string up to its NUL, MAX or maxstringlen - 1 bytes at most, into scratch. */
struct st_str st_kread_str(struct st_ctx *c, unsigned long addr, unsigned int max);
struct st_str st_uread_str(struct st_ctx *c, unsigned long addr, unsigned int max);

/* Read LEN bytes, NULs included (%m, %M, char arrays), into scratch. */
struct st_str st_kread_bytes(struct st_ctx *c, unsigned long addr, unsigned int len);
struct st_str st_uread_bytes(struct st_ctx *c, unsigned long addr, unsigned int len);

/*
 * Reads a string of MAX bytes at most and returns it in double quotes, with bytes that don't
 * print escaped; "..." follows if it was cut.  If the kernel's memory can't be read there,
 * the process's is tried; if neither can, the result is the address in hex, without quotes.
 */
struct st_str st_quoted_at(struct st_ctx *c, unsigned long addr, unsigned int max);

/* Returns the address of a per-CPU variable's instance on this CPU. */
unsigned long st_this_cpu(unsigned long percpu_addr);

/*
 * Returns the run-time address of a link address in the kernel (base 0) or an offset in a module's
 * section; an error if the module is not loaded.
 */
unsigned long st_relocate(struct st_ctx *c, unsigned int base, unsigned long link_addr);

/*
 * Returns the current process's address for a linked address in a program file; an error if the
 * process has not mapped its code.
 */
unsigned long st_program_address(struct st_ctx *c, unsigned int file, unsigned long link_addr);

#include "stap_funcs.h"

#endif
