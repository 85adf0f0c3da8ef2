/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of an intermediate program (ir/ir.h) that the kernel runs, as BPF.
 *
 * A script has two halves: its begin, end and timer probes run in a process (interpreter/run.h), its
 * probes of the kernel become BPF programs here.  Nothing but this file's caller makes system calls;
 * this room computes instructions and the tables that say what they need.
 *
 *	why = bpf_refuses(ir);
 *	if (why)
 *		die(why);			"BPF has no sprintf …: near …"
 *	plan = bpf_plan(ir, &on, &why);
 *	…					make plan->maps, load and attach plan->programs
 *
 * Memory.  The programs of a script share five kinds of maps:
 *
 *	words		an array with one value, mapped by stapio: struct bpf_control, the script's
 *			numbers and strings, and for each CPU two halves of what handlers only add to
 *	frames		an array with one value, for each CPU BPF_FRAMES frames; a handler takes one while
 *			it runs.  If the script probes programs, BPF_WAITING_FRAMES more for each CPU: their
 *			handlers may wait for memory
 *	texts		plan->texts, which nobody changes: the kernel's formats
 *	records		a ring of what handlers print and report: struct bpf_record and items
 *	arrays		a hash table for each of the script's arrays, two if handlers only add to it
 *
 * What handlers only add to (BPF_ADDED) has two halves, of which 'epoch' names the one in use.  A reader
 * in user space changes the epoch, waits until no handler runs that saw the old one, and takes the old
 * half: nothing is lost, and nothing is counted twice.  A half begins with the number of handlers that may
 * wait and use it.  All else (BPF_OWNED) is the kernel's; user space copies it before its handlers run,
 * and writes back what they changed.
 *
 * Ownership: all lies in the arena and refers to the program.
 *
 * Instructions are those of linux/bpf.h.  Maps are named by their index in 'maps' where the kernel wants
 * a descriptor: in each BPF_LD | BPF_IMM | BPF_DW whose src_reg is BPF_PSEUDO_MAP_FD or
 * BPF_PSEUDO_MAP_VALUE.
 */
#ifndef STAP_BPF_H
#define STAP_BPF_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/table.h"
#include "base/vec.h"
#include "bpf/code.h"
#include "ir/ir.h"

/* Frames for each CPU: handlers that interrupt each other have one each. */
enum { BPF_FRAMES = 5, BPF_WAITING_FRAMES = 8 };

/* The first bytes of the words.  Handlers run while 'running' is 1. */
struct bpf_control {
	uint64_t running;
	uint64_t epoch;			/* 0 or 1: the half that handlers add to */
	uint64_t sequence;		/* of the element that is added next; never 0 */
	uint64_t skipped;		/* hits without a frame or a lock */
	uint64_t lost;			/* outputs for which the ring had no room */
	uint64_t speculations;		/* the number of the last one */
	uint64_t zero;			/* always; but the verifier doesn't know what is in memory */
	uint64_t unused[9];
};

/*
 * What a handler has printed, at the beginning of a record; items as in a ring of the module's
 * (runtime/abi/transport.h) follow.  An output that is larger than a record comes in pieces from one frame.
 */
struct bpf_record {
	uint64_t time;			/* ns of CLOCK_MONOTONIC */
	uint64_t task;			/* with origins: numbers of the process (high half) and thread, */
	char comm[16];			/* and the name */
	uint32_t cpu, frame;
	uint32_t point;			/* which place: its number among all of the script's places */
	uint32_t more;			/* BPF_MORE: a further piece follows; BPF_CONTINUES: one came before */
	uint32_t site;			/* 1 + the number of the error that the handler ended with; or 0 */
	uint32_t exits;			/* it has called exit() */
	uint64_t value;			/* what the error's text says the value of */
	uint32_t told, callers;		/* behind the items: bytes that error() was given, if that is the error; and
					   1 + the sites of the calls that led to it, 32 bits each, innermost first */
};

/* The most return probes that a thread is in of which stacks are told. */
enum { BPF_RETURNS = 16 };

/*
 * A program's stack as a handler found it, in the string of an item ST_FMT_RAW_USTACK: this, then what lies on the stack,
 * in whole pieces of the process's memory from the one in which the stack pointer is.
 */
struct bpf_ustack {
	uint32_t style;			/* ST_STACK_* (runtime/abi/transport.h) */
	uint32_t process;		/* its number in the loader's PID namespace; 0: it has none there */
	uint64_t registers[21];		/* in the order of struct pt_regs */
	struct bpf_return {
		uint64_t at, to;	/* where on the stack a return address is replaced, and by what; 0: no more */
	} returns[BPF_RETURNS];
};

/* Bytes of a piece, and the most pieces: as many as a record has room for. */
enum { BPF_PIECE = 512, BPF_PIECES = 15 };

/* The most bytes of items in a record. */
enum { BPF_RECORD_ROOM = 8192 };

/* A map to be created. */
struct bpf_map {
	enum bpf_map_type type;
	uint32_t key, value, entries;	/* bytes of a key and of a value; elements */
	uint32_t flags;
};

/* The maps that each script has. */
enum { BPF_WORDS, BPF_FRAME_TABLE, BPF_RECORDS, BPF_TEXTS, BPF_FIRST_ARRAY };

/* A global variable of the script's, as the kernel has it. */
struct bpf_global {
	enum bpf_share {
		BPF_NOT_USED,		/* by handlers in the kernel */
		BPF_ADDED,		/* handlers in the kernel only add to it */
		BPF_OWNED,
	} share;
	bool changes;			/* handlers in the kernel write it, or walk over it: they share slots */
	bool loses;			/* they delete elements; they or the process's handlers delete a statistic; or
					   it has a variance, and is OWNED: additions take its lock */
	unsigned at;			/* OWNED scalars: in the words; ADDED ones: in a half */
	unsigned lock;			/* OWNED, and changes: in the words; odd while a handler holds it. In the next
					   word handlers count how often they have not got it in time */
	unsigned map;			/* arrays: the first of two if ADDED */
	unsigned key, value;		/* arrays: bytes; a value begins with its number in order */
};

/* A place where a handler can fail, and what it reports then: TEXT, the record's value, and BEHIND. */
struct bpf_site {
	const char *text, *behind;
	unsigned digits;		/* of the value in hex, at least; 0: none is told, */
	bool decimal;			/* unless it is in decimal */
	bool told;			/* by error(): TEXT is at the record's end instead */
	const char *near, *at;		/* the token and where it stands; or NULL */
};

/* A function of a program. */
struct bpf_function {
	unsigned at;			/* where it begins, in instructions; the first at 0 */
	bool alone;			/* the kernel's verifier looks at it once, without its callers */
};

/*
 * A program.  A return's values of the entry take a second one, which saves them there; in a program whose
 * parameters are where debug information says only behind the prologue ('body' in struct ir_place), also a
 * third, at the function's first instruction.
 */
struct bpf_program {
	enum bpf_role {
		BPF_HANDLES,		/* a probe's handler, for one of its places or for all */
		BPF_OPENS,		/* notes the stack pointer at the entry */
		BPF_SAVES,		/* saves values of the entry */
		BPF_FOLLOWS,		/* follows the target's threads, or processes, before handlers run */
		BPF_LEAVES,		/* the same, after handlers have run */
		BPF_TELLS,		/* tells which file is open as its first argument; not attached */
	} role;
	unsigned probe, point;		/* 'point': the first place's number among all */
	unsigned first, n;		/* the places of the probe that it is for */
	bool walks;			/* it walks the kernel's stack, or asks where the function returns */
	unsigned saved, opened;		/* the maps of what is saved and noted; 0: nothing is */
	enum ir_attach attach;
	const char *tracepoint;		/* that it is attached to, if not each place to its own */
	bool context_free;		/* it uses no context, so at a tracepoint the event may run it, too (trace_events.c) */
	vec(struct bpf_insn) insns;
	vec(struct bpf_function) functions;
	vec(struct code_reference) references;	/* to members of the kernel's structures */
	vec(unsigned) of_frames;	/* instructions whose number is one of frames */
};

/* What stands in the way of the kernel's addresses, and what the running system tells. */
struct bpf_system {
	unsigned cpus;			/* that are possible */
	const uint64_t *bases;		/* addresses of the program's bases */
	const char *name;		/* the session's */
	int64_t target;			/* target()'s process; 0: none */
	uint64_t pids_device, pids_inode;	/* of this process's PID namespace, as the kernel has them */
	uint64_t trace_run[2];		/* where the kernel's code lies that runs programs at tracepoints */
	bool origins;			/* records say which process was hit */
	bool untyped;			/* the kernel has no type information (CONFIG_DEBUG_INFO_BTF) */
};

/* The table of slots of a foreach (foreach.c). */
struct bpf_order {
	const struct ir_op *op;
	unsigned map;
};

/* A table in the texts: what it is made of, and where it is. */
struct bpf_table {
	const void *of;
	unsigned at;
};

/* Bits of a record's 'more'. */
enum { BPF_MORE = 1, BPF_CONTINUES = 2 };

/* Bytes of the words, and of all frames: the kernel's offsets in a map's value end here. */
enum { BPF_VALUE_MOST = 1 << 29 };

struct bpf_plan {
	const struct ir_program *ir;
	unsigned cpus;
	unsigned frames, cpu_frames;	/* all; of each CPU */
	unsigned frame;			/* a frame's bytes */
	vec(struct bpf_map) maps;
	vec(struct bpf_program) programs;
	vec(struct bpf_site) sites;
	struct table by_text;		/* of the sites */
	size_t insns;			/* of all programs */
	struct sbuf texts;
	struct bpf_global *globals;	/* by the IR's numbers */
	struct bpf_depth *depths;	/* of the script's functions (calls.c); NULL: not counted yet */
	vec(struct bpf_order) orders;
	vec(struct bpf_table) tables;	/* in the texts */
	bool has_loops;			/* or very many calls: some handler has, so statements are counted */
	bool has_rounds;		/* some handler in the kernel has loops, or foreach */
	bool names_places;		/* a function asks which place is hit, so each has a program */
	bool returns;			/* some places are returns of programs' functions */
	unsigned low;			/* bytes of a frame that lie before r9: 0, but where frames have twice the bytes, */
	bool too_small;			/* because some handler needs them */
	bool waits;			/* some places are in programs: their handlers may wait */
	unsigned threads, numbers;	/* maps of the target's threads (target.c); 0: all count */
	unsigned processes, begun, inodes;	/* maps of processes (processes.c); 0: no place needs them */
	unsigned fresh, fresh_bytes;	/* where in a frame a new element's value is made: zeros, but for the first word */
	unsigned messages;		/* the map of what sites' errors say (bpf_message()), for scripts that catch them; or 0 */
	unsigned walked;		/* the map of processes whose stacks the script may keep, with the time of the
					   last; 0: it prints none of them later */
	unsigned halves, half;		/* where the first CPU's halves begin in the words, and a half's bytes */
	unsigned cpu_mask;		/* 2^n - 1 that holds all numbers of CPUs: there are halves for so many */
};

/* Is any place of the program hit by the kernel? */
bool bpf_is_for(const struct ir_program *ir);

/* Does the kernel run the probe's handler? */
bool bpf_is_kernels(const struct ir_probe *p);

/* Has BPF a builtin of this name, with so many arguments? */
bool bpf_has_builtin(const char *name, size_t nargs);

/* Does this builtin read what the kernel knows of a task (enum task_fact)? */
bool bpf_reads_task(const char *name, size_t nargs);

/* Does it tell the machine's load (MACHINE_LOAD)? */
bool bpf_reads_load(const char *name, size_t nargs);

/* Does it walk the stack of a program?  Then the facts about returns are needed if the returns of programs' functions are
 * probed, because the kernel has replaced return addresses on the stack. */
bool bpf_walks_programs(const char *name, size_t nargs);

/*
 * Does any place at a tracepoint belong to a script that walks the kernel's stack?  Then trace_run is
 * needed.
 */
bool bpf_walks_at_tracepoint(const struct ir_program *ir);

/*
 * Does the script name the code of programs, as its output or where it prints the stacks that it has kept?  Then the
 * loader follows what processes map; for kept stacks also what those map that run already.
 */
bool bpf_names_programs(const struct ir_program *ir);
bool bpf_names_kept_code(const struct ir_program *ir);

/* Can the program's handler wait for memory of the process? */
static inline bool bpf_may_wait(const struct bpf_program *p)
{
	return ir_in_program(p->attach);
}

/* Returns what the program contains that BPF can't do, and where; NULL if nothing. */
const char *bpf_refuses(const struct ir_program *ir);

/* Makes the programs.  Returns NULL with *WHY set, as bpf_refuses() returns. */
struct bpf_plan *bpf_plan(const struct ir_program *ir, const struct bpf_system *on, const char **why);

/* Returns the element of the map 'messages' with this number: what its site's error says. */
const void *bpf_message(const struct bpf_plan *plan, unsigned site);

/*
 * Makes type information (BTF) for a program: of its functions, of which function i is type BPF_FUNCTION_TYPE + i,
 * and which the kernel asks for where a function is a loop's body or is verified alone; and of the members that it
 * refers to.  Returns the references as the kernel takes them, as many as the program has.
 */
struct bpf_core_relo *bpf_types(struct sbuf *out, const struct bpf_program *p);
enum { BPF_FUNCTION_TYPE = 6 };

#endif
