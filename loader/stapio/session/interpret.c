// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs an intermediate program in place of a module (interpret.h).
 *
 * The thread sleeps until a timer is due, input comes or the session is to end; signals and the other reasons
 * to end are the main thread's.  However short a timer's interval is and however long its handler takes, timers
 * are looked at 10,000 times a second at most and have half of a CPU at most; what they miss is skipped.  All handlers run in it, and the arena is its own once the program is open.
 * What a handler prints is formatted as a module's records are, by render.c and json.c.
 */
#define _GNU_SOURCE
#include "interpret.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "bpf/bpf.h"
#include "base/sbuf.h"
#include "common/control.h"
#include "relayed.h"
#include "common/say.h"
#include "core/report.h"
#include "core/supply.h"
#include "files.h"
#include "interpreter/run.h"
#include "ir/file.h"
#include "ir/ir.h"
#include "port/user/engine.h"
#include "reader.h"
#include "stapio/bpf/handlers.h"
#include "stapio/names/usymbols.h"
#include "stapio/records/records.h"

enum { NS_PER_S = 1000000000, LOOK_NS = NS_PER_S / 10000 };

/* How long what handlers in the kernel print waits for being read, in ms; they wake nobody. */
enum { KERNEL_MS = 20 };

struct interpreted {
	struct ir_program *ir;
	const char *format;		/* of the output */
	bool origins;			/* it says which handler made it */
	int go, begun, stop;		/* eventfds: start, the begin probes have run, stop */
	int timer;			/* timerfd: the next look at the script's timers */
	int exiting;			/* "notify": the session is ending */
	int chars[2], lines[2];		/* sockets for input: the reader's end, the writer's */
	bool failed;			/* it could not be started */
	struct reader *reader;
	long target;			/* target()'s process */
	struct handlers *handlers;	/* of the kernel's probes; or NULL */
	struct records_origin from;	/* of the output that a handler is making, */
	struct sbuf held;		/* its pieces, */
	bool continues;			/* and whether there are more */
};

static struct interpreted interpreted;

/* The most bytes of an output's pieces that are held, roughly. */
enum { HELD_MOST = 16 << 20 };

/* ---- the file -------------------------------------------------------------- */

bool interpreted_is(const char *name)
{
	return strchr(name, '.') || strchr(name, '/');
}

static bool has_event(const struct ir_program *ir, enum ir_event event)
{
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			if (ir->probes.v[i].places.v[j].event == event)
				return true;
	return false;
}

/* Makes a pair of sockets for input, if a probe takes it.  They keep the pieces apart. */
static bool open_input(const struct ir_program *ir, enum ir_event event, int ends[2])
{
	ends[0] = ends[1] = -1;
	return !has_event(ir, event) || !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

static bool open_all(struct interpreted *p)
{
	p->go = eventfd(0, EFD_CLOEXEC);
	p->begun = eventfd(0, EFD_CLOEXEC);
	p->stop = eventfd(0, EFD_CLOEXEC);
	p->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	p->exiting = -1;
	return p->go >= 0 && p->begun >= 0 && p->stop >= 0 && p->timer >= 0 &&
	       open_input(p->ir, IR_INPUT_CHAR, p->chars) && open_input(p->ir, IR_INPUT_LINE, p->lines);
}

struct interpreted *interpreted_open(const char *path, const struct relayed *asked)
{
	struct interpreted *p = &interpreted;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *why = NULL;
	size_t bytes;
	char *image = fd < 0 ? NULL : control_read_all(fd, &bytes);

	if (!image)
		why = strerror(errno);
	else
		p->ir = ir_read(image, bytes, &why);
	free(image);
	if (fd >= 0)
		close(fd);
	if (!why)
		why = run_refuses(p->ir, bpf_is_for(p->ir));
	if (!why && p->ir->limits.untimed && !asked->untimed)
		why = "its handlers may take any time, which --suppress-time-limits allows";
	if (!why && !open_all(p))
		why = strerror(errno);
	st_engine_name = arena_strndup(basename(path), strcspn(basename(path), "."));
	p->format = asked->format ? asked->format : "text";
	p->origins = !strcmp(p->format, "json");
	if (why)
		say_error("can't run '%s': %s", path, why);
	return why ? NULL : p;
}

bool interpreted_names(const struct interpreted *p)
{
	return bpf_names_programs(p->ir);
}

char *interpreted_formats(const struct interpreted *p, size_t *bytes)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < p->ir->formats.n; i++) {
		const struct ir_format *f = &p->ir->formats.v[i];

		sbuf_add(&b, f->text, strlen(f->text) + 1);
		sbuf_puts(&b, f->members ? f->members : "");
		sbuf_putc(&b, '\0');
	}
	sbuf_putc(&b, '\0');
	*bytes = b.len - 1;
	return b.s;
}

/* ---- output ------------------------------------------------------------------ */

/* Writes the origin of a handler's output, for JSON. */
static void put_origin(struct sbuf *body, const struct st_origin *who, const char *point)
{
	uint32_t n = strnlen(point, ST_ORIGIN_POINT), len = sizeof(*who) + n;
	uint16_t format = ST_FMT_ORIGIN;

	sbuf_add(body, (const char *)&format, sizeof(format));
	sbuf_add(body, (const char *)&len, sizeof(len));
	sbuf_add(body, (const char *)who, sizeof(*who));
	sbuf_add(body, point, n);
}

/* Writes the origin of what a handler in this process has printed.  The session's own output has no point. */
static void put_own_origin(struct sbuf *body, const struct st_ctx *c)
{
	struct st_origin who = { .pid = getpid(), .tid = gettid() };

	prctl(PR_GET_NAME, who.comm);
	put_origin(body, &who, c->point->pp);
}

static int64_t clock_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

static int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Takes the output in place of the library's (port/user/output.c), which formats it itself.  The pieces of
 * an output are one for the sinks, and a histogram may be in several, so they are held up to the last. */
void st_flush(struct st_ctx *c, bool more)
{
	struct interpreted *p = &interpreted;

	if (!p->continues) {
		p->from = (struct records_origin){ .cpu = sched_getcpu(), .time = now_ns() };
		if (p->origins && c->point)
			put_own_origin(&p->held, c);
	}
	sbuf_add(&p->held, c->output, c->out - c->output);
	c->out = c->output;
	p->continues = more;
	if (more && p->held.len < HELD_MOST)
		return;
	reader_take(p->reader, &p->from, p->held.s, p->held.len);
	p->held.len = 0;
}

/* Takes the output of a handler in the kernel. */
static void take_output(void *arg, const struct bpf_record *r, const char *point, const char *items, size_t bytes)
{
	struct interpreted *p = arg;
	struct records_origin from = { .cpu = r->cpu, .time = r->time };
	struct st_origin who = { .pid = r->task >> 32, .tid = (uint32_t)r->task };
	struct sbuf body = { 0 };

	if (!bytes)
		return;
	memcpy(who.comm, r->comm, sizeof(who.comm));
	if (p->origins)
		put_origin(&body, &who, point);
	sbuf_add(&body, items, bytes);
	reader_take(p->reader, &from, body.s, body.len);
	sbuf_free(&body);
}

/* Prints what handlers in the kernel have printed; call it before a handler prints here, for the order. */
static void read_kernel(struct interpreted *p)
{
	if (p->handlers)
		handlers_read(p->handlers, take_output, p);
}

void st_output_to(const struct st_output *output)
{
	(void)output;
}

/* ---- hits ---------------------------------------------------------------------- */

/* Runs the timers that are due, and sets p->timer to the next look, unless none is left: a while after this
 * one, and not before its handlers have left the CPU alone for as long as they had it. */
static void run_due_timers(struct interpreted *p)
{
	read_kernel(p);

	int64_t began = now_ns(), took = -clock_ns(CLOCK_THREAD_CPUTIME_ID), next = run_timers(began);
	struct itimerspec at = { 0 };

	took += clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (next != INT64_MAX) {
		next = max(next, max(began + LOOK_NS, now_ns() + took));
		at.it_value = (struct timespec){ next / NS_PER_S, next % NS_PER_S };
	}
	timerfd_settime(p->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

/* Runs the probes of input that has come, and answers each piece with a byte. */
static void take_input(struct interpreted *p, int fd, enum ir_event event)
{
	static char piece[ST_STRING_MOST];
	ssize_t n = recv(fd, piece, sizeof(piece), MSG_DONTWAIT);

	if (n <= 0)
		return;
	run_input(event, (struct st_str){ piece, n });
	reader_flush(p->reader);
	send(fd, "", 1, MSG_NOSIGNAL);
}

/* Notes that the session is ending.  A writer that waits for an answer gets none. */
static void leave(struct interpreted *p)
{
	close(p->chars[0]);
	close(p->lines[0]);
	p->chars[0] = p->lines[0] = -1;
	if (p->exiting >= 0)
		eventfd_write(p->exiting, 1);
}

static void serve(struct interpreted *p)
{
	struct pollfd pf[] = {
		{ .fd = p->stop, .events = POLLIN }, { .fd = p->chars[0], .events = POLLIN },
		{ .fd = p->lines[0], .events = POLLIN }, { .fd = p->timer, .events = POLLIN },
		{ .fd = p->handlers ? handlers_event(p->handlers) : -1, .events = POLLIN },
		{ .fd = files_events(), .events = POLLIN },
	};

	run_timers_begin(now_ns());
	run_due_timers(p);
	while (st_state == ST_RUNNING) {
		if (poll(pf, sizeof(pf) / sizeof(*pf), p->handlers ? KERNEL_MS : -1) < 0)
			continue;
		read_kernel(p);
		if (pf[0].revents)
			st_session_end(false, NULL);
		if (pf[1].revents)
			take_input(p, p->chars[0], IR_INPUT_CHAR);
		if (pf[2].revents)
			take_input(p, p->lines[0], IR_INPUT_LINE);
		if (pf[3].revents)
			run_due_timers(p);
		if (pf[5].revents)
			files_serve();
		reader_flush(p->reader);
	}
	files_close();
	if (p->handlers) {
		handlers_detach(p->handlers);
		read_kernel(p);
		reader_flush(p->reader);
	}
	leave(p);
}

/* Waits for "start"; false: "stop" came first. */
static bool is_started(const struct interpreted *p)
{
	struct pollfd pf[] = {
		{ .fd = p->go, .events = POLLIN }, { .fd = p->stop, .events = POLLIN },
	};

	while (poll(pf, 2, -1) < 0 && errno == EINTR)
		;
	return !pf[1].revents;
}

/* Opens the program.  The interpreter changes it, so BPF's programs are made before. */
static bool open_program(struct interpreted *p)
{
	if (bpf_is_for(p->ir)) {
		p->handlers = handlers_load(p->ir, p->target, p->origins);
		if (!p->handlers)
			return false;
		if (p->reader->usymbols)
			usymbols_from(p->reader->usymbols, handlers_names(p->handlers));
	}
	if (!run_open(p->ir, NULL))
		return true;
	say_error("%s", st_message);
	return false;
}

/* Runs the begin probes and attaches those of the kernel, then lets interpreted_tell("start") return. */
static bool begin(struct interpreted *p)
{
	p->failed = !open_program(p);
	if (!p->failed) {
		srandom(getpid());
		run_all(ST_STARTING);
		reader_flush(p->reader);
		p->failed = !st_leaving && ((files_has(p->ir) && files_open(p->ir, st_engine_name)) ||
					    (p->handlers && handlers_attach(p->handlers)));
	}
	eventfd_write(p->begun, 1);
	return !p->failed;
}

int interpret(void *arg, struct reader *r, const char **why)
{
	struct interpreted *p = arg;
	enum st_state state;

	(void)why;
	p->reader = r;
	if (!is_started(p) || !begin(p))
		return 0;
	for (state = st_engine_advance(); state != ST_STOPPED; state = st_engine_advance())
		if (state == ST_RUNNING) {
			run_conditions(ST_RUNNING);
			serve(p);
		} else if (state == ST_STOPPING || state == ST_FAILING) {
			run_all(state);
		} else {
			leave(p);
		}
	run_close();
	return 0;
}

/* ---- as a module ------------------------------------------------------------- */

static int start(struct interpreted *p)
{
	eventfd_t n;

	eventfd_write(p->go, 1);
	while (eventfd_read(p->begun, &n) && errno == EINTR)
		;
	return p->failed ? -1 : 0;
}

int interpreted_tell(struct interpreted *p, const char *command, long value)
{
	if (!strcmp(command, "notify"))
		p->exiting = value;
	else if (!strcmp(command, "target"))
		p->target = st_target_process = value;
	else if (!strcmp(command, "start"))
		return start(p);
	else
		eventfd_write(p->stop, 1);
	return 0;
}

int interpreted_state(struct control_state *st)
{
	struct handlers_losses kernels = { 0 };
	struct sbuf b = { 0 };

	if (interpreted.handlers)
		kernels = handlers_losses(interpreted.handlers);

	const struct { const char *name; long n; } counters[] = {
		{ "errors", atomic_long_read(&st_counts.errors) },
		{ "skipped", atomic_long_read(&st_counts.skipped) + kernels.skipped },
		{ "busy", kernels.busy },
		{ "lost", atomic_long_read(&st_counts.unread) + kernels.lost },
	};

	sbuf_printf(&b, "state running\nformat %s\n", interpreted.format);
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		sbuf_printf(&b, "%s %ld\n", counters[i].name, counters[i].n);
	st->text = b.s;
	return 0;
}

void interpreted_input(const struct interpreted *p, int *chars, int *lines)
{
	*chars = p->chars[1];
	*lines = p->lines[1];
}
