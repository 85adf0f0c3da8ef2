/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interpreter: runs an intermediate program (ir/ir.h) in a process, over the runtime's own maps,
 * statistics, strings, formats, errors and budgets (runtime/port/user/engine.h).
 *
 *	why = run_refuses(program.ir);
 *	if (why)
 *		die(why);			"no kernel memory can be read in user space (near …)"
 *	if (run_open(&program, &output))
 *		die(st_message);
 *	st_engine_run(&program.points[0].point, ST_STARTING);
 *	…
 *	run_close();
 *
 * The caller decides which point's handler runs and when, as with the engine.  It is an oracle for the
 * module's C before it is fast: it walks the tree as it is.
 *
 * Ownership.  The caller owns the program, which run_open() changes: it numbers formats and writes out
 * places of errors, so a program is dumped before it is run, and opened once.
 *
 * Limits.  MAXNESTING bounds calls; so does the C stack, by the same error as in the kernel.  How deep regions
 * nest is the parser's bound.
 */
#ifndef STAP_RUN_PROGRAM_H
#define STAP_RUN_PROGRAM_H

#include <stdint.h>

#include "abi/stap_script.h"
#include "core/state.h"
#include "ir/ir.h"

struct st_output;

/* A place that the interpreter can run, in a process. */
struct run_point {
	struct st_point point;
	enum run_event { RUN_BEGIN, RUN_END, RUN_ERROR, RUN_ONESHOT, RUN_TIMER } event;
	int64_t sequence;		/* of all but timers: lower first */
	int64_t interval, random;	/* of timers: ns; varies by plus or minus 'random' */
};

struct run_program {
	struct ir_program *ir;
	struct st_program st;		/* limits and globals; a string global's slot is its initial
					   struct st_str, a number's value is in .init */
	const struct st_regex *const *regexes;	/* by the IR's numbers */
	struct st_probe *probes;	/* likewise; their places, budgets, and conditions' 'armed' */
	struct run_point *points;
	size_t npoints;
};

/* Returns what in the program no process can do, and where, or NULL. */
const char *run_refuses(const struct ir_program *ir);

/* Begins a session: allocates globals and the context, and evaluates conditions.  0, or a negative
 * error with st_message set (core/report.h). */
int run_open(struct run_program *p, const struct st_output *output);

/*
 * Evaluates all conditions.  A handler does so with those that read what it writes; but not one of begin,
 * so call it when they have run (WHEN is ST_RUNNING).
 */
void run_conditions(enum st_state when);

/* Ends the session and frees what run_open() allocated. */
void run_close(void);

#endif
