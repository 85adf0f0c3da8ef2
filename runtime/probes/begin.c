// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Begin, end and error probes: the session itself runs them, in process context,
 * in the order of their sequence numbers, then of the script.  A oneshot is a
 * begin probe that ends the session when it is done.
 *
 * If the session failed, error probes run instead of end probes; if an end probe
 * fails, they run instead of the remaining end probes.
 */
#include "core/state.h"
#include "handler/conditions.h"
#include "handler/handler.h"
#include "begin.h"
#include "family.h"

static const struct st_begin *st_begins;
static unsigned int st_nbegins;

static int begin_prepare(const void *items, unsigned int n)
{
	st_begins = items;
	st_nbegins = n;
	return 0;
}

static void begin_release(void)
{
	st_nbegins = 0;
}

static int begin_arm(void)
{
	return 0;
}

static void begin_disarm(void)
{
}

/* Returns the kind of probes among which it runs. */
static int begin_kind(const struct st_begin *b)
{
	return b->kind == ST_ONESHOT ? ST_BEGIN : b->kind;
}

/* Returns the next probe of a kind in order; NULL after the last. */
static const struct st_begin *begin_next(int kind, const struct st_begin *after)
{
	const struct st_begin *best = NULL, *b;

	for (b = st_begins; b < st_begins + st_nbegins; b++) {
		if (begin_kind(b) != kind)
			continue;
		if (after && (b->sequence < after->sequence ||
			      (b->sequence == after->sequence && b <= after)))
			continue;
		if (!best || b->sequence < best->sequence)
			best = b;
	}
	return best;
}

static void begin_run(const struct st_begin *b, enum st_state state)
{
	struct st_context *x;

	if (!st_condition_holds(&b->point, state))
		return;
	x = st_enter_any(&b->point, state);
	if (!x)
		return;
	if (st_program.ntimed)
		x->started = get_cycles();
	b->point.probe->handler(&x->c);
	if (b->kind == ST_ONESHOT)
		st_exit(&x->c);
	st_leave_handler(x);
	cond_resched();
}

void st_run_begin_probes(void)
{
	const struct st_begin *b = NULL, *last = NULL;

	while ((b = begin_next(ST_BEGIN, b))) {
		if (st_leaving && b->sequence != last->sequence)
			break;
		begin_run(b, ST_STARTING);
		last = b;
	}
}

void st_run_end_probes(void)
{
	const struct st_begin *b = NULL;

	WRITE_ONCE(st_state, ST_STOPPING);
	while (!st_session_failed() && (b = begin_next(ST_END, b)))
		begin_run(b, ST_STOPPING);
	if (!st_session_failed())
		return;
	WRITE_ONCE(st_state, ST_FAILING);
	for (b = NULL; (b = begin_next(ST_ERROR, b)); )
		begin_run(b, ST_FAILING);
}

const struct st_family st_begin_family = {
	.name = "begin",
	.prepare = begin_prepare,
	.arm = begin_arm,
	.disarm = begin_disarm,
	.release = begin_release,
};
