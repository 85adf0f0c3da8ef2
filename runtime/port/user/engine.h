/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine: runs a script's handlers in a process.  libstrun.a is the engine and the runtime's
 * portable half (port.h); a program that links it has maps, statistics, strings, printf, errors and
 * budgets that behave as in the kernel module, because they are the same code.
 *
 * A program is a struct st_program, as the translator writes it for a module: its limits, globals
 * and formats, and for each place a struct st_point with its handler, a C function.  The engine
 * does not know what is a hit: its caller (an interpreter, a test) decides which point's handler
 * runs and when, in the order of a session's states (core/state.h):
 *
 *	struct st_output out = { take, NULL };
 *
 *	if (st_engine_open(&program, &out))
 *		die(st_message);
 *	st_engine_run(&begin, ST_STARTING);
 *	while (st_engine_advance() == ST_RUNNING && next_hit(&point))
 *		st_engine_run(point, ST_RUNNING);
 *	st_engine_close();
 *
 * prints, with the handler
 *
 *	static void hello(struct st_ctx *c)
 *	{
 *		char *p = st_emit(c, 0, 8);		formats[0].text is "%d\n"
 *
 *		if (p)
 *			st_emit_long(p, st_map_get(c, map, key));
 *		st_exit(c);
 *	}
 *
 * one number: take(NULL, ST_FMT_TEXT, "42\n").
 *
 * Ownership.  The caller owns the program and all it points to, which stay until st_engine_close();
 * the struct itself is copied to st_program.  The engine owns the memory of the globals of kind
 * COUNTER, STAT and MAP, whose slots it fills, and its context.
 *
 * Errors.  A handler's errors are the script's: they are printed (ST_FMT_ERROR), counted in
 * st_counts.errors (core/report.h), and end the session as -D MAXERRORS says; the caller sees the
 * session's state change.  Only st_engine_open() fails.
 *
 * Limits.  A handler's statements are bounded by its probe's budget and its time by the limits of
 * core/run.h, as in the kernel; time is the thread's time on a CPU, so a slow machine changes
 * nothing.  How deep C functions call each other is the caller's affair.
 *
 * There is one engine, for one thread, and one program at a time; any number one after the other.
 */
#ifndef STAP_ENGINE_H
#define STAP_ENGINE_H

#include "abi/transport.h"
#include "core/state.h"
#include "port/port.h"

/* Where output goes. */
struct st_output {
	/*
	 * Takes a piece of a handler's output: text to print (KIND is ST_FMT_TEXT); a warning or an
	 * error, without a newline (ST_FMT_WARN, ST_FMT_ERROR); or another item that is no text, as
	 * it was recorded (ST_FMT_SYSTEM: a command, …; abi/stap_script.h).  PIECE is the engine's
	 * and gone when the function returns.  Pieces come in order, at the end of a handler or when
	 * its output fills the buffer.
	 */
	void (*take)(void *arg, unsigned short kind, struct st_str piece);
	void *arg;
};

/*
 * Begins a session of PROGRAM, in the state ST_STARTING: allocates its globals and a context.
 * Returns 0; or -ENOMEM with st_message (core/report.h) set and nothing allocated.
 */
int st_engine_open(const struct st_program *program, const struct st_output *output);

/*
 * Runs the handler of POINT, and delivers its output.  WHEN is the state in which handlers of its
 * kind run.  Returns false, and runs nothing, if the session is in another state, an end probe before
 * it failed, or the probe's condition doesn't hold: in ST_RUNNING, 'armed' is 0; in other states,
 * 'condition' leaves it 0.
 */
bool st_engine_run(const struct st_point *point, enum st_state when);

/*
 * Evaluates the condition of POINT's probe, which has one, into its 'armed', and returns that.  False, too, if
 * WHEN is not the session's state.
 */
bool st_engine_evaluate(const struct st_point *point, enum st_state when);

/*
 * Goes on to the session's next state, and returns it:
 *
 *	ST_STARTING	begin probes have run: ST_RUNNING, or ST_EXITING if one called exit() or failed
 *	ST_RUNNING	stays; exit() and errors change it to ST_EXITING
 *	ST_EXITING	ST_STOPPING, for end probes; ST_FAILING, for error probes, if an error ended it
 *	ST_STOPPING	ST_STOPPED, or ST_FAILING if an end probe failed
 *	ST_FAILING	ST_STOPPED
 *
 * Before ST_STOPPED it prints the report of stap -t, if the program has st_program.timed.
 *
 * To end a session from outside, call st_session_end() first.
 */
enum st_state st_engine_advance(void);

/* Ends the session in whatever state it is, and frees what open() allocated. */
void st_engine_close(void);

/*
 * Where the number of the last speculation is: of handlers that run elsewhere, too, if the caller sets that.
 */
extern atomic_long_t *st_engine_speculations;

/* The session's name: that of the module which would run elsewhere. */
extern const char *st_engine_name;

/*
 * Names an address in the kernel (st_kernels_symbol() of core/supply.h).  A program that calls builtins
 * which ask for that is run only by a caller that sets it.
 */
extern char *(*st_engine_symbol)(unsigned long addr);

/*
 * Reads N bytes of the kernel's memory, 8 at most: 0, or -1.  Returns the address of the task that runs this.  Set by who
 * runs a program beside BPF programs, which may ask for both.
 */
extern int (*st_engine_read)(unsigned long addr, void *to, unsigned int n);
extern unsigned long (*st_engine_task)(void);

/*
 * Finds which file has the code at an address that some process had: its number and page (abi/transport.h), which are left
 * 0 if that is not known.  Set by who runs a program with builtins that ask for it.
 */
extern void (*st_engine_code)(unsigned long addr, struct st_uframe *frame);

/* The value of target(): the process of -c or -x; 0 if there is none. */
extern st_long st_target_process;

#endif
