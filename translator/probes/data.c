// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.data("symbol").write, kernel.data(address).rw: a kernel variable is
 * written, or read, by any instruction.  The processor watches the address with
 * a hardware breakpoint, of which it has few.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "families.h"
#include "perf.h"
#include "session.h"

enum { V_READS = 1, V_ADDRESS = 2, V_LENGTH = 4 };

static const struct probe_pattern data_patterns[] = {
	{ "kernel.data(s).write", 0, "a variable of the kernel is written" },
	{ "kernel.data(s).rw", V_READS, "a variable of the kernel is written or read" },
	{ "kernel.data(s).length(n).write", V_LENGTH, "bytes of a variable are written" },
	{ "kernel.data(s).length(n).rw", V_LENGTH | V_READS,
	  "bytes of a variable are written or read" },
	{ "kernel.data(n).write", V_ADDRESS, "an address is written" },
	{ "kernel.data(n).rw", V_ADDRESS | V_READS, "an address is written or read" },
	{ "kernel.data(n).length(n).write", V_ADDRESS | V_LENGTH, "some bytes are written" },
	{ "kernel.data(n).length(n).rw", V_ADDRESS | V_LENGTH | V_READS,
	  "some bytes are written or read" },
	{ NULL, 0, NULL },
};

/* Bytes watched by default.  A longer access touches the first byte too. */
#define DEFAULT_LENGTH 1

/* x86's debug registers; other architectures have no more. */
#define MOST_WATCHED 4
#define MOST_LENGTH 8

/* ---- points ------------------------------------------------------------ */

static const char *site_pp(const struct probe_point *point, const struct watch *w)
{
	const struct expr *what = point->parts.v[1].arg;
	const char *data = what->kind == E_STR ? arena_printf("\"%s\"", what->str)
					       : arena_printf("%#" PRIx64, (uint64_t)what->num);

	return arena_printf("kernel.data(%s).length(%u).%s", data, w->length,
			    w->reads ? "rw" : "write");
}

/*
 * Returns the next larger length that the processor can watch, or 0 if LENGTH
 * is too long.
 */
static unsigned known_length(int64_t length)
{
	unsigned known = 1;

	while (known < length && known <= MOST_LENGTH)
		known *= 2;
	return length > 0 && known <= MOST_LENGTH ? known : 0;
}

static int find_symbol(struct session *s, const char *name, struct watch *w,
		       struct family_result *out)
{
	struct data_place place;

	if (target_data(s->target, name, &place, &out->why) < 0)
		return -1;
	w->address = place.addr;
	w->linked = place.linked;
	w->percpu = place.percpu;
	return 0;
}

static int data_resolve(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	struct perf_probe *e = arena_new(struct perf_probe);
	const struct expr *what = point->parts.v[1].arg;
	int64_t length = pat->variant & V_LENGTH ? point->parts.v[2].arg->num : DEFAULT_LENGTH;

	e->type = PERF_BREAKPOINT;
	e->period = 1;
	e->watch.reads = pat->variant & V_READS;
	e->watch.length = known_length(length);
	if (!e->watch.length) {
		out->why.text = arena_printf("a watched length is 1 to %d bytes, not %" PRId64,
					MOST_LENGTH, length);
		return -1;
	}
	if (pat->variant & V_ADDRESS)
		e->watch.address = what->num;
	else if (find_symbol(s, what->str, &e->watch, out) < 0)
		return -1;
	if (e->watch.address % e->watch.length) {
		out->why.text = arena_printf("address %#" PRIx64 " is not a multiple of the watched "
					"length %u", e->watch.address,
					e->watch.length);
		return -1;
	}
	add_named_site(&e->probe, point);
	e->probe.sites.v[0].pp = site_pp(point, &e->watch);
	e->probe.sites.v[0].module = "kernel";
	vec_push(&out->probes, &e->probe);
	return 0;
}

static int data_check(struct session *s, struct probe *const *probes, size_t n)
{
	(void)s;
	if (n > MOST_WATCHED)
		diag_at(DIAG_WARNING, probes[MOST_WATCHED]->point->loc,
			"too many hardware breakpoint probes: %zu, where a processor has %d", n,
			MOST_WATCHED);
	return 0;
}

const struct probe_family family_data = {
	.name = "data",
	.patterns = data_patterns,
	.resolve = data_resolve,
	.check = data_check,
	.table = "perf",
	.row = "st_perf",
	.emit = perf_emit,
};
