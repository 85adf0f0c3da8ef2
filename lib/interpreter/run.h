/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interpreter: runs an intermediate program (ir/ir.h) in a process, over the runtime's own maps,
 * statistics, strings, formats, errors and budgets (runtime/port/user/engine.h).
 *
 *	why = run_refuses(ir);
 *	if (why)
 *		die(why);			"… has no memory of the kernel …: near …"
 *	if (run_open(ir, &output))
 *		die(st_message);
 *	run_all(ST_STARTING);			begin probes
 *	while ((state = st_engine_advance()) == ST_RUNNING)
 *		…				run_timers(now), until st_session_end()
 *	run_all(ST_STOPPING);			end probes
 *	run_close();
 *
 * The caller decides when to look for hits, and advances the session (port/user/engine.h).  The interpreter is
 * an oracle for the module's C before it is fast: it walks the tree as it is.
 *
 * Ownership.  The caller owns the program, which run_open() changes: it numbers tuples and writes out
 * places of errors, so a program is dumped and written to a file before it is run, and opened once.
 *
 * Threads.  All calls from run_open() on are from one thread.
 *
 * Limits.  MAXNESTING bounds calls; the C stack bounds calls and regions.  A handler's time bounds its loops and
 * calls even if nothing in them counts statements; the program's own 'untimed' lifts that, so the caller decides
 * whether to believe it.  A timer that is late skips what it has missed; the caller bounds how often it looks.
 */
#ifndef STAP_RUN_PROGRAM_H
#define STAP_RUN_PROGRAM_H

#include <stdint.h>

#include "core/state.h"
#include "ir/ir.h"

struct st_output;

/*
 * Returns what the program contains that no process can do, and where; NULL if nothing.  BESIDE_KERNEL: the
 * handlers that the kernel hits are run elsewhere, so they and the functions that only they call may contain anything.
 */
const char *run_refuses(const struct ir_program *ir, bool beside_kernel);

/* May the program name the kernel's code, or read its memory?  Then the caller sets what port/user/engine.h has for that. */
bool run_asks_kernel(const struct ir_program *ir);

/* Addresses of the program's bases, for handlers that read the kernel's memory beside BPF programs. */
extern const uint64_t *run_bases;

/* Begins a session: allocates globals and the context, and evaluates conditions.  0, or a negative
 * error with st_message set (core/report.h). */
int run_open(struct ir_program *ir, const struct st_output *output);

/* Runs the begin, end or error probes, in the order of their sequence numbers: WHEN is ST_STARTING,
 * ST_STOPPING or ST_FAILING. */
void run_all(enum st_state when);

/*
 * Evaluates all conditions.  A handler evaluates the conditions that read what it writes, except in
 * begin probes; so call it when these have run (WHEN is ST_RUNNING).
 */
void run_conditions(enum st_state when);

/* Starts the timers at NOW, in ns of CLOCK_MONOTONIC. */
void run_timers_begin(int64_t now);

/* Runs the timers that are due, each once, and returns when the next one is; INT64_MAX: never. */
int64_t run_timers(int64_t now);

/* Runs the probes of EVENT, IR_INPUT_CHAR or IR_INPUT_LINE, on what was typed. */
void run_input(enum ir_event event, struct st_str text);

/*
 * Runs the probe of a file (IR_FILE) that is read, which is place POINT of all; the contents are added to
 * TEXT.
 */
struct sbuf;
void run_read(size_t point, struct sbuf *text);

/*
 * What shares variables with handlers that run elsewhere: TAKE is called before a handler here runs, and GIVE
 * after it, with the probe's number.
 */
struct run_sharing {
	void (*take)(struct st_ctx *c, unsigned probe);
	void (*give)(struct st_ctx *c, unsigned probe);
};

/* Shares variables from now on; NULL: no longer. */
void run_share(const struct run_sharing *sharing);

/* Ends the session and frees what run_open() allocated. */
void run_close(void);

#endif
