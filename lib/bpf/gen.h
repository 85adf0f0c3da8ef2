/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the BPF backend: what it makes a program of.
 *
 * A handler works in a frame, where each variable, value, string and key has a fixed offset; an operation
 * loads its operands, computes and stores.  So no registers are allocated, and the kernel's verifier has
 * little to follow.  Registers have these uses throughout:
 *
 *	r0-r5	an operation's own
 *	r6	the kernel's context: registers, or a tracepoint's arguments
 *	r7	an operation's own, kept across helpers' calls
 *	r8	this CPU's half of what handlers only add to
 *	r9	the frame
 *
 * A function (of the script, or the body of a loop, which the kernel's bpf_loop() calls) gets r6, r8 and r9
 * from its caller, and keeps them on its stack for the functions that it calls in turn.
 */
#ifndef STAP_BPF_GEN_H
#define STAP_BPF_GEN_H

#include "abi/bounds.h"
#include "abi/stap_script.h"
#include "bpf/bpf.h"
#include "bpf/code.h"

struct term;

/* A frame: what each has at its beginning.  Words from FRAME_SITE to FRAME_MAY_WAIT are 0 for handlers that load them. */
enum {
	FRAME_BUSY,			/* 1 while a handler uses the frame */
	FRAME_SITE = 8,			/* 1 + the error's number in 'sites', or 0 */
	FRAME_VALUE = 16,		/* the value that the error tells */
	FRAME_WAY = 24,			/* 1 + the way out that a loop's body has taken, or 0 */
	FRAME_EPOCH = 32,
	FRAME_BUDGET = 40,		/* statements left */
	FRAME_OUT = 48,			/* bytes of items in the record */
	FRAME_BY_NEXT = 56,		/* a function ended by 'next' */
	FRAME_ARMED = 64,		/* the probe's condition */
	FRAME_EXITS = 72,
	FRAME_ROUNDS = 80,		/* what rounds of loops have cost */
	FRAME_MAY_WAIT = 88,		/* 1 while the handler may wait for memory */
	FRAME_CALLERS = 96,		/* calls that led to the error */
	FRAME_BROUGHT = 104,		/* the address of memory that is not there; 1 if the kernel can bring it */
	FRAME_COMES = 112,
	FRAME_TEMPORARY = 120,		/* words that operations use within themselves, */
	FRAME_TEMPORARIES = 16,		/* so many */
	FRAME_OF_PROCESS = FRAME_TEMPORARY + 8 * FRAME_TEMPORARIES,	/* words that processes.c uses, */
	FRAME_OF_PROCESS_WORDS = 7,					/* so many */
	FRAME_RECORD = FRAME_OF_PROCESS + 8 * FRAME_OF_PROCESS_WORDS,
	FRAME_ITEMS = FRAME_RECORD + sizeof(struct bpf_record),
	FRAME_REST = FRAME_ITEMS + BPF_RECORD_ROOM,
	FRAME_MOST = 32760,		/* offsets have 16 bits, and a sign: */
	FRAME_LOW = 32768,		/* so many bytes before r9, in scripts that need them */
};

/* Bytes of the callers that are noted. */
enum { CALLERS_BYTES = ST_CALLERS * sizeof(uint32_t) };

/* Statements of a handler, if the script gives no limit: some ten milliseconds. */
enum { STATEMENTS_MOST = 1000000 };

/* Instructions of all programs: each probe has its own, also if probes share a handler. */
enum { INSNS_MOST = 8 << 20 };

/* The longest string: a handler's frame has several. */
enum { STRING_MOST = 2048 };

/* Bytes of the keys of what is saved: stack pointer, thread, place; and of what is noted: thread, place. */
enum { SAVED_KEY = 24, OPENED_KEY = 16 };

/* Words of struct pt_regs. */
enum { INSTRUCTION_POINTER = 16, CODE_SEGMENT = 17, STACK_POINTER = 19 };

/* Texts of terms within each other, at most. */
enum { STRING_LEVELS = 3 };

/* Bytes of a statistic without its variance and histogram, and of what its variance takes. */
enum { STATISTIC_BYTES = 32, VARIANCE_BYTES = 24 };

/* A string in a frame: its length in 8 bytes, its bytes, and zeroes up to 'room', a multiple of 8. */
enum { STRING_BYTES = 8 };

/* Where the values of an area lie in the frame, which are types[i]. */
struct area {
	unsigned n, *at, *rooms;
	enum ir_type *types;
};

/* Where a body's variables lie in the frame. */
struct layout {
	unsigned *values, *value_rooms;	/* a string's room */
	unsigned *locals, *local_rooms;
	unsigned *kept, *kept_rooms;
	unsigned *tuple_of;		/* the array whose key a tuple is */
	struct area **areas;		/* values that are areas; NULL: no area */
	unsigned *uses;			/* of values: as operands, */
	bool *measured;			/* and whether any but as a key, which has no length */
	unsigned *histogram_of;		/* 1 + the global whose histogram a statistic has; 0: it has none */
	bool element_histograms;	/* statistics that are loops' elements have theirs */
	unsigned result, result_room;
	unsigned function, levels;	/* a script function's code, and the levels of calls it needs */
	unsigned nesting;		/* if it has code for each number of calls around it: that, */
	struct layout *other;		/* and the next one's */
};

/* What a function needs: calls within each other, itself included; frames of loops within each other; and calls in
 * all, loops aside, up to CALLS_MANY. */
enum { ENDLESS = 1 << 30, CALLS_MANY = 10000 };
struct bpf_depth {
	unsigned height, loops, calls;
};

/* A way out of a loop's body, which the code behind the loop follows. */
struct way {
	enum way_kind { WAY_OUT, WAY_FAILED, WAY_BREAK, WAY_CONTINUE, WAY_SKIPPED } kind;
	const struct ir_op *to;
};

/* Code behind a region, in which a way out of it goes on. */
struct pad {
	struct way way;
	unsigned label;
};

/* A region, or a body (op NULL), whose code is being made. */
struct region {
	const struct ir_op *op;
	struct function *in;		/* where its labels are */
	unsigned end, next, caught, skipped;	/* labels: break or a body's end; continue; the catch block;
						   a body that skips */
	bool is_loops_body;		/* its code is a function that ends at a break, */
	bool is_functions_body;		/* or one of the script's */
	vec(struct pad) pads;		/* of a region with locks: they give these back, once for each way */
	struct region *outer;
};

/* Where a round of a foreach has its element in the frame. */
struct round {
	unsigned label;			/* of the loop */
	unsigned *keys, element;
	struct loop *loop;		/* foreach.c's */
	unsigned buckets;		/* histograms.c's: words for the next bucket, and how many rounds are left */
	struct round *outer;
};

/* A BPF function. */
struct function {
	struct code code;
	unsigned saves, saved;		/* where the instructions that save its registers begin and end, */
	bool passes;			/* and whether it calls a function that needs them */
	bool alone;			/* as struct bpf_function has it */
	vec(unsigned) leaves;		/* ways out of it, by their numbers in 'ways' */
};

/* A program in the making. */
struct gen {
	struct bpf_plan *plan;
	const struct ir_program *ir;
	const struct bpf_system *on;
	const struct ir_probe *probe;
	const struct ir_place *place;	/* NULL: the code is for several places */
	unsigned probe_number, point;
	enum ir_attach attach;		/* IR_AT_TRACEPOINT: r6 is a tracepoint's arguments; else registers */
	bool waits;			/* it may wait for memory, while FRAME_MAY_WAIT is 1 */
	bool context_free;		/* nothing uses r6: arguments are in the process's registers */
	const char *tracepoint;		/* that the program is attached to, or its place */
	uint64_t offset;		/* IR_IN_PROGRAM: of the instruction that is hit, in its file */
	const struct ir_body *root;	/* the handler, condition or entry, whose locks the functions it calls have too */
	const struct ir_body *body;
	struct layout *layout;
	struct layout **functions;	/* of the script's functions; NULL: not met yet */
	vec(struct function *) code;
	struct function *f;
	struct code *c;			/* &f->code */
	vec(struct way) ways;
	struct region *region;		/* the innermost */
	struct round *round;		/* likewise */
	unsigned frame, frame_end;	/* bytes that are taken; and were at most */
	unsigned spare;			/* spare_string(), or 0 */
	unsigned *saved;		/* where the values of a function's entry are, one behind the other */
	unsigned texts[STRING_LEVELS];	/* where the texts of terms are made, by their levels; or 0 */
	unsigned piece;			/* where formats make pieces, or 0 */
	unsigned match;			/* groups.c's place in the frame, or 0 */
	unsigned told, callers;		/* what error() was given; the sites of calls that led to an error; or 0 */
	unsigned text, shows;		/* text.c's: its place in the frame, and its function; or 0 */
	unsigned command, finding, strings;	/* the places of cmdline.c, find_task.c, user_strings.c in the frame, or 0 */
	unsigned symbol, names, looks;	/* symbols.c's: its place in the frame, and its functions; or 0 */
	unsigned stack, walks;		/* stacks.c's place in the frame; kernel_stack.c's function */
	unsigned ustack, uwalks, returns;	/* ustacks.c's: its place in the frame, and its functions; or 0 */
	unsigned looks_up;		/* mapped.c's function, or 0 */
	unsigned flush;			/* the function that outputs a full record, or 0 */
	unsigned tries_again;		/* locks.c's function, or 0 */
	unsigned depth, deepest;	/* functions around this one's code; and around any so far */
	unsigned nesting, inlined;	/* calls of the script's functions around it; those made in place so far */
	unsigned half_uses;		/* of r8 as a half; and the code that finds it for the first of them */
	struct { struct code *c; unsigned from, end; } finds_half;
	bool calls;			/* the code calls functions that find the frame by its number */
	bool counts;			/* statements are counted */
	bool fails;			/* an operation so far may have failed */
	bool tells;			/* one may have printed, or ended the session */
	const struct ir_op *op;		/* for refuse() */
	const struct ir_op *before;	/* in the same block */
	const struct ir_op *step;	/* the last that counts statements, with where these stand; or NULL */
	const char *why;
};

/* Notes why the program can't be made, unless something is noted; WHAT is what BPF has not. */
void refuse(struct gen *g, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* share.c: finds which globals the kernel has, and lays them out. */
void share_globals(struct bpf_plan *p);

/* layout.c: places a body's variables in the frame. */
unsigned take(struct gen *g, unsigned bytes);
struct layout *lay_out(struct gen *g, const struct ir_body *b);
unsigned operand_room(const struct gen *g, const struct ir_operand *o);

/* Returns where the bytes of a string lie that are all of a key, which so needs no copy of them; or 0. */
unsigned key_in_place(const struct gen *g, const struct ir_op *op);

/* region.c: makes the code of blocks. */
void put_block(struct gen *g, const struct ir_block *b);
void put_body(struct gen *g, const struct ir_body *b, struct region *r);
void leave(struct gen *g, enum way_kind kind, const struct ir_op *to);
void follow(struct gen *g, const struct function *f);

/*
 * locks.c: take the locks of the body, or of the array that OP adds to if that needs one, or leave the handler, which is
 * skipped; and give them back.
 */
void lock_variables(struct gen *g);
void unlock_variables(struct gen *g);
void lock_addition(struct gen *g, const struct ir_op *op);
void unlock_addition(struct gen *g, const struct ir_op *op);

/* handler.c: makes the main function of a program. */
void put_handler(struct gen *g, const struct bpf_program *p);

/* r8 is the half; REG = the address of AT in it.  They change r0 and r1. */
void use_half(struct gen *g);
void pass_half(struct gen *g, unsigned reg, unsigned at);

/*
 * Begins a function with the arguments context and number of the frame, and finds the frame and the half; the latter is
 * dropped at its end unless it is used.
 */
struct found {
	unsigned half, half_end, uses;
};
struct found find_frame(struct gen *g);
void end_found(struct gen *g, const struct found *f);

/* plan.c */
const char *finish_program(struct gen *g, struct bpf_program *p);
const char *add_program(struct bpf_plan *plan, const struct bpf_system *on, struct bpf_program p);

/* target.c: which threads are the target's. */
void add_target(struct bpf_plan *plan);
void put_in_target(struct gen *g, unsigned other);
void put_number(struct gen *g, unsigned other);

/* Goes to OTHER unless the current process is the one of the place, if that is one process's. */
void put_is_process(struct gen *g, unsigned other);
const char *follow_target(struct bpf_plan *plan, const struct bpf_system *on);

/* What put_number() leaves on a program's stack: the numbers of the current thread and its process. */
enum { THREAD_AT = -32, PROCESS_AT = THREAD_AT + 4 };

/* processes.c: what processes do. */
void add_processes(struct bpf_plan *plan);
void put_process(struct gen *g, const struct bpf_program *p, unsigned free);
const char *follow_processes(struct bpf_plan *plan, const struct bpf_system *on);
const char *add_process_programs(struct bpf_plan *plan, const struct bpf_system *on);

/* memory.c */
void put_read(struct gen *g, unsigned size, bool user, const char *what);
/* r0 = SIZE bytes of memory at r3; goes to FAILED on a fault.  r7 = the address. */
void put_try_read(struct gen *g, unsigned size, bool user, unsigned failed);
void put_sized_read(struct gen *g, const struct ir_operand *size, bool user);	/* of so many bytes at r3 */
void put_string_at(struct gen *g, const struct ir_op *op, int64_t helper);
void put_limited_string(struct gen *g, const struct ir_op *op, int64_t helper);
void put_number_at(struct gen *g, const struct ir_op *op, int64_t size);
void put_user_number(struct gen *g, const struct ir_op *op, int64_t size);

/*
 * mapped.c: goes to OTHER unless the kernel itself can bring the page of the process's memory at r3, which it keeps in
 * FRAME_BROUGHT.  It can tell if it has types.  That takes so many calls within each other:
 */
enum { COMES_LEVELS = 2 };
void put_comes(struct gen *g, unsigned other);

/* Reads a string at r7. */
void put_string_read(struct gen *g, unsigned at, unsigned room, int helper, const struct ir_operand *limit,
		     unsigned failed);

/* Reads as many bytes of memory at r7 as the word at BYTES_AT says, MOST at most, to AT in the frame. */
void put_bytes_read(struct gen *g, unsigned at, unsigned most, unsigned bytes_at, bool user, unsigned failed);
void put_raw_bytes(struct gen *g, const struct ir_op *op);

/* text.c: quotes the string at r0, of at most MOST bytes of the kernel's memory, or else the process's, at AT in the frame. */
void put_quoted_variable(struct gen *g, unsigned at, unsigned room, uint64_t most);

/* syscalls.c: arguments of system calls, for process.syscall */
void put_system_call(struct gen *g, const char *member);
void put_entered(struct gen *g, unsigned n);	/* r0 = word N of the registers */

/* syscalls.c: is the program at a tracepoint of all system calls?  r0 = its argument: registers, 1; number or result, 2 */
bool is_at_call(const struct gen *g);
void put_traced_call(struct gen *g, unsigned number);

/* acts.c: lets no other handler begin; puts a call's first argument at AT in the frame, without a final newline. */
void stop_handlers(struct gen *g);
void put_line(struct gen *g, const struct ir_op *op, unsigned at);

/* match.c: regular expressions */
void put_match_of(struct gen *g, const struct ir_op *op);
void place_match(struct gen *g);	/* groups.c: of the last match, if the script asks for its groups */

/* symbols.c: the line of a stack's frame with the address r0: where it is made; what is appended to a string. */
unsigned put_frame_line(struct gen *g, unsigned *room);
void append_short_line(struct gen *g, unsigned at, unsigned room);
unsigned put_folded_name(struct gen *g, unsigned *room);

/* stacks.c: builtins that walk the kernel's stack, or name what one had */
void put_print_backtrace(struct gen *g, const struct ir_op *op, int64_t unused);
void put_sprint_backtrace(struct gen *g, const struct ir_op *op, int64_t unused);
void put_callers(struct gen *g, const struct ir_op *op, int64_t unused);
void put_frame_address(struct gen *g, const struct ir_op *op, int64_t unused);

/*
 * kernel_stack.c: puts the frames of the kernel's stack at FRAMES in the frame, and their number at COUNT.  The handler is
 * skipped if the kernel can't walk, as another program does on this CPU.
 */
void put_walk_kernel(struct gen *g, unsigned count, unsigned frames);

/* Frames of programs at tracepoints, with calls and loops within each other; and of what the kernel walks then. */
enum { OWN_FRAMES = 24, KERNEL_FRAMES = ST_STACK_DEPTH + OWN_FRAMES };

void put_print_folded_kernel(struct gen *g);
void put_print_stack(struct gen *g, const struct ir_op *op, int64_t unused);
void put_sprint_stack(struct gen *g, const struct ir_op *op, int64_t unused);

void put_user_callers(struct gen *g, const struct ir_op *op, int64_t unused);
void put_user_frame_address(struct gen *g, const struct ir_op *op, int64_t unused);

/*
 * ustacks.c: builtins that record a program's stack, or tell where the program is; and one that puts the stack's frames
 * by frame pointers at FRAMES, and their number at COUNT
 */
void put_print_ubacktrace(struct gen *g, const struct ir_op *op, int64_t style);
void put_print_folded(struct gen *g, const struct ir_op *op, int64_t unused);
void put_user_address(struct gen *g, const struct ir_op *op, int64_t unused);
void put_walk_user(struct gen *g, unsigned count, unsigned frames);
void add_walked(struct bpf_plan *plan);

/* names.c: returns where the table that is made of OF is in the texts; a new one is to be added there, at once. */
unsigned table_at(struct gen *g, const void *of, bool *is_new);

/* functions.c; the kernel allows so many rounds of a loop (BPF_MAX_LOOPS) */
enum { ROUNDS_MOST = 1 << 23 };
void save_registers(struct gen *g);
void pass_registers(struct gen *g, unsigned reg);
unsigned begin_function(struct gen *g, struct function **outer);
unsigned begin_callback(struct gen *g, struct function **outer, unsigned reg);
void end_function(struct gen *g, struct function *outer);
void note_call(struct gen *g, unsigned levels);
void put_loop_calls(struct gen *g, unsigned function, unsigned most);
void put_calls_cost(struct gen *g, unsigned function, unsigned shift);
void put_rounds(struct gen *g, unsigned function, unsigned most);
void put_script_call(struct gen *g, const struct ir_op *op);

/* calls.c: of a function of the script's, by its number. */
const struct bpf_depth *bpf_depth(struct bpf_plan *plan, unsigned function);

/* ops.c: an operation that leads nowhere. */
void put_op(struct gen *g, const struct ir_op *op);

/* values.c: words and strings */
void load_word(struct gen *g, unsigned reg, const struct ir_operand *o);
/* The same, for an operation that does so once: a value that nothing else uses needs not be stored. */
void take_word(struct gen *g, unsigned reg, const struct ir_operand *o);
void jump_unless(struct gen *g, const struct ir_operand *o, unsigned label);
void store_word(struct gen *g, const struct ir_op *op, unsigned reg);
void put_string(struct gen *g, unsigned at, unsigned room, const struct ir_operand *o);
void put_text(struct gen *g, unsigned at, unsigned room, const char *text);
void copy_string(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room);
void copy_bytes(struct gen *g, unsigned to, unsigned from, unsigned n);
void clear_bytes(struct gen *g, unsigned at, unsigned n);
unsigned spare_string(struct gen *g);
unsigned string_at(struct gen *g, const struct ir_operand *o);
const char *literal_text(const struct gen *g, const struct ir_operand *o);
unsigned operand_at(const struct gen *g, const struct ir_operand *o);
void pass_frame(struct gen *g, unsigned reg, unsigned at);
void put_compare(struct gen *g, const struct ir_op *op);

/*
 * errors.c: make the operation fail, unless an error is pending: as TEXT says, with the number in REG, in hex, and what
 * is behind it; or at reading WHAT (NULL: a variable) at the address in REG
 */
void fail(struct gen *g, const char *text);
void fail_number(struct gen *g, const char *text, unsigned reg, const char *behind);
void fail_hex(struct gen *g, const char *text, unsigned reg);
void fail_read(struct gen *g, const char *what, unsigned reg);
void put_error(struct gen *g, const struct ir_op *op, int64_t unused);
void put_called(struct gen *g);		/* notes that the error came out of a call here */

/* Makes the string at AT in the frame, which has the room of any, what the frame's error says. */
void put_message(struct gen *g, unsigned at);

/* walk.c: over all elements */
unsigned begin_walk(struct gen *g, struct function **outer);
void load_key(struct gen *g, unsigned reg);
void put_walk(struct gen *g, unsigned map, unsigned function);
void put_matches(struct gen *g, unsigned global, unsigned at, unsigned any, unsigned other);
void put_match(struct gen *g, const struct ir_op *op);
void put_clear(struct gen *g, const struct ir_op *op);
void put_evict(struct gen *g, unsigned global);

/*
 * histograms.c: a bucket's count; the head of an item that is a histogram, at r7 + AT, and the items of its buckets; the
 * code before a loop over buckets, and that of a round, which goes to OVER behind the last
 */
void put_bucket_count(struct gen *g, const struct ir_op *op);
void put_hist_head(struct gen *g, const struct ir_op *op, int at);
void put_buckets(struct gen *g, const struct ir_op *op);
struct round *begin_buckets(struct gen *g, const struct ir_op *op);
void begin_bucket(struct gen *g, const struct ir_op *op, const struct round *r, unsigned over);

/* foreach.c */
struct round *begin_foreach(struct gen *g, const struct ir_op *op);
void begin_round(struct gen *g, const struct round *r, unsigned over);

/* arrays.c, statistics.c, output.c, format.c, fetch.c, saved.c, ustacks.c, builtins/: groups of operations */
void put_tuple(struct gen *g, const struct ir_op *op);
void put_array_op(struct gen *g, const struct ir_op *op);
void put_scalar_statistic(struct gen *g, const struct ir_op *op);
void copy_statistic(struct gen *g, const struct ir_op *op, unsigned reg, int from);
void finish_copy(struct gen *g, unsigned at, const struct ir_shape *s);
unsigned copied_bytes(struct gen *g, const struct ir_op *op);
void put_statistic(struct gen *g, const struct ir_shape *s);
void load_extract(struct gen *g, enum ir_extract of);
void load_variance(struct gen *g, unsigned reg, int from, const struct ir_shape *s);
void put_extract(struct gen *g, const struct ir_op *op);
unsigned key_bytes(const struct gen *g, const struct ir_global *array, size_t i);
unsigned element_bytes(const struct gen *g, const struct ir_global *array);
bool has_variance(const struct ir_shape *s);
unsigned buckets_at(const struct ir_shape *s);
unsigned statistic_bytes(const struct ir_shape *s);
unsigned histogram_buckets(const struct ir_shape *s);
void put_print(struct gen *g, const struct ir_op *op);
void put_print_hist(struct gen *g, const struct ir_op *op);

/* r7 = where the next item goes, with room for BYTES; the record's items end BYTES behind r7. */
void make_room(struct gen *g, unsigned bytes);
void end_item(struct gen *g, unsigned bytes);

/* If there is an error, puts behind the record's items what error() was given, whether or not that one, and the calls. */
void put_told(struct gen *g);

/* Prints the string at AT in the frame as an item of a KIND (ST_FMT_TEXT …, abi/stap_script.h). */
void put_item(struct gen *g, unsigned kind, unsigned at, unsigned room);
void put_speculation_item(struct gen *g, const struct ir_operand *id, unsigned act, unsigned at, unsigned room);
void put_output(struct gen *g);
void put_fetch(struct gen *g, const struct ir_op *op);
void put_fallible_fact(struct gen *g, enum task_fact fact, unsigned inputs);
void put_fact(struct gen *g, enum task_fact fact, unsigned inputs);
void put_register(struct gen *g, unsigned n);
void put_numbered_register(struct gen *g, const struct ir_op *op);
void put_user_register(struct gen *g, unsigned n, unsigned none);
void put_point(struct gen *g);
void place_saved(struct gen *g);
void put_save(struct gen *g, const struct ir_op *op);
void note_opened(struct gen *g, unsigned map);
void keep_saved(struct gen *g, const struct bpf_program *p);
void find_saved(struct gen *g, unsigned map, unsigned none);
unsigned saved_bytes(const struct ir_program *ir, const struct ir_probe *p);
void count_skipped(struct gen *g);
void put_copy(struct gen *g, enum ir_type type, unsigned at, unsigned room, const struct ir_operand *from);
void put_append(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room);
void put_append_part(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room);
void put_kernels_text(struct gen *g, unsigned at, unsigned room, const char *format, unsigned from);
unsigned piece_at(struct gen *g);

/*
 * Skips the handler if r0, of put_kernels_text(), is an error: what it interrupts has taken the kernel's
 * room for that.
 */
void skip_unless_made(struct gen *g);

/*
 * Appends r0 in hex to the string at AT, behind the SEPARATOR unless the string is empty.  Changes
 * FRAME_TEMPORARY.
 */
void append_hex(struct gen *g, unsigned at, unsigned room, const char *separator);
void put_sprintf(struct gen *g, const struct ir_op *op);
void put_format(struct gen *g, unsigned at, unsigned room, const char *format,
		unsigned (*value)(void *arg, unsigned i, unsigned *room), void *arg);
void put_builtin(struct gen *g, const struct ir_op *op);
void put_place_address(struct gen *g);	/* r0 = where the probed code is */
void put_in_user_mode(struct gen *g);	/* r0 = 0 unless the registers are a program's */
void put_short_length(struct gen *g, unsigned at);	/* the length of the string there, of at most 16 bytes */
bool names_place(const struct ir_function *f);
bool walks_stack(const struct ir_function *f);

static inline unsigned rounded(unsigned bytes)
{
	return (bytes + 7) / 8 * 8;
}

/*
 * Returns a number of all ones that is at least N - 1, by which the verifier sees that a length is bounded.
 */
static inline int bits_of(unsigned n)
{
	unsigned bits = 1;

	while (bits < n - 1)
		bits = 2 * bits + 1;
	return bits;
}

/* Returns the room of a string that needs ROOM bytes, with its NUL; 0: as much as any. */
static inline unsigned string_room(const struct gen *g, unsigned room)
{
	return rounded(room ? room : (unsigned)g->ir->limits.string);
}

#endif
