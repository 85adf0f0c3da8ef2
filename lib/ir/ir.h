/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The intermediate program: what a script's bodies do, before it is C or
 * anything else that runs.
 *
 * Lowering (translator/lower/) makes it of the elaborated program, and decides
 * there what is locked, kept, read ahead and checked; an engine (translator/
 * backend/) runs it or prints it as it stands.  A body is a tree: a block is a
 * list of operations, and some operations, the regions, have blocks.  The others
 * are three-address code.  For
 *
 *	probe timer.s(1) { n += a["x"] }
 *
 * --dump-ir prints
 *
 *	handler 0 at input:1:7
 *		locks write @n, read @a
 *		step #1 -> out	; near identifier 'n' at input:1:20
 *		locked
 *			check -> out
 *			statement
 *				%0: word = block
 *					%1: tuple = tuple "x"
 *					%0: word = get @a %1	; near identifier 'a' at …
 *					check -> out
 *				plus @n %0
 *
 * Values (%0) are words of 64 bits, strings, statistics and tuples of keys.  The
 * operation that makes a value declares it, and it ends with the block it is
 * declared in.  A region may declare a value that operations inside define: each
 * way through must.
 *
 * A string is a slice: bytes that belong to a literal, a variable, an element or
 * scratch.  It is valid until its owner may change; DUP copies it into scratch.
 * Scratch is wound back at the end of the STATEMENT around.  There are three
 * exceptions: a FOREACH's keys last as long as the loop, what KEEP keeps belongs
 * to the body, and the message that a TRY catches belongs to its variable.
 *
 * An operation that may fail leaves an error behind and gives 0 or "".  A CHECK
 * behind it, or behind several, goes the way it carries: to the innermost
 * region that catches, or to the body's end.  Other ways out are no errors: RETURN
 * and NEXT leave the body, and a lock that takes too long skips the handler.
 * Whatever way leads out of a FOREACH ends its cursor, and out of LOCKED
 * evaluates the conditions that the handler decides, and unlocks.
 *
 * Handlers that differ only in constants are one: its probes have the constants.  With
 *
 *	probe syscall.open { println("open", n) }	(and a hundred others)
 *
 * handler 0 is that of all of them, "print own.0 %0" in it prints with the format that the
 * probe which is hit has as its constant 0, and "; near own.1" is an error's place likewise.
 *
 * A program is whole: it has its limits, its globals, what its patterns match and where its probes are, so an
 * engine in a process takes nothing of the translator's.
 *
 * Everything lies in the arena.
 */
#ifndef STAP_IR_H
#define STAP_IR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sbuf.h"
#include "base/vec.h"
#include "fetch.h"

struct st_regex;

/* The version of the program and its dump.  A change to the meaning of either adds one. */
enum { IR_VERSION = 14 };

/* The types of values. IR_VOID: no value. */
enum ir_type { IR_VOID, IR_WORD, IR_STRING, IR_STATISTIC, IR_TUPLE };

/* The operations, as ir.def lists them. */
enum ir_opcode {
#define IR_OP(code, name, result, symbol, args, traits) IR_##code,
#include "ir/ir.def"
#undef IR_OP
	IR_OPCODES
};

/* What operations do. */
enum {
	IR_FAILS = 1,		/* always may fail */
	IR_MAKES = 2,		/* the result is a string in scratch */
	IR_WRITES = 4,		/* changes the global */
	IR_REGION = 8,		/* has blocks */
	IR_AGAIN = 16,		/* a region whose operations may define its result again */
	IR_LOOPS = 32,		/* a region that BREAK and CONTINUE leave */
	IR_CATCHES = 64,	/* a region to which a check in its first block leads */
	IR_TAKES_WAY = 128,	/* has a way */
	IR_LEAVES = 256,	/* nothing runs behind it */
};

/* What 'symbol' is an index of: the program's tables, or the body's. */
enum ir_symbol { IR_OF_NOTHING, IR_OF_GLOBAL, IR_OF_LOCAL, IR_OF_FUNCTION, IR_OF_REGEX,
		 IR_OF_KEPT, IR_OF_SAVED, IR_OF_FORMAT };

/* A line of ir.def. */
struct ir_opcode_info {
	const char *name;
	char result;
	enum ir_symbol symbol;
	const char *args;
	unsigned traits;
};

extern const struct ir_opcode_info ir_opcodes[IR_OPCODES];

typedef vec(unsigned) ir_numbers;

/*
 * C that the script's author wrote: an operation, a function, or what stands outside of both.  A file has
 * an operation's text only, because only the module's engine can take more.
 */
struct ir_foreign {
	const char *code;
	const char *file;		/* where it begins, for the compiler's messages; or NULL */
	unsigned line, col;
	ir_numbers reads, writes;	/* the globals that it names, each once */
	/* a function's */
	vec(const char *) params;
	bool unmangled;			/* it calls its arguments THIS->x */
	bool unmodified_fnargs;		/* it leaves its string arguments as they are */
	bool catches_faults;		/* it has a label for faults */
};

/* An argument.  Reading one has no effect and doesn't fail. */
struct ir_operand {
	enum ir_operand_kind {
		IR_ABSENT,	/* '*' among keys; an argument left out */
		IR_NUMBER,	/* number */
		IR_LITERAL,	/* text */
		IR_VALUE,	/* value 'index' of the body */
		IR_LOCAL,	/* local 'index', as it is when the operation runs */
		IR_GLOBAL,	/* global string 'index', likewise */
		IR_OWN,		/* constant 'index' of the probe whose handler runs */
		IR_KEPT,	/* what KEEP stored in 'index' */
		IR_SLOT,	/* value 'index' of the area that is value 'of' */
		IR_KEY,		/* key 'index' of this round of the loop labelled 'of' */
		IR_ELEMENT,	/* the element of this round of the loop labelled 'of' */
	} kind;
	enum ir_type type;
	unsigned index;
	union {
		int64_t number;
		const char *text;
		unsigned of;
	};
};

typedef vec(struct ir_operand) ir_operands;

/* What EXTRACT takes from a statistic. */
enum ir_extract { IR_COUNT, IR_SUM, IR_MIN, IR_MAX, IR_AVG, IR_VARIANCE };

/* The order of a FOREACH. */
struct ir_order {
	int by;				/* 0: none; 1…: that key; -1: the element */
	bool descending;
	enum ir_extract of;		/* of elements that are statistics */
	unsigned sorter;		/* which of the array's buffers sorts it */
};

/* A list of operations that run one after the other. */
struct ir_block {
	vec(struct ir_op *) ops;
};

/* The result of an operation that defines no value, and the number of no constant. */
enum { IR_NO_VALUE = UINT32_MAX, IR_NO_CONSTANT = UINT32_MAX };

/* An operation; its row in ir.def says which members it uses. */
struct ir_op {
	enum ir_opcode code;
	bool may_fail;
	unsigned result;		/* the value it defines, or IR_NO_VALUE */
	unsigned symbol, n;		/* see ir.def */
	ir_operands args;
	const char *what, *at;		/* errors are "near WHAT at AT"; or NULL */
	const char *text;
	unsigned near, format;		/* constants of the probe that stand for 'what' and 'at', and
					   for the format: PRINT's symbol, PRINT_HIST's n, FORMAT's
					   text; or IR_NO_CONSTANT */
	const struct term *term;	/* FETCH, PUT */
	const struct ir_foreign *foreign;	/* FOREIGN…: the C, for the engine that takes it */
	const struct ir_order *order;	/* FOREACH */
	const struct ir_op *way;	/* a region around it, or NULL: the body's end */
	struct ir_block *blocks[2];	/* of a region: the second may be NULL */
	unsigned label;			/* of a region that is a way: its number in the body */
};

/* A parameter or local variable.  One that only ever holds a literal is replaced by the literal. */
struct ir_local {
	const char *name;
	enum ir_type type;
	bool is_written;		/* a parameter that the body assigns to */
};

/* Something that a handler locks while it is in LOCKED. */
struct ir_lock {
	unsigned global;
	bool write;
};

/* A body: like a C function, it has locals and values of its own. */
struct ir_body {
	enum ir_body_kind {
		IR_FUNCTION,		/* of the script; its arguments are the first locals */
		IR_HANDLER,
		IR_ENTRY,		/* saves a return probe's values at the entry; under the
					   probe's locks if locks.n */
		IR_CONDITION,		/* of a probe; ARM says whether it holds */
	} kind;
	unsigned number;		/* of the function or probe */
	const char *name, *at;
	enum ir_type type;		/* a function's result */
	unsigned nparams;
	vec(struct ir_local) locals;
	vec(enum ir_type) values, kept;
	vec(struct ir_lock) locks;	/* in the order in which they are taken */
	vec(unsigned) decides;		/* conditions, by their probes' numbers in ascending order,
					   evaluated before the locks are given back */
	size_t tuple_values;		/* of its tuples and areas; the interpreter's (link.c) */
	struct ir_block block;
};

/*
 * What a statistic keeps: "@avg(s)" and "@hist_linear(s, 0, 100, 10)" in a script make
 *
 *	extracts 1 << IR_AVG, hist IR_LINEAR, lo 0, hi 100, step 10
 */
struct ir_shape {
	unsigned extracts;		/* bits: 1 << enum ir_extract */
	enum ir_hist { IR_NO_HIST, IR_LOG, IR_LINEAR } hist;
	int64_t lo, hi, step;		/* IR_LINEAR; step > 0 */
	unsigned shift;			/* of IR_VARIANCE: bits of fraction */
};

/* A global variable. */
struct ir_global {
	const char *name;
	enum ir_type type;		/* of the value, or of an array's elements */
	vec(enum ir_type) keys;		/* none: no array */
	ir_numbers rooms;		/* of each key, if it is a string that is stored: what the
					   longest needs, with its NUL; 0, or none: limits.string */
	bool percpu;			/* kept in parts, which reading adds up */
	int64_t number;			/* a scalar word's value at the start */
	const char *text;		/* a scalar string's, shorter than limits.string */
	int64_t entries;		/* an array's most elements */
	bool sized;			/* the script gives 'entries', not MAXMAPENTRIES: for the
					   message when it is full */
	bool wraps;			/* when full, a new element replaces the oldest */
	unsigned sorters;		/* order buffers, one for each sorted FOREACH */
	struct ir_shape shape;		/* IR_STATISTIC */
	const char *at;
};

/* A function: the script's own, which has a body; a builtin; or a user's in C. */
struct ir_function {
	const char *name;
	enum ir_type type;
	vec(enum ir_type) params;
	enum { IR_SCRIPT, IR_BUILTIN, IR_USERS_C } written_in;
	int longest;			/* a builtin's string: the room that the longest needs, with its
					   NUL; 0: limits.string; -N: that of argument N, from 1 */
	bool nexts;			/* it may execute 'next' */
	const char *at;
	const struct ir_body *body;	/* IR_SCRIPT */
	const struct ir_foreign *foreign;	/* IR_USERS_C */
};

/* A regular expression, as the tables of its DFA (runtime/abi/stap_script.h). */
struct ir_pattern {
	const char *text;
	const struct st_regex *tables;
	size_t nstates, nsteps, ntags;	/* lengths of the tables that don't contain their own */
};

/* When a place is hit.  Input is a character or line of standard input, which the handler fetches as
 * st_value_get(); of a file that is read, the handler stores the contents.  Of the last kind only the kernel
 * can tell. */
enum ir_event { IR_BEGIN, IR_END, IR_ERROR, IR_ONESHOT, IR_NEVER, IR_TIMER, IR_INPUT_CHAR, IR_INPUT_LINE, IR_FILE,
		IR_KERNELS };

/*
 * Where addresses of the kernel or of a module begin: OFFSET bytes before a symbol, whose address the
 * running kernel tells.  The image of a vmlinux, in which ST_ANCHOR is at 0xffffffff82c0f1a0, is
 *
 *	module "kernel", symbol "system_state", offset 0xffffffff82c0f1a0
 */
struct ir_base {
	const char *module, *symbol;	/* symbol: NULL if no symbol tells */
	uint64_t offset;
};

/*
 * A program or shared library that has places: the file at 'path', if it is still the one that the translator
 * read.  Its linked addresses are 'distance' above the offsets of its code.
 */
struct ir_file {
	const char *path;
	const char *build_id;		/* in hex; NULL: it has none */
	const char *identity;		/* if only that file will do (base/regular.h); else NULL */
	uint64_t size;			/* bytes, of a file without a build-id; 0: any */
	unsigned owner;			/* user */
	bool awaited;			/* nothing was there */
	uint64_t distance;
};

/* An instruction of a file: its offset, and the bytes of code in hex that begin there. */
struct ir_instruction {
	uint64_t offset;
	const char *code;
};

/*
 * How the kernel hits a place of IR_KERNELS, as far as an engine other than the module knows one: at an
 * address or return of the kernel's, at a tracepoint, at an instruction of a program, at the return of its
 * function, which the kernel follows or which has return instructions; or where a process does something;
 * or at a performance event of any CPU.
 */
enum ir_attach { IR_BY_OTHER, IR_AT_ADDRESS, IR_AT_RETURN, IR_AT_TRACEPOINT, IR_IN_PROGRAM,
		 IR_AT_PROGRAMS_RETURN, IR_AT_RETURNING, IR_OF_PROCESS, IR_AT_EVENT };

/*
 * A performance event, as perf_event_open(2) has it: one hit for each PERIOD events, or so many a second.  A
 * breakpoint (PERF_TYPE_BREAKPOINT) watches bytes of the kernel's variables, from the place's base and
 * offset on.
 */
struct ir_performance {
	uint32_t type;
	uint64_t config, period;
	bool a_second;
	uint32_t watched;		/* bytes; 0: it is no breakpoint */
	bool reads;			/* also hit by what reads them */
};

/* What a process or thread does at a place with IR_OF_PROCESS. */
enum ir_process_event { IR_PROCESS_BEGIN, IR_PROCESS_END, IR_THREAD_BEGIN, IR_THREAD_END, IR_SYSCALL,
			IR_SYSCALL_RETURN };

/* The file of a place that is for processes of any program. */
enum { IR_ANY_FILE = UINT32_MAX };

/*
 * Whether a kprobe may be set at an address, of a function's entry (for returns, too) or inside one:
 *
 *	vfs_read		IR_CODE_TRACED		it has an ftrace site, so no breakpoint is needed
 *	vfs_read, by its name	IR_CODE_NAMED		only the running kernel knows whether it has one
 *	inside vfs_read		IR_CODE_STEPPED		the instruction is safe to break and to step
 *	rdmsr in it, do_int3	IR_CODE_UNSAFE
 */
enum ir_code { IR_CODE_UNSAFE, IR_CODE_TRACED, IR_CODE_NAMED, IR_CODE_STEPPED };

/* The base of a place whose address is the same in each run. */
enum { IR_ABSOLUTE = UINT32_MAX };

/*
 * A place that runs a probe's handler: "timer.ms(10).randomize(5)" is
 *
 *	event IR_TIMER, interval 10000000, random 5000000
 */
struct ir_place {
	const char *pp, *pn, *func, *module;	/* as struct st_point's (runtime/abi/stap_script.h) */
	const char *from;		/* with -t: as struct st_timed's; else "" */
	enum ir_event event;
	int64_t sequence;		/* of all but timers: lower first */
	int64_t interval, random;	/* of timers: ns, or jiffies; varies by plus or minus 'random' */
	bool jiffies;
	const char *path;		/* IR_FILE: of the file, whose mode lacks these bits, */
	unsigned umask;
	uint64_t maxsize;		/* and which has at most so many bytes; 0: a string's */
	enum ir_attach attach;		/* IR_KERNELS */
	const char *tracepoint;		/* its name, "sched_switch" */
	unsigned base;			/* IR_AT_ADDRESS, IR_AT_RETURN, of what is watched: 'offset' counts
					   from it */
	uint64_t offset;
	unsigned caller_base;		/* IR_AT_RETURN: only returns to the address 'caller' bytes from this base; 0: */
	uint64_t caller;		/* all */
	/* in programs, and of processes */
	unsigned file;			/* IR_OF_PROCESS: the program that they run, or IR_ANY_FILE */
	enum ir_process_event process;	/* IR_OF_PROCESS */
	struct ir_performance performance;	/* IR_AT_EVENT */
	struct ir_instruction at;	/* of returns: where the function begins */
	struct ir_instruction body;	/* returns: where the entry's values are taken, if not at 'at'; offset
					   0: there */
	vec(struct ir_instruction) returning;	/* IR_AT_RETURNING: the return instructions */
	uint64_t semaphore;		/* offset in the file of the counter of probes here; 0: none */
	int64_t pid;			/* only in this process; 0: in any */

	enum ir_code code;		/* IR_AT_ADDRESS, IR_AT_RETURN */
	bool optional;			/* failing to attach is no error */
};

/* A probe's constant where its handler, which several probes share, has 'own'. */
struct ir_constant {
	enum ir_type type;		/* IR_WORD, IR_STRING; IR_VOID: a place of errors */
	int64_t number;			/* IR_WORD: a number, or a format's */
	const char *text, *at;		/* a string; or errors are "near TEXT at AT" */
};

/* The armed_by of a probe without a condition. */
enum { IR_UNCONDITIONAL = UINT32_MAX };

/*
 * A probe: its entry and its condition are NULL if it has none.  handler->number is its own
 * number, or that of the earlier probe whose handler it is too.
 */
struct ir_probe {
	const char *family;		/* of probe points: "timer" */
	const char *at;
	int64_t budget;			/* statements; INT64_MAX: no limit */
	bool system_call;		/* its places are functions of system calls */
	unsigned armed_by;		/* the probe whose condition decides whether hits count, this one
					   or an earlier one; or IR_UNCONDITIONAL */
	vec(struct ir_place) places;
	struct ir_body *handler, *entry, *condition;
	vec(struct ir_constant) constants;
	vec(enum ir_type) saved;
};

/*
 * A canonical format that PRINT prints (runtime/text/format.h); and the members of the object that
 * it becomes under --json, from the same values, or NULL if it is text there too.
 */
struct ir_format {
	const char *text, *members;
};

/* What a script may use: -D NAME=VALUE, or the defaults.  abi/bounds.h bounds them. */
struct ir_limits {
	int64_t string;			/* bytes of a string, with its NUL */
	int64_t nesting;		/* calls within each other */
	int64_t errors, skipped;	/* more of them end the session */
	int64_t entries;		/* of an array without a size */
	int64_t action, action_interruptible;	/* statements of a handler, and of one that runs
						   in a process; INT64_MAX: no limit */
	int64_t trylock;		/* tries for a lock, 10 µs apart */
	int64_t overload_interval, overload_threshold;	/* cycles */
	int64_t kretactive;		/* calls followed to their returns; 0: the engine's choice */
	int64_t hist_width, hist_elision;	/* of a printed histogram: characters of the longest
						   bar; empty rows kept beside a gap, negative: all */
	bool overload;			/* exceeding the threshold ends the session */
	bool untimed;			/* handlers have no time limit */
	bool suppress_errors;		/* handlers' errors are counted, and end nothing */
	bool skip_badvars;		/* a variable that can't be read is 0 */
};

/* A whole program: all that an engine in a process needs. */
struct ir_program {
	struct ir_limits limits;
	vec(struct ir_global) globals;
	vec(struct ir_function) functions;
	vec(struct ir_probe) probes;
	vec(struct ir_pattern) patterns;
	vec(struct ir_base) bases;	/* of places, and of TERM_IMAGE */
	vec(struct ir_file) files;	/* of places, and of TERM_PROGRAM */
	const struct term *tasks[TASK_FACTS];	/* how facts of a task are read; NULL unless a place is
						   IR_OF_PROCESS and the engine needs them */
	const char *build_id;		/* in hex, of the kernel that the addresses are from; or NULL */
	bool timed;			/* what handlers take is reported (stap -t) */
	vec(const struct ir_foreign *) foreign;	/* C outside of functions and handlers */
	vec(struct ir_format) formats;
};

/* Appends an operation to a block. */
struct ir_op *ir_append(struct ir_block *block, enum ir_opcode code);

/* Calls VISIT for each operation of a block, which may be NULL, and of those inside, outermost first. */
void ir_each(const struct ir_block *block, void (*visit)(struct ir_op *op, void *arg), void *arg);

/*
 * What a chain of calls needs at most.  OWN is what each function needs itself, of scratch for
 * example, in whatever unit; ir_needs() returns what each needs with the functions that run
 * within it, in an array of the arena's.  ir_need_below() is what a body's callees need at most.
 */
int64_t *ir_needs(const struct ir_program *p, const int64_t *own);
int64_t ir_need_below(const struct ir_body *b, const int64_t *needs);

/*
 * Checks that the program means something: types, symbols, values defined before use
 * and in scope, slices and statistics used while they are valid, failures checked, ways that lead
 * to a region around, locks in handlers alone.  Returns NULL, or what is wrong and where:
 * "handler 0: operation 3 (add): value %7 is not defined".
 */
const char *ir_verify(const struct ir_program *p);

/* Returns the most groups that a pattern of the program has; 0 if no pattern reports any. */
unsigned ir_most_groups(const struct ir_program *p);

/* Prints the program, as --dump-ir does. */
void ir_dump(FILE *out, const struct ir_program *p);

/* Prints a term: "read4(register(14) + 0x44)". */
void ir_dump_term(struct sbuf *out, const struct term *t);

/* Is the place in a program, not in the kernel? */
static inline bool ir_in_program(enum ir_attach attach)
{
	return attach == IR_IN_PROGRAM || attach == IR_AT_PROGRAMS_RETURN || attach == IR_AT_RETURNING;
}

/* Returns "word", "string", … */
const char *ir_type_name(enum ir_type t);

/* Returns a body's name for messages and dumps: "handler 3". */
const char *ir_body_name(const struct ir_body *b);

#endif
