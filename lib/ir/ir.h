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
 * Everything lies in the arena.
 */
#ifndef STAP_IR_H
#define STAP_IR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sbuf.h"
#include "base/vec.h"

struct term;

/* Of the textual form; whoever changes what a dump means adds one. */
enum { IR_VERSION = 2 };

enum ir_type { IR_VOID, IR_WORD, IR_STRING, IR_STATISTIC, IR_TUPLE };

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
		 IR_OF_KEPT, IR_OF_SAVED };

/* A line of ir.def. */
struct ir_opcode_info {
	const char *name;
	char result;
	enum ir_symbol symbol;
	const char *args;
	unsigned traits;
};

extern const struct ir_opcode_info ir_opcodes[IR_OPCODES];

/* An argument.  Reading one has no effect and doesn't fail. */
struct ir_operand {
	enum ir_operand_kind {
		IR_ABSENT,	/* '*' among keys; an argument left out */
		IR_NUMBER,	/* number */
		IR_LITERAL,	/* text */
		IR_VALUE,	/* value 'index' of the body */
		IR_LOCAL,	/* local 'index', as it is when the operation runs */
		IR_GLOBAL,	/* global string 'index', likewise */
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

struct ir_block {
	vec(struct ir_op *) ops;
};

enum { IR_NO_VALUE = UINT32_MAX };

struct ir_op {
	enum ir_opcode code;
	bool may_fail;
	unsigned result;		/* the value it defines, or IR_NO_VALUE */
	unsigned symbol, n;		/* see ir.def */
	ir_operands args;
	const char *what, *at;		/* errors are "near WHAT at AT"; or NULL */
	const char *text;
	const struct term *term;	/* FETCH, PUT */
	const void *foreign;		/* FOREIGN…: the C, for the engine that takes it */
	const struct ir_order *order;	/* FOREACH */
	const struct ir_op *way;	/* a region around it, or NULL: the body's end */
	struct ir_block *blocks[2];	/* of a region: the second may be NULL */
	unsigned label;			/* of a region that is a way: its number in the body */
};

/* A parameter or local variable; those that only ever hold a literal are none. */
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

/* C functions, so to speak: with locals and values of their own. */
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
	vec(unsigned) decides;		/* conditions, by their probes' numbers, evaluated before
					   the locks are given back */
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

struct ir_function {
	const char *name;
	enum ir_type type;
	vec(enum ir_type) params;
	enum { IR_SCRIPT, IR_BUILTIN, IR_USERS_C } written_in;
	bool nexts;			/* it may execute 'next' */
	const char *at;
	const struct ir_body *body;	/* IR_SCRIPT */
};

/* A probe: its entry and its condition are NULL if it has none. */
struct ir_probe {
	struct ir_body *handler, *entry, *condition;
	vec(enum ir_type) saved;
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
};

struct ir_program {
	struct ir_limits limits;
	vec(struct ir_global) globals;
	vec(struct ir_function) functions;
	vec(struct ir_probe) probes;
	text_list regexes;
};

/* Appends an operation to a block. */
struct ir_op *ir_append(struct ir_block *block, enum ir_opcode code);

/*
 * Checks that the program means something: types, symbols, values defined before use
 * and in scope, slices and statistics used while they are valid, failures checked, ways that lead
 * to a region around, locks in handlers alone.  Returns NULL, or what is wrong and where:
 * "handler 0: operation 3 (add): value %7 is not defined".
 */
const char *ir_verify(const struct ir_program *p);

/*
 * Does a format (runtime/text/format.h) take these N values, each a string or else a word?
 * Terms have formats too.
 */
bool ir_format_fits(const char *format, const bool *strings, size_t n);

/* Prints the program, as --dump-ir does. */
void ir_dump(FILE *out, const struct ir_program *p);

/* Prints a term: "read4(register(14) + 0x44)". */
void ir_dump_term(struct sbuf *out, const struct term *t);

/* "word", "string", … */
const char *ir_type_name(enum ir_type t);

/* "handler 3": a body as messages and dumps name it. */
const char *ir_body_name(const struct ir_body *b);

#endif
