// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.type(T).config(C)…: the kernel's performance events, hardware's and
 * software's, after so many of them or so many times a second; and profiling
 * timers, which are such events of a clock.
 *
 * Types and configurations are those of perf_event_open(2); the kernel checks
 * them when the session starts.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "perf.h"
#include "session.h"

enum {
	V_SAMPLE = 1 << 0,
	V_HZ = 1 << 1,
	V_PROCESS = 1 << 2,
	V_COMMAND = 1 << 3,
	V_PROFILE = 1 << 4,
	V_COUNTER = 1 << 5,
};

/* Counted between two hits when the script does not say. */
#define DEFAULT_PERIOD 1000000

/* The software event that is a clock of each processor, in nanoseconds. */
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
	{ "timer.profile", V_PROFILE, "each millisecond on each processor" },
	{ "timer.profile.tick", V_PROFILE, "each millisecond on each processor" },
	{ "timer.profile.freq.hz(n)", V_PROFILE | V_HZ, "n times a second on each processor" },
	{ NULL, 0, NULL },
};

/* ---- programs ---------------------------------------------------------- */

/* Where a program is, by the PATH if its name has no '/'. */
static const char *find_program(const char *name)
{
	const char *path = getenv("PATH");
	char *found = NULL;

	if (strchr(name, '/'))
		path = "";
	while (path && !found) {
		size_t len = strcspn(path, ":");
		const char *file = arena_printf("%.*s%s%s", (int)len, path, len ? "/" : "", name);

		if (!access(file, X_OK))
			found = realpath(file, NULL);
		path = path[len] ? path + len + 1 : NULL;
	}
	if (!found)
		return NULL;

	const char *kept = arena_strdup(found);

	free(found);
	return kept;
}

static int set_program(struct perf_event *e, const char *name, struct family_result *out)
{
	e->process = find_program(name);
	if (e->process)
		return 0;
	out->why = arena_printf("there is no program '%s'", name);
	return -1;
}

static int set_command(struct session *s, struct perf_event *e, struct family_result *out)
{
	if (!s->options.command) {
		out->why = "process without the name of a program needs stap -c COMMAND";
		return -1;
	}
	const char *command = s->options.command;

	return set_program(e, arena_strndup(command, strcspn(command, " \t")), out);
}

/* ---- points ------------------------------------------------------------ */

static int check_event(const struct perf_event *e, struct family_result *out)
{
	if (e->type < 0 || e->type > UINT32_MAX)
		out->why = arena_printf("invalid perf type %" PRId64, e->type);
	else if (e->period < 1)
		out->why = arena_printf("invalid perf %s %" PRId64,
					e->hz ? "frequency" : "sample period", e->period);
	return out->why ? -1 : 0;
}

static int perf_resolve(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	struct perf_event *e = new(struct perf_event);
	const struct point_part *last = &point->parts.v[point->parts.n - 1];
	struct probe *p = single_site_probe(point);
	const struct point_part *process = pat->variant & V_COUNTER ? last - 1 : last;

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
	if ((pat->variant & V_PROCESS) && set_program(e, process->arg->str, out) < 0)
		return -1;
	if ((pat->variant & V_COMMAND) && set_command(s, e, out) < 0)
		return -1;
	if (check_event(e, out) < 0)
		return -1;
	if (pat->variant & V_COUNTER) {
		e->counter = last->arg->str;
		e->period = 0;
		p->counter = e->counter;
		p->acts = true;		/* it counts */
	}
	p->own = e;
	vec_push(&out->probes, p);
	return 0;
}

static const struct probe *same_counter(struct probe *const *probes, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (probes[i]->counter && !strcmp(probes[i]->counter, name))
			return probes[i];
	return NULL;
}

static void warn_idle_handler(const struct probe *p)
{
	const struct stmt *body = p->decl->body;

	if (body->kind != S_BLOCK || body->body.n)
		diag_at(DIAG_WARNING, body->loc,
			"the handler of a counter never runs: @perf(\"%s\") reads it", p->counter);
}

/* Counters have different names, and numbers by which @perf knows them. */
static int perf_check(struct session *s, struct probe *const *probes, size_t n)
{
	int failed = 0, count = 0;

	(void)s;
	for (size_t i = 0; i < n; i++) {
		struct probe *p = probes[i];
		const struct probe *other = p->counter ? same_counter(probes, i, p->counter) : NULL;

		if (!p->counter)
			continue;
		if (other) {
			diag_at(DIAG_SEMANTIC_ERROR, p->loc, "duplicate counter name '%s'",
				p->counter);
			diag_also(other->loc, "another is here");
			failed = -1;
		}
		p->numbers[0] = count++;
		warn_idle_handler(p);
	}
	return failed;
}

/* ---- pass 3 ------------------------------------------------------------ */

void perf_emit(struct sbuf *out, struct session *s, struct probe *const *probes, size_t n)
{
	(void)s;
	sbuf_puts(out, "static const struct st_perf st_table_perf[] = {\n");
	for (size_t i = 0; i < n; i++) {
		const struct perf_event *e = probes[i]->own;

		sbuf_puts(out, "\t{ ");
		emit_point(out, probes[i], &probes[i]->sites.v[0]);
		sbuf_printf(out, ", %uU, %#llxULL, %lldULL, %d, ", (unsigned)e->type,
			    (unsigned long long)e->config, (long long)e->period, e->hz);
		emit_string(out, e->process);
		sbuf_printf(out, ", %d", e->counter ? (int)probes[i]->numbers[0] + 1 : 0);
		sbuf_printf(out, ", { %#llxUL, %d, %d, %u, %d } },\n",
			    (unsigned long long)e->watch.address, e->watch.linked,
			    e->watch.percpu, e->watch.length, e->watch.reads);
	}
	sbuf_puts(out, "};\n");
}

const struct probe_family family_perf = {
	.name = "perf",
	.patterns = perf_patterns,
	.resolve = perf_resolve,
	.check = perf_check,
	.table = "perf",
	.emit = perf_emit,
};
