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
 * the context's scratch, which the generated code winds back after each
 * statement.  A variable owns a buffer (struct st_strvar); assigning copies.
 *
 * Errors.  What fails sets c->error and returns a zero value; everything that
 * can fail does nothing while c->error is set.  Generated code tests it after
 * each statement and where a value steers control flow, and goes to the
 * innermost catch or out of the handler.
 *
 * Handlers run with a context of their own CPU and level (task, softirq,
 * hardirq, NMI), never re-entered; they neither sleep, allocate nor fault.
 */
#ifndef STAP_SCRIPT_H
#define STAP_SCRIPT_H

#include "attach.h"
#include "bounds.h"

typedef long long st_long;

struct st_str {
	const char *p;
	unsigned int len;
};

/* Helpers are inlined, unless there is so much code that the compiler's time counts. */
#ifdef ST_LARGE
#define st_inline static __attribute__((__noinline__, __unused__))
#else
#define st_inline static inline
#endif

#define ST_LIT(s) ((struct st_str){ s, sizeof(s) - 1 })
#define st_likely(x) __builtin_expect(!!(x), 1)
#define st_unlikely(x) __builtin_expect(!!(x), 0)

/* A key of a map; an argument of a format. */
union st_arg {
	st_long i;
	struct st_str s;
};

/* ---- what a script object carries -------------------------------------- */

struct st_ctx;

struct st_probe {
	void (*handler)(struct st_ctx *);
	int (*entry)(struct st_ctx *);	/* return probes: fills c->saved; or NULL.  Not 0:
					   it could not, there is nothing to return to */
	void (*condition)(struct st_ctx *);	/* probe … if (expr): works out *armed */
	int *armed;			/* its handler runs; NULL: always */
	const union st_arg *consts;	/* what a handler shared by several looks up; or NULL */
	const char *where;		/* "foo.stp:3:1" */
	unsigned int index;
	unsigned int saved_size;	/* bytes of c->saved */
	long budget;			/* statements a handler may run */
};

/* What every descriptor of a place begins with. */
struct st_point {
	const struct st_probe *probe;
	const char *pp;			/* resolved probe point */
	const char *func, *module;	/* "" when none */
	const char *pn;			/* the point as the script wrote it */
	unsigned int number;		/* with -t: in st_program.timed */
};

/* With -t, each place: what the report says of it. */
struct st_timed {
	const char *pp;			/* resolved probe point */
	const char *where;		/* the probe in the script */
	const char *from;		/* " from: …" for each step from there to here */
};

/* family "begin": begin, end, error; oneshot is a begin after which the session ends */
struct st_begin {
	struct st_point point;
	enum { ST_BEGIN, ST_END, ST_ERROR, ST_ONESHOT } kind;
	st_long sequence;		/* lower first */
};

/* family "timer" */
struct st_timer {
	struct st_point point;
	st_long interval;		/* ns; jiffies with .jiffies */
	st_long random;			/* ± as much, same unit */
	int jiffies;
};

/* family "code": places in kernel text */
struct st_site {
	struct st_point point;
	enum st_attach attach;
	unsigned int base;		/* index in st_program.bases, or ST_NO_BASE */
	unsigned long offset;		/* from the base's address */
	int maxactive;			/* 0: the runtime's choice */
	int optional;			/* a place that can't be had is not reported */
	int args_only;			/* at entry no registers are needed but those that
					   carry arguments, and ip, sp: cheaper */
	unsigned int caller_base;	/* returns: only those to this address, an offset from */
	unsigned long caller;		/* the base's; 0: to any */
};

#define ST_NO_BASE (~0U)		/* offset is an address as it is */

/* family "trace": tracepoints of the kernel (point.module "kernel") or a module */
struct st_trace {
	struct st_point point;
	struct st_str system, name;
};

/* family "perf": performance events, as perf_event_open(2) has them */
struct st_perf {
	struct st_point point;
	unsigned int type;
	unsigned long long config;
	unsigned long long period;	/* events between two hits; with hz, hits a second */
	int hz;
	const char *process;		/* only in processes that run this file; NULL: all */
	unsigned int counter;		/* not 0: the number of it for st_perf_count(), + 1: it
					   has no hits, it is read */
	struct st_watch {		/* PERF_TYPE_BREAKPOINT: what is watched */
		unsigned long address;
		int linked;		/* a link address of the kernel; else as it is */
		int percpu;		/* each CPU has its own, its area's offset away */
		unsigned int length;	/* 0: nothing */
		int reads;		/* reads too */
	} watch;
};

/* family "procfs": files of the script's own */
struct st_procfs {
	struct st_point point;
	const char *path;		/* below the module's directory */
	int write;			/* a write probe; else a read probe */
	unsigned int umask;		/* takes from 0444 or 0222 */
	unsigned int maxsize;		/* of what is read; 0: as a string */
};

/* family "netfilter" */
struct st_netfilter {
	struct st_point point;
	unsigned int family, hook;	/* NFPROTO_…, NF_… of it */
	int priority;
};

/* A symbol that only one thing in its module has, and how far it lies from a base. */
struct st_anchor {
	const char *symbol;
	unsigned long offset;
};

/* What places are relative to; address and state are filled in when loaded. */
struct st_base {
	const char *module;		/* "kernel": offset is a link address, shifted by
					   where ST_ANCHOR really is */
	const char *section;		/* ".text"; "=NAME": a symbol, of the kernel too */
	const struct st_anchor *anchors;	/* in a module's section; the last has no symbol.
					   NULL: none */
	const char *build_id;		/* of the module, in hex; NULL: any will do */
	unsigned long address;		/* 0: not there */
	enum st_base_state {
		ST_BASE_UNTOLD,
		ST_BASE_AWAITED,	/* its module is not loaded */
		ST_BASE_FOUND,
		ST_BASE_MISSING,	/* its module has no such, or more than one */
		ST_BASE_OTHER_BUILD,	/* its module is not the one the script was made for */
	} state;
	int kprobes_may;		/* a symbol's: it is not on the kernel's list of what
					   kprobes may not touch */
};

/* The exported data symbol whose link address the script carries. */
#define ST_ANCHOR system_state

enum st_stat_op {
	ST_COUNT, ST_SUM, ST_MIN, ST_MAX, ST_AVG, ST_VARIANCE,
};

enum st_hist { ST_HIST_NONE, ST_HIST_LOG, ST_HIST_LINEAR };

struct st_stat_decl {
	unsigned int ops;		/* 1 << ST_COUNT …: what is extracted */
	enum st_hist hist;
	st_long lo, hi, step;		/* ST_HIST_LINEAR */
	int shift;			/* variance */
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
	enum { ST_V_LONG, ST_V_STRING, ST_V_STAT } value;
	unsigned int maxentries;
	int sized;			/* maxentries is declared, not MAXMAPENTRIES */
	int wrap;			/* full: the oldest entry goes */
	int percpu;			/* value is only added to: one map a CPU, summed
					   when read (ST_V_LONG, ST_V_STAT) */
	unsigned int nsorters;		/* order buffers: one a sorted foreach */
	/* STAT; MAP of ST_V_STAT */
	struct st_stat_decl stat;
};

/* Descriptors of one family. */
struct st_lock {
	int word;			/* 0 free, n readers, -1 a writer */
	unsigned int contended;		/* times it was not to be had at once */
	unsigned int timed_out;		/* times it was not to be had at all */
} __attribute__((aligned(64)));

struct st_table {
	const char *family;
	const void *items;
	unsigned int n;
};

struct st_program {
	unsigned int maxstringlen;	/* with the NUL */
	unsigned int maxnesting;	/* calls */
	unsigned int maxerrors, maxskipped;
	unsigned int scratch;		/* bytes of scratch a context needs */
	unsigned int maxtrylock;	/* tries for a lock, 10 µs apart */
	int kretactive;			/* maxactive where a site says none; 0: our choice */
	int hist_width;			/* of a histogram's bars, in characters */
	int hist_elision;		/* empty rows kept beside a tilde; negative: all */
	int overload;			/* the overload threshold holds */
	st_long overload_interval, overload_threshold;	/* cycles */
	int untimed;			/* a handler may take as long as it likes */
	int suppress_errors;		/* handler errors are counted, not fatal */
	int skip_badvars;		/* what can't be read is 0, without an error */
	unsigned long anchor;		/* link address of ST_ANCHOR; 0: unknown */
	struct st_base *bases;		/* [0] is the kernel */
	unsigned int nbases;
	const struct st_global *globals;
	unsigned int nglobals;
	struct st_lock *locks;		/* the globals' */
	const struct st_lines_of {
		unsigned int base;
		const struct st_lines *lines;	/* srcline.h */
	} *lines;			/* source lines, where the script asks for them */
	unsigned int nlines;
	const struct st_timed *timed;	/* -t */
	unsigned int ntimed;		/* 0: no -t */
	const struct st_probe *const *probes;
	unsigned int nprobes;
	const struct st_table *tables;
	unsigned int ntables;
	const char *const *formats;	/* canonical (format.h); records name them by index */
	unsigned int nformats;
	unsigned int groups;		/* the most of any st_regex; 0: nothing asks for them */
};

/* Defined by the script. */
extern const struct st_program st_program;

/* ---- the context ------------------------------------------------------- */

/* What the last =~ of this handler matched. */
struct st_match {
	unsigned int ngroups;		/* the whole is one; 0: it failed, or there was none */
	char *text;			/* the whole match */
	int *at;			/* [2n], [2n + 1]: group n's first and behind its last
					   byte in text; -1: it took no part */
	unsigned short *states;		/* room for the matcher */
};

/* Calls told of after an error. */
#define ST_CALLERS 16

/* The part generated code sees; the runtime's own follows it (context.h). */
struct st_ctx {
	union {
		const char *error;	/* message, or NULL */
		const char *last_error;	/* its name in embedded C */
	};
	const char *near;		/* where: "near operator '/' at foo.stp:3:7" */
	long budget;			/* statements left before the clock is looked at */
	long reserve;			/* … and behind them */
	unsigned int nesting;		/* calls deep */
	unsigned long stack_end;	/* generated code leaves what is below to others */
	unsigned int by_next;	/* a function body ended by 'next' */
	char *sp, *sp_end;		/* scratch: next free byte, end */
	char *out, *out_end;		/* output: next free byte, end */
	union {
		unsigned long *regs;	/* words of struct pt_regs, or NULL */
		struct pt_regs *kregs;	/* its name in embedded C */
	};
	char *saved;			/* return probes: what entry saved; procfs: struct
					   st_value; netfilter: struct st_packet */
	char *error_buffer;		/* where messages are made: over maxstringlen bytes */
	const struct st_point *point;
	struct st_match match;		/* has its room when st_program.groups is not 0 */
	unsigned int ncallers;
	const char *callers[ST_CALLERS];	/* of the function that failed; as near */
};

/* Sets the error (printf subset: %s %d %lld %llx %p) unless one is set.
 * A precision above 32767 makes the kernel warn: text of a script goes through
 * st_error_text(). */
void st_error(struct st_ctx *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void st_error_text(struct st_ctx *c, struct st_str s);

/* It was set in a function, called NEAR "…": where it came from, innermost call first. */
__attribute__((cold)) void st_called(struct st_ctx *c, const char *near);

/* The budget fell below zero: 0, there is more; or -1, the error is set. */
__attribute__((cold)) int st_out_of_budget(struct st_ctx *c, const char *near);

/* N statements are about to run, the first of them NEAR "…"; too many: to LABEL. */
#define ST_STEP(c, n, place, label) do {				\
	if (st_unlikely(((c)->budget -= (n)) < 0) &&			\
	    st_out_of_budget(c, place))					\
		goto label;						\
} while (0)

/* After what may have failed: then to LABEL. */
#define ST_CHECK(c, label) do {						\
	if (st_unlikely((c)->error != 0))				\
		goto label;						\
} while (0)

/* Below the whole frame of the function that asks. */
static inline __attribute__((always_inline)) unsigned long st_stack_pointer(void)
{
#ifdef __x86_64__
	unsigned long sp;

	asm volatile("mov %%rsp, %0" : "=r"(sp));
	return sp;
#else
	return (unsigned long)__builtin_frame_address(0);
#endif
}

static inline __attribute__((always_inline)) int st_stack_short(struct st_ctx *c)
{
	return st_unlikely(st_stack_pointer() < c->stack_end);
}

/* A handler begins: leaves at once, a skipped hit, if its frame leaves too little stack. */
void st_skip(void);

#define ST_BEGIN_HANDLER(c, result) do {				\
	if (st_stack_short(c)) {					\
		st_skip();						\
		return result;						\
	}								\
} while (0)

/* A script function is entered / left.  0, or -1 with the error set. */
static inline __attribute__((always_inline)) int st_call(struct st_ctx *c)
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

/* Catch: takes the message (without its place, as under SystemTap) into a
 * variable (NULL: nowhere) and clears the error; but that the budget ran out
 * can't be caught: that error stays set, for every catch outwards. */
void st_catch(struct st_ctx *c, struct st_strvar *message);

/* A probe's condition came out otherwise than before. */
void st_condition_changed(void);

/* The session ends after this handler. */
void st_exit(struct st_ctx *c);

/* The same, and the handler ends here: an error that is none and can't be caught. */
void st_abort(struct st_ctx *c);

/* ---- locks ------------------------------------------------------------- */

struct st_lockref {
	struct st_lock *lock;
	int write;
	struct st_map **map;		/* kept per CPU, to be drained: or NULL */
	struct st_agg **agg;
};

/*
 * Takes the locks, in the order given (the program's one order), with
 * interrupts off until st_unlock_all(); gives up after maxtrylock tries in all.
 * Returns 0, or -1: the handler is skipped and counted.  Not nested.
 */
int st_lock_all(struct st_ctx *c, const struct st_lockref *refs, unsigned int n);
void st_unlock_all(struct st_ctx *c, const struct st_lockref *refs, unsigned int n);

/* ---- integers ---------------------------------------------------------- */

/* By zero, and INT64_MIN / -1: script errors.  Shifts take the count modulo 64. */
st_long st_div(struct st_ctx *c, st_long a, st_long b);
st_long st_mod(struct st_ctx *c, st_long a, st_long b);

/* ---- strings ----------------------------------------------------------- */

/* N bytes of scratch (and room for the NUL), or NULL with the error set. */
char *st_scratch(struct st_ctx *c, unsigned int n);

/* N bytes of it for variables: aligned, zeroed; takes up to 8 bytes more. */
void *st_area(struct st_ctx *c, unsigned int n);

/* In scratch, cut to maxstringlen. */
struct st_str st_concat(struct st_ctx *c, struct st_str a, struct st_str b);
struct st_str st_dup(struct st_ctx *c, struct st_str s);

/* Winds scratch back to MARK and keeps S, moved there: a function's result. */
struct st_str st_keep(struct st_ctx *c, char *mark, struct st_str s);

/* <0, 0, >0 as memcmp orders bytes. */
int st_compare(struct st_str a, struct st_str b);

static inline int st_equal(struct st_str a, struct st_str b)
{
	return a.len == b.len && __builtin_memcmp(a.p, b.p, a.len) == 0;
}

/* Copies into the variable's buffer; S may lie in it. */
void st_assign(struct st_strvar *v, struct st_str s);

/* sprintf by a canonical format, into scratch. */
struct st_str st_format(struct st_ctx *c, const char *canonical,
			const union st_arg *args, unsigned int nargs);

/* ---- regular expressions ------------------------------------------------ */

/* States of st_regex_search(). */
#define ST_RE_DEAD 0			/* nothing can match any more */
#define ST_RE_MATCHED 1
#define ST_RE_FIRST 2			/* the rest */
#define ST_RE_AT_END 1			/* flag: matches where the subject ends */

/* Flags of st_regex_match()'s states: a match begins here, or if this is the
 * subject's first byte; where its steps are from and to. */
#define ST_RE_BEGINS 1
#define ST_RE_BEGINS_FIRST 2
#define ST_RE_FROM_FIRST 0		/* the start, at the subject's first byte */
#define ST_RE_FROM_START 1		/* the start */
#define ST_RE_BEHIND 2			/* and up: behind the byte of a node */
#define ST_RE_DONE 0
#define ST_RE_NO_TAG 0xffff

struct st_regex_step {
	unsigned short from, to;
	unsigned short tags;		/* first of a list in .tags: what is here now */
};

/*
 * A regular expression, as translator/regex/ makes it: for st_regex_search(), or
 * with steps, for st_regex_match() (search.c and split.c there say how they work).
 */
struct st_regex {
	const unsigned char *classes;	/* [byte] */
	unsigned int nclasses;
	const unsigned short *next;	/* [state * nclasses + class] */
	const unsigned char *flags;	/* [state] */
	unsigned int start;		/* search: the first state; match: it is 0 */
	/* match */
	unsigned int ngroups;
	const unsigned int *rows;	/* [state], [state + 1]: its steps, in order of .from */
	const struct st_regex_step *steps;
	const unsigned short *tags;	/* 2n: group n begins; 2n + 1: it ends */
};

/* Does it match? */
int st_regex_search(const struct st_regex *re, struct st_str s);

/* The same, and notes in c->match what it was; needs st_program.groups. */
int st_regex_match(struct st_ctx *c, const struct st_regex *re, struct st_str s);

/* ---- printing ---------------------------------------------------------- */

/*
 * Output is recorded, not formatted: a 16-bit format number, then each
 * argument as 8 bytes, or as a 32-bit length and the bytes (transport.h).
 * st_emit() makes room for all of an item (bytes: its size without the number)
 * and stores the number; NULL when it can't be had (the loss is counted).
 */
#define ST_FMT_TEXT 0xffff	/* one string argument, printed as it is */
#define ST_FMT_WARN 0xfffe	/* to standard error, "WARNING: " before, newline after */
#define ST_FMT_ERROR 0xfffd	/* likewise "ERROR: " */

/* Hands what is in the context's output on to make room for bytes; NULL: lost. */
char *st_emit_slow(struct st_ctx *c, unsigned int bytes);

st_inline char *st_emit(struct st_ctx *c, unsigned short format, unsigned int bytes)
{
	char *p = c->out;

	if (st_unlikely((unsigned long)(c->out_end - p) < bytes + 2ul)) {
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

st_inline char *st_emit_str(char *p, struct st_str s)
{
	__builtin_memcpy(p, &s.len, 4);
	__builtin_memcpy(p + 4, s.p, s.len);
	return p + 4 + s.len;
}

/* A text as it is; warn() and error output. */
void st_print_text(struct st_ctx *c, struct st_str s);
void st_warn(struct st_ctx *c, struct st_str s);

/* A histogram, as SystemTap draws it. */
void st_print_hist(struct st_ctx *c, const struct st_stat *st, const struct st_stat_decl *d);
struct st_str st_format_hist(struct st_ctx *c, const struct st_stat *st,
			     const struct st_stat_decl *d);

/* ---- globals ----------------------------------------------------------- */

void st_counter_add(struct st_counter *k, st_long delta);
st_long st_counter_sum(const struct st_counter *k);
void st_counter_set(struct st_counter *k, st_long v);

/* A scalar statistic: added to on this CPU, merged when read. */
void st_agg_add(struct st_ctx *c, struct st_agg *a, st_long v);
void st_agg_clear(struct st_agg *a);
const struct st_stat *st_agg_merge(struct st_agg *a);	/* under the write lock */

/* What is extracted; avg, min, max of nothing: the error "empty aggregate". */
st_long st_stat_get(struct st_ctx *c, const struct st_stat *st, enum st_stat_op op);

/* Buckets of its histogram: how many, the count in one (out of range: an error),
 * and the value a bucket begins at. */
unsigned int st_hist_buckets(const struct st_stat_decl *d);
st_long st_hist_count(struct st_ctx *c, const struct st_stat *st,
		      const struct st_stat_decl *d, st_long i);
st_long st_hist_value(const struct st_stat_decl *d, unsigned int i);

/* ---- maps -------------------------------------------------------------- */

/*
 * Keys are an array of nkeys.  Reading an absent element gives 0, "" or an
 * empty statistic and adds nothing.  A full map is the error "Array overflow,
 * check MAXMAPENTRIES" (or "size limit (N)") unless it wraps.  The lock of the map's variable is
 * held by the caller, for reading or writing (sorted iteration, any iteration of
 * a percpu map, and merged statistics count as writing); the adders of a percpu
 * map need none.  What a statistic's getter returns holds until the next call of
 * it for that map.
 */
st_long st_map_get(struct st_map *m, const union st_arg *k);
struct st_str st_map_get_str(struct st_map *m, const union st_arg *k);
const struct st_stat *st_map_get_stat(struct st_map *m, const union st_arg *k);	/* NULL: absent */

void st_map_set(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long v);
void st_map_set_str(struct st_ctx *c, struct st_map *m, const union st_arg *k, struct st_str v);
void st_map_add(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long delta);
void st_map_add_stat(struct st_ctx *c, struct st_map *m, const union st_arg *k, st_long v);

/* The element's value to be changed in place, added as 0 when absent; NULL with
 * the error set.  Not for percpu maps. */
st_long *st_map_ref(struct st_ctx *c, struct st_map *m, const union st_arg *k);

/* Bit i of 'any': key i is '*'. */
int st_map_has(struct st_map *m, const union st_arg *k, unsigned int any);
void st_map_delete(struct st_map *m, const union st_arg *k, unsigned int any);
void st_map_clear(struct st_map *m);
st_long st_map_count(struct st_map *m);

/*
 * Iteration.  The map does not change while it goes on (the translator sees to
 * it).  Unsorted: in order of insertion.
 *
 *	struct st_iter it;
 *	for (st_iter_begin(c, &it, m, &how, keys, any); st_iter_next(&it);)
 *		use(st_iter_key(&it, 0), st_iter_value(&it));
 *	st_iter_end(&it);
 *
 * st_iter_end() is called however the loop is left (error, return, next).
 */
struct st_order {
	int by;				/* 0 not sorted, 1… that key, -1 the value */
	int descending;
	enum st_stat_op stat;		/* statistics: by this */
	unsigned int sorter;		/* which of the map's order buffers */
	st_long limit;			/* <0: none; sorting may stop there */
};

struct st_iter {
	struct st_map *map;
	const void *node;		/* now */
	unsigned int pos, n;		/* sorted: in the order buffer */
	const unsigned int *order;
	st_long left;			/* of the limit */
	const union st_arg *keys;	/* slice */
	unsigned int any;		/* all ones: no slice */
	int sorter;			/* held; -1: none */
};

void st_iter_begin(struct st_ctx *c, struct st_iter *it, struct st_map *m,
		   const struct st_order *how, const union st_arg *keys, unsigned int any);
int st_iter_next(struct st_iter *it);
void st_iter_end(struct st_iter *it);
st_long st_iter_key(const struct st_iter *it, unsigned int i);
struct st_str st_iter_key_str(const struct st_iter *it, unsigned int i);
st_long st_iter_value(const struct st_iter *it);
struct st_str st_iter_value_str(const struct st_iter *it);
const struct st_stat *st_iter_value_stat(const struct st_iter *it);

/* ---- the thing probed -------------------------------------------------- */

/* A saved register by its index in struct pt_regs' words; 0 without registers. */
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

/* The tracepoint a handler was called by. */
static inline const struct st_trace *st_trace(struct st_ctx *c)
{
	return (const struct st_trace *)c->point;
}

/*
 * A counter, now: this CPU's, or where it counts for a program's threads, this
 * thread's; 0 in others.
 */
st_long st_perf_count(struct st_ctx *c, unsigned int counter);

/* The packet a netfilter handler sees: c->saved is one. */
struct st_packet {
	st_long hooknum, skb, in, out, verdict;
};

static inline struct st_packet *st_packet(struct st_ctx *c)
{
	return (struct st_packet *)c->saved;
}

/* $value of a procfs probe: c->saved is one, whose room bytes at text are the
 * runtime's.  What is too much for it is left out; a string is cut. */
struct st_value {
	char *text;
	unsigned int len, room;
};

void st_value_set(struct st_ctx *c, struct st_str s);
void st_value_append(struct st_ctx *c, struct st_str s);
struct st_str st_value_get(struct st_ctx *c);

/* One of user space: as they are now, or as they were when it entered the kernel. */
unsigned long st_ureg(struct st_ctx *c, unsigned int i);

/*
 * Memory, 1, 2, 4 or 8 bytes, zero-extended; an address that can't be read is
 * the error "read fault [man error::fault] at 0x… (near …)".  User memory that is not
 * present is a fault too: handlers don't sleep.
 */
st_long st_kread(struct st_ctx *c, unsigned long addr, unsigned int size);
st_long st_uread(struct st_ctx *c, unsigned long addr, unsigned int size);
void st_kwrite(struct st_ctx *c, unsigned long addr, unsigned int size, st_long v);
void st_uwrite(struct st_ctx *c, unsigned long addr, unsigned int size, st_long v);

/* Up to max bytes (maxstringlen - 1 at most) to the NUL, into scratch. */
struct st_str st_kread_str(struct st_ctx *c, unsigned long addr, unsigned int max);
struct st_str st_uread_str(struct st_ctx *c, unsigned long addr, unsigned int max);

/* LEN bytes as they are, NULs too (%m, %M, char arrays). */
struct st_str st_kread_bytes(struct st_ctx *c, unsigned long addr, unsigned int len);
struct st_str st_uread_bytes(struct st_ctx *c, unsigned long addr, unsigned int len);

/*
 * The string at an address, up to max bytes of it, in double quotes and with
 * what doesn't print escaped; "..." follows one that was cut.  User memory is
 * tried where the kernel's can't be read; where neither can, the text is the
 * address in hex, without quotes.
 */
struct st_str st_quoted_at(struct st_ctx *c, unsigned long addr, unsigned int max);

/* The address of a per-CPU variable's instance on this CPU. */
unsigned long st_this_cpu(unsigned long percpu_addr);

/* A link address in the kernel image (base 0) or in a module's section, now. */
unsigned long st_relocate(struct st_ctx *c, unsigned int base, unsigned long link_addr);

#include "stap_funcs.h"

#endif
