// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides which places are hit, and when: places of a session's state in the order of their
 * sequence numbers, timers when they are due.
 */
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "internal.h"
#include "port/user/engine.h"

/* ---- begin, end, error ----------------------------------------------------- */

/* Orders places by sequence number, lowest first, and else as in the script. */
static int by_sequence(const void *a, const void *b)
{
	const struct run_point *p = *(struct run_point *const *)a, *q = *(struct run_point *const *)b;

	if (p->place->sequence != q->place->sequence)
		return p->place->sequence < q->place->sequence ? -1 : 1;
	return p < q ? -1 : p > q;
}

/*
 * Is P left out? When a begin probe has called exit(), begin probes with its number still run, but
 * no later ones.
 */
static bool is_left(const struct run_point *p, const struct run_point *before)
{
	return st_state == ST_STARTING && st_leaving && before &&
	       p->place->sequence != before->place->sequence;
}

static bool is_at(const struct run_point *p, enum st_state when)
{
	switch (when) {
	case ST_STARTING:
		return p->place->event == IR_BEGIN || p->place->event == IR_ONESHOT;
	case ST_STOPPING:
		return p->place->event == IR_END;
	default:			/* ST_FAILING */
		return p->place->event == IR_ERROR;
	}
}

void run_all(enum st_state when)
{
	const struct run_program *run = run_program;
	const struct run_point **order = arena_alloc((run->npoints + 1) * sizeof(*order));
	size_t n = 0;

	for (size_t i = 0; i < run->npoints; i++)
		if (is_at(&run->points[i], when))
			order[n++] = &run->points[i];
	qsort(order, n, sizeof(*order), by_sequence);
	for (size_t i = 0; i < n && !is_left(order[i], i ? order[i - 1] : NULL); i++) {
		st_engine_run(&order[i]->point, when);
		if (order[i]->place->event == IR_ONESHOT)
			st_exit(NULL);
	}
}

/* ---- timers ---------------------------------------------------------------- */

/* The kernel's tick, in ns, by which its coarse clocks advance. */
static int64_t jiffy(void)
{
	struct timespec tick;

	return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) ? 1000000000 / sysconf(_SC_CLK_TCK)
							   : tick.tv_nsec;
}

/* Returns when P is hit next, an interval after FROM; the random part is drawn anew each time. */
static int64_t next_hit(const struct ir_place *p, int64_t from)
{
	int64_t unit = p->jiffies ? jiffy() : 1, most = p->random * unit;

	return from + p->interval * unit + (most ? random() % (2 * most + 1) - most : 0);
}

void run_timers_begin(int64_t now)
{
	for (size_t i = 0; i < run_program->npoints; i++)
		if (run_program->points[i].place->event == IR_TIMER)
			run_program->points[i].due = next_hit(run_program->points[i].place, now);
}

/* Runs a timer's handler. A late timer skips the hits that it has missed. */
static void hit(struct run_point *p, int64_t now)
{
	st_engine_run(&p->point, ST_RUNNING);
	p->due = next_hit(p->place, p->due);
	if (p->due <= now)
		p->due = next_hit(p->place, now);
}

int64_t run_timers(int64_t now)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < run_program->npoints && st_state == ST_RUNNING; i++) {
		struct run_point *p = &run_program->points[i];

		if (p->place->event != IR_TIMER)
			continue;
		if (p->due <= now)
			hit(p, now);
		next = min(next, p->due);
	}
	return next;
}

/* ---- input ----------------------------------------------------------------- */

struct st_str run_value;

/* Text beyond the length of a script's string is dropped. */
void run_input(enum ir_event event, struct st_str text)
{
	char *copy = strndup(text.p, min(text.len, st_program.maxstringlen - 1));

	run_value = copy ? (struct st_str){ copy, strlen(copy) } : ST_LIT("");
	for (size_t i = 0; i < run_program->npoints; i++)
		if (run_program->points[i].place->event == event)
			st_engine_run(&run_program->points[i].point, ST_RUNNING);
	run_value = ST_LIT("");
	free(copy);
}

/* ---- files ------------------------------------------------------------------ */

/* The contents of the file that is read, and their most bytes; NULL: none is. */
static struct sbuf *contents;
static size_t contents_room;

void run_store(bool append, struct st_str text)
{
	if (!contents)
		return;
	if (!append)
		contents->len = 0;
	sbuf_add(contents, text.p, min((size_t)text.len, contents_room - contents->len));
}

void run_read(size_t point, struct sbuf *text)
{
	const struct run_point *p = &run_program->points[point];

	contents = text;
	contents_room = p->place->maxsize ? p->place->maxsize : st_program.maxstringlen - 1;
	st_engine_run(&p->point, ST_RUNNING);
	contents = NULL;
}
