// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 5 for the interpreter: a session in this process, a child of stap's.
 *
 * One loop sleeps until the next timer, and ends with a signal, exit(), an error or the time limit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "core/report.h"
#include "port/user/engine.h"
#include "interpreter/run.h"
#include "run/machine.h"
#include "session.h"

enum { NS_PER_S = 1000000000 };

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	stopped = sig;
}

/* ---- output ------------------------------------------------------------ */

struct sink {
	bool failed;			/* the script had an error, or its output can't be written */
};

static void take(void *arg, unsigned short kind, struct st_str piece)
{
	struct sink *sink = arg;
	const char *p = piece.p;
	ssize_t n;

	if (kind == ST_FMT_WARN && !diag_no_warnings)
		fprintf(stderr, "WARNING: %.*s\n", (int)piece.len, p);
	if (kind == ST_FMT_ERROR) {
		fprintf(stderr, "ERROR: %.*s\n", (int)piece.len, p);
		sink->failed = true;
	}
	for (size_t left = kind == ST_FMT_TEXT ? piece.len : 0; left; left -= n, p += n) {
		n = write(STDOUT_FILENO, p, left);
		if (n >= 0)
			continue;
		n = 0;
		if (errno == EINTR)
			continue;
		sink->failed |= errno != EPIPE;
		st_session_end(false, NULL);
		return;
	}
}

/* ---- handlers ------------------------------------------------------------ */

/* Lower sequence numbers first; else in the script's order. */
static int by_sequence(const void *a, const void *b)
{
	const struct run_point *p = *(struct run_point *const *)a, *q = *(struct run_point *const *)b;

	if (p->sequence != q->sequence)
		return p->sequence < q->sequence ? -1 : 1;
	return p < q ? -1 : p > q;
}

/* A begin probe that calls exit() lets those of its number run, and no later ones. */
static bool is_left(const struct run_point *p, const struct run_point *before)
{
	return st_state == ST_STARTING && st_leaving && before && p->sequence != before->sequence;
}

static bool is_at(const struct run_point *p, enum st_state when)
{
	switch (when) {
	case ST_STARTING:
		return p->event == RUN_BEGIN || p->event == RUN_ONESHOT;
	case ST_STOPPING:
		return p->event == RUN_END;
	default:			/* ST_FAILING */
		return p->event == RUN_ERROR;
	}
}

static void run_all(const struct run_program *run, enum st_state when)
{
	const struct run_point **order = arena_alloc((run->npoints + 1) * sizeof(*order));
	size_t n = 0;

	for (size_t i = 0; i < run->npoints; i++)
		if (is_at(&run->points[i], when))
			order[n++] = &run->points[i];
	qsort(order, n, sizeof(*order), by_sequence);
	for (size_t i = 0; i < n && !is_left(order[i], i ? order[i - 1] : NULL); i++) {
		st_engine_run(&order[i]->point, when);
		if (order[i]->event == RUN_ONESHOT)
			st_exit(NULL);
	}
}

/* ---- timers ---------------------------------------------------------------- */

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

/* When P is hit again, an interval after FROM; the random part is drawn anew each time. */
static int64_t next_hit(const struct run_point *p, int64_t from)
{
	int64_t varied = p->random ? random() % (2 * p->random + 1) - p->random : 0;

	return from + p->interval + varied;
}

static void sleep_until(int64_t when)
{
	const struct timespec t = { when / NS_PER_S, when % NS_PER_S };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* Runs the timers that are due, and returns when the next one is.  A timer that is late skips what it
 * has missed. */
static int64_t run_due(const struct run_program *run, int64_t *due, int64_t now)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < run->npoints && st_state == ST_RUNNING; i++) {
		if (run->points[i].event != RUN_TIMER)
			continue;
		if (due[i] <= now) {
			st_engine_run(&run->points[i].point, ST_RUNNING);
			due[i] = next_hit(&run->points[i], due[i]);
			if (due[i] <= now)
				due[i] = next_hit(&run->points[i], now);
		}
		next = due[i] < next ? due[i] : next;
	}
	return next;
}

/* A signal that comes while it goes to sleep is seen after a tenth of a second. */
static void wait_for_end(const struct run_program *run, const char *timeout)
{
	int64_t *due = arena_alloc((run->npoints + 1) * sizeof(*due)), began = now_ns();
	int64_t end = timeout ? began + (int64_t)(strtod(timeout, NULL) * NS_PER_S) : INT64_MAX;

	for (size_t i = 0; i < run->npoints; i++)
		due[i] = next_hit(&run->points[i], began);
	while (st_state == ST_RUNNING && !stopped && now_ns() < end) {
		int64_t next = run_due(run, due, now_ns()), soon = now_ns() + NS_PER_S / 10;

		next = next < end ? next : end;
		if (st_state == ST_RUNNING && !stopped)
			sleep_until(next < soon ? next : soon);
	}
	st_session_end(false, NULL);
}

/* ---- the session -------------------------------------------------------------- */

/* -o: output goes to the file.  False after a message. */
static bool open_output(const char *path)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		fprintf(stderr, "ERROR: Couldn't open output file %s: %s\n", path, strerror(errno));
	return fd >= 0;
}

static int interpret(struct session *s)
{
	const struct sigaction sa = { .sa_handler = stop };
	struct sink sink = { false };
	const struct st_output output = { take, &sink };
	enum st_state state;

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (!open_output(s->options.output_file))
		return 1;
	if (run_open(s->interpreted, &output)) {
		fprintf(stderr, "ERROR: %s\n", st_message);
		return 1;
	}
	srandom(getpid());
	run_all(s->interpreted, ST_STARTING);
	for (state = st_engine_advance(); state != ST_STOPPED; state = st_engine_advance())
		if (state == ST_RUNNING) {
			run_conditions(ST_RUNNING);
			wait_for_end(s->interpreted, s->options.timeout);
		} else if (state == ST_STOPPING || state == ST_FAILING) {
			run_all(s->interpreted, state);
		}
	run_close();
	return sink.failed;
}

/* The intermediate program has no file format yet, so the child that runs it is stap itself. */
const struct machine this_process = { .run = interpret };
