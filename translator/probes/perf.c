// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.type(T).config(C)…: the kernel's hardware and software performance events,
 * after every N events or N times a second; and profiling timers, which are
 * events of the CPU clock.
 *
 * T and C are the type and config of perf_event_open(2); the kernel checks them
 * when the session starts.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "families.h"
#include "ir/ir.h"
#include "perf.h"
#include "program_path.h"

enum {
	V_SAMPLE = 1 << 0,
	V_HZ = 1 << 1,
	V_PROCESS = 1 << 2,
	V_COMMAND = 1 << 3,
	V_PROFILE = 1 << 4,
	V_COUNTER = 1 << 5,
};

/* The default number of events between two hits. */
#define DEFAULT_PERIOD 1000000

/* PERF_COUNT_SW_CPU_CLOCK: a clock of each CPU, in nanoseconds. */
#define CPU_CLOCK 0

#define EVENT "perf.type(n).config(n)"

static const struct probe_pattern perf_patterns[] = {
	{ EVENT, 0, "a performance event, each 1000000th" },
	{ EVENT ".sample(n)", V_SAMPLE, "a performance event, each nth" },
	{ EVENT ".hz(n)", V_HZ, "a performance event, about n times a second" },
	{ EVENT ".process(s)", V_PROCESS, "a performance event in a program's processes" },
	{ EVENT ".counter(s)", V_COUNTER, "a performance event, to be read by @perf" },
	{ EVENT ".process(s).counter(s)", V_PROCESS | V_COUNTER,
	  "a performance event of each thread of a program, to be read by @perf" },
	{ EVENT ".process", V_COMMAND, "a performance event in processes of the program run by -c" },
	{ "timer.profile", V_PROFILE, "each millisecond on each CPU" },
	{ "timer.profile.tick", V_PROFILE, "each millisecond on each CPU" },
	{ "timer.profile.freq.hz(n)", V_PROFILE | V_HZ, "n times a second on each CPU" },
	{ NULL, 0, NULL },
};

/* ---- points ------------------------------------------------------------ */

static int check_event(const struct perf_probe *e, struct family_result *out)
{
	if (e->type < 0 || e->type > UINT32_MAX)
		out->why.text = arena_printf("invalid perf type %" PRId64, e->type);
	else if (e->period < 1)
		out->why.text = arena_printf("invalid perf %s %" PRId64,
					e->hz ? "frequency" : "sample period", e->period);
	return out->why.text ? -1 : 0;
}

static int perf_resolve(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	struct perf_probe *e = arena_new(struct perf_probe);
	const struct point_part *last = &point->parts.v[point->parts.n - 1];
	const struct point_part *process = pat->variant & V_COUNTER ? last - 1 : last;

	add_named_site(&e->probe, point);
	e->type = PERF_SOFTWARE;
	e->config = CPU_CLOCK;
	e->period = DEFAULT_PERIOD;
	e->hz = pat->variant & V_HZ;
	if (!(pat->variant & V_PROFILE)) {
		e->type = point->parts.v[1].arg->num;
		e->config = point->parts.v[2].arg->num;
	}
	if (pat->variant & (V_SAMPLE | V_HZ))
		e->period = last->arg->num;
	if (pat->variant & V_PROCESS)
		e->process = program_find(s, process->arg->str, &out->why);
	else if (pat->variant & V_COMMAND)
		e->process = program_of_command(s, &out->why);
	if (out->why.text)
		return -1;
	if (check_event(e, out) < 0)
		return -1;
	if (pat->variant & V_COUNTER) {
		e->counter = last->arg->str;
		e->period = 0;
		e->probe.acts = true;	/* because it counts */
	}
	vec_push(&out->probes, &e->probe);
	return 0;
}

/* ---- counters ---------------------------------------------------------- */

static struct perf_probe *perf_of(const struct probe *p)
{
	return container_of(p, struct perf_probe, probe);
}

const struct perf_probe *perf_counter(const struct probe *p)
{
	return p->family == &family_perf && perf_of(p)->counter ? perf_of(p) : NULL;
}

static const struct probe *same_counter(struct probe *const *probes, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (perf_counter(probes[i]) && !strcmp(perf_counter(probes[i])->counter, name))
			return probes[i];
	return NULL;
}

static void warn_idle_handler(const struct perf_probe *e)
{
	const struct stmt *body = e->probe.decl->body;

	if (body->kind != S_BLOCK || body->body.n)
		diag_at(DIAG_WARNING, body->loc,
			"the handler of a counter never runs: @perf(\"%s\") reads it", e->counter);
}

/* Refuses two counters of one name, and numbers the counters for @perf. */
static int perf_check(struct session *s, struct probe *const *probes, size_t n)
{
	int failed = 0, count = 0;

	(void)s;
	for (size_t i = 0; i < n; i++) {
		struct perf_probe *e = perf_of(probes[i]);
		const struct probe *other;

		if (!e->counter)
			continue;
		other = same_counter(probes, i, e->counter);
		if (other) {
			diag_at(DIAG_SEMANTIC_ERROR, e->probe.loc, "duplicate counter name '%s'",
				e->counter);
			diag_also(other->loc, "another is here");
			failed = -1;
		}
		e->counter_number = count++;
		warn_idle_handler(e);
	}
	return failed;
}

/* Where the kernel's image and its modules begin. */
#define KERNEL_IMAGE 0xffffffff80000000

/* ---- rows -------------------------------------------------------------- */

void perf_row(const struct probe *p, const struct site *site, struct row *out)
{
	const struct perf_probe *e = perf_of(p);

	(void)site;
	row_number(out, "type", (unsigned)e->type);
	row_address(out, "config", e->config);
	row_number(out, "period", e->period);
	row_number(out, "hz", e->hz);
	row_text(out, "process", e->process);
	row_number(out, "counter", e->counter ? e->counter_number + 1 : 0);
	if (e->watch.length)
		watch_row(out, &e->watch);
}

/*
 * Counters, and events of one program's processes, only the module has; and watches of what each CPU has, or
 * outside of the kernel's image and its modules: a CPU must not be stopped where it enters the kernel.
 */
void perf_place(const struct probe *p, const struct site *site, struct ir_place *out)
{
	const struct perf_probe *e = perf_of(p);

	(void)site;
	if (e->counter || e->process || e->watch.percpu ||
	    (e->watch.length && e->watch.address < KERNEL_IMAGE))
		return;
	out->attach = IR_AT_EVENT;
	out->performance = (struct ir_performance){
		.type = e->type, .config = e->config, .period = e->period, .a_second = e->hz,
		.watched = e->watch.length, .reads = e->watch.reads,
	};
	out->base = e->watch.linked ? 0 : IR_ABSOLUTE;
	out->offset = e->watch.address;
}

const struct probe_family family_perf = {
	.name = "perf",
	.patterns = perf_patterns,
	.resolve = perf_resolve,
	.check = perf_check,
	.table = "perf",
	.row = perf_row,
	.place = perf_place,
};
