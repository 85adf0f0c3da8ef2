// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.data("symbol").write, kernel.data(address).rw: any instruction writes, or
 * reads, a kernel variable.
 */
#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "families.h"
#include "perf.h"
#include "session.h"

static const struct probe_pattern data_patterns[] = {
	WATCH_PATTERNS("kernel.", 0, "the kernel"),
	{ NULL, 0, NULL },
};

static bool find_symbol(struct session *s, const char *name, struct watch *w,
			struct family_result *out)
{
	struct data_place place;

	if (target_data(s->target, name, &place, &out->why) < 0)
		return false;
	w->address = place.addr;
	w->linked = place.linked;
	w->percpu = place.percpu;
	return true;
}

static int data_resolve(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	struct perf_probe *e = arena_new(struct perf_probe);

	e->type = PERF_BREAKPOINT;
	e->period = 1;
	if (!watch_parse(point, pat, &e->watch, &out->why) ||
	    (!(pat->variant & WATCH_ADDRESS) &&
	     !find_symbol(s, point->parts.v[1].arg->str, &e->watch, out)) ||
	    !watch_check(&e->watch, &out->why))
		return -1;
	add_named_site(&e->probe, point);
	e->probe.sites.v[0].pp = arena_printf("kernel.%s", watch_text(point, &e->watch));
	e->probe.sites.v[0].module = "kernel";
	vec_push(&out->probes, &e->probe);
	return 0;
}

static int data_check(struct session *s, struct probe *const *probes, size_t n)
{
	(void)s;
	watch_warn_many(probes, n);
	return 0;
}

const struct probe_family family_data = {
	.name = "data",
	.patterns = data_patterns,
	.resolve = data_resolve,
	.check = data_check,
	.table = "perf",
	.row = perf_row,
	.place = perf_place,
};
