// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The engine (port/user/engine.h): one session at a time, and one context.
 *
 * What concurrent handlers need in the kernel is nothing here: no lock is waited for, nobody
 * sleeps until the state changes, and a condition is looked at before each handler.
 */
#include "core/error.h"
#include "core/report.h"
#include "core/run.h"
#include "core/supply.h"
#include "data/globals.h"
#include "internal.h"

struct st_program st_program;

static struct st_ctx context;
static char *areas;			/* the context's */
static bool busy;			/* a handler runs */

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
	if (!areas) {
		st_maps_free();
		return st_fail(-ENOMEM, "no memory for the context of handlers");
	}
	memset(&context, 0, sizeof(context));
	st_ctx_place(&context, areas);
	st_output_to(output);
	st_session_begin();
	return 0;
}

bool st_engine_run(const struct st_point *point, enum st_state when)
{
	struct st_ctx *c = &context;
	const struct st_probe *probe = point->probe;

	if (busy || st_state != when || (probe->armed && !*probe->armed))
		return false;
	busy = true;
	c->point = point;
	st_ctx_begin(c);
	st_time_begin();
	probe->handler(c);
	if (c->error)
		st_handler_failed(c);
	if (c->out != c->output)
		st_flush(c, false);
	busy = false;
	return true;
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
		st_state = st_session_failed() ? ST_FAILING : ST_STOPPING;
		break;
	case ST_STOPPING:
		st_state = st_session_failed() ? ST_FAILING : ST_STOPPED;
		break;
	case ST_FAILING:
		st_state = ST_STOPPED;
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
	kvfree(areas);
	areas = NULL;
	st_maps_free();
}

struct st_ctx *st_current(void)
{
	return busy ? &context : NULL;
}

/* ---- supplied to the portable runtime (core/supply.h, abi/stap_script.h) -------- */

/* A handler has all the patience that the script allows: only other threads' data is locked. */
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

void st_condition_changed(void)
{
}
