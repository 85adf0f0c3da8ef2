// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The engine (port/user/engine.h): one session at a time, and one context.
 *
 * Handlers don't run concurrently here.  So no lock is waited for, no task waits for the state to
 * change, and a condition is simply evaluated before each handler.
 */
#include "core/report.h"
#include "core/run.h"
#include "core/supply.h"
#include "arch/cycles.h"
#include "data/cycles.h"
#include "data/globals.h"
#include "internal.h"

struct st_program st_program;

static struct st_ctx context;
static char *areas;			/* the context's */
static char *cycles;			/* with -t: what handlers took */
static bool busy;			/* a handler runs */

static void free_all(void)
{
	kvfree(cycles);
	kvfree(areas);
	cycles = areas = NULL;
	st_maps_free();
}

int st_engine_open(const struct st_program *program, const struct st_output *output)
{
	int err;

	st_program = *program;
	memset(&st_counts, 0, sizeof(st_counts));
	st_message[0] = '\0';
	err = st_maps_alloc(st_message, sizeof(st_message));
	if (err)
		return err;
	areas = st_data_alloc(st_ctx_bytes(), NUMA_NO_NODE);
	cycles = st_cycles_bytes() ? st_data_alloc(st_cycles_bytes(), NUMA_NO_NODE) : NULL;
	if (!areas || (st_cycles_bytes() && !cycles)) {
		free_all();
		return st_fail(-ENOMEM, "no memory for the context of handlers");
	}
	memset(&context, 0, sizeof(context));
	st_ctx_place(&context, areas);
	st_output_to(output);
	st_session_begin();
	return 0;
}

/* Can a handler of the state WHEN run now? */
static bool may_run(enum st_state when)
{
	return !busy && st_state == when && (when != ST_STOPPING || !st_session_failed());
}

static void run(const struct st_point *point, void (*handler)(struct st_ctx *), bool counted)
{
	struct st_ctx *c = &context;
	u64 began;

	busy = true;
	c->point = point;
	st_ctx_begin(c);
	st_time_begin();
	began = st_arch_cycles();
	handler(c);
	if (cycles && counted)
		st_cycles_add(cycles, point->number, st_arch_cycles() - began);
	if (c->error)
		st_handler_failed(c);
	if (c->out != c->output)
		st_flush(c, false);
	busy = false;
}

bool st_engine_evaluate(const struct st_point *point, enum st_state when)
{
	if (!may_run(when))
		return false;
	run(point, point->probe->condition, false);
	return *point->probe->armed;
}

/*
 * Does the probe's condition hold?  While the session runs, the handlers that change a condition's
 * variables evaluate it.  Handlers of begin, end and error probes don't, so there it is evaluated
 * when it is the probe's turn.
 */
static bool condition_holds(const struct st_point *point, enum st_state when)
{
	const struct st_probe *probe = point->probe;

	if (!probe->condition || when == ST_RUNNING)
		return !probe->armed || *probe->armed;
	return st_engine_evaluate(point, when);
}

bool st_engine_run(const struct st_point *point, enum st_state when)
{
	if (!may_run(when) || !condition_holds(point, when) || !may_run(when))
		return false;
	run(point, point->probe->handler, true);
	return true;
}

static void gather(unsigned int number, struct st_stat *all)
{
	st_cycles_pool(all, cycles, number);
}

static enum st_state stop(void)
{
	st_cycles_tell(gather);
	return ST_STOPPED;
}

enum st_state st_engine_advance(void)
{
	switch (st_state) {
	case ST_STARTING:
		if (st_leaving)
			st_session_end(false, NULL);
		else
			st_state = ST_RUNNING;
		break;
	case ST_EXITING:
		if (st_session_why())
			st_tell(ST_FMT_ERROR, "%s", st_session_why());
		st_state = st_session_failed() ? ST_FAILING : ST_STOPPING;
		break;
	case ST_STOPPING:
		st_state = st_session_failed() ? ST_FAILING : stop();
		break;
	case ST_FAILING:
		st_state = stop();
		break;
	default:
		break;
	}
	return st_state;
}

void st_engine_close(void)
{
	st_state = ST_STOPPED;
	st_output_to(NULL);
	free_all();
}

struct st_ctx *st_current(void)
{
	return busy ? &context : NULL;
}

/* ---- supplied to the portable runtime (core/supply.h, abi/stap_script.h) -------- */

/* Returns all the time that the script allows, because only other threads' data is locked. */
u64 st_patience(void)
{
	return (u64)st_program.maxtrylock * ST_LOCK_TRY_NS;
}

void st_waited(u64 ns)
{
	(void)ns;
}

void st_wake(void)
{
}

void st_tell(unsigned short format, const char *fmt, ...)
{
	struct st_ctx *c = &context;
	char text[ST_TELL_MOST];
	struct st_str s = { text, 0 };
	va_list args;

	va_start(args, fmt);
	s.len = vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	c->point = NULL;
	st_emit_one(c, format, s);
	st_flush(c, false);
}

void st_condition_changed(void)
{
}
