// SPDX-License-Identifier: GPL-2.0-or-later
/* What the unit tests of the runtime's portable half share: see unit.h. */
#include "core/run.h"
#include "port/user/internal.h"
#include "unit.h"

#define SCRATCH 65536

int unit_failures;
struct st_ctx unit_ctx;
struct st_global unit_global;
long unit_slices = -1;
long unit_pages = 1 << 20;
long unit_allocations;
long unit_fail_after = -1;

static char output[65536];

static const struct st_program program = {
	.maxstringlen = 128, .maxnesting = 10, .scratch = SCRATCH, .maxskipped = 1000000,
	.globals = &unit_global, .nglobals = 1,
	.hist_width = 50, .hist_elision = 2, .maxtrylock = 1000, .groups = ST_GROUPS_MOST + 1,
};

/* ---- instead of the port's (port/user/memory.c, time.c) ------------------------- */

void *kvmalloc_node(unsigned long bytes, int flags, int node)
{
	void *p;

	(void)flags;
	(void)node;
	if (unit_fail_after == 0)
		return NULL;
	if (unit_fail_after > 0)
		unit_fail_after--;
	bytes = ALIGN(bytes, 64ul);
	p = aligned_alloc(64, bytes);
	if (p) {
		memset(p, 0, bytes);
		unit_allocations++;
	}
	return p;
}

void kvfree(void *p)
{
	if (p)
		unit_allocations--;
	free(p);
}

long si_mem_available(void)
{
	return unit_pages;
}

void st_time_begin(void)
{
}

bool st_time_is_over(struct st_ctx *c)
{
	if (unit_slices > 0)
		unit_slices--;
	if (unit_slices)
		return false;
	st_error(c, "the handler takes too long");
	return true;
}

/* ---- a context, and what it prints ------------------------------------------- */

static void take(void *arg, unsigned short kind, struct st_str piece)
{
	size_t n = strlen(output);

	(void)arg;
	CHECK_LONG(kind, ST_FMT_TEXT);
	if (piece.len >= sizeof(output) - n)
		piece.len = sizeof(output) - n - 1;
	memcpy(output + n, piece.p, piece.len);
	output[n + piece.len] = '\0';
}

const char *unit_output(void)
{
	st_flush(&unit_ctx, false);
	return output;
}

const char *unit_error(void)
{
	return unit_ctx.error ? unit_ctx.error : "";
}

long unit_skips(void)
{
	return atomic_long_read(&st_counts.skipped);
}

void unit_reset(void)
{
	static const struct st_output out = { .take = take };
	static char *areas;

	st_machine = (struct st_machine){ .possible = UNIT_CPUS, .online = UNIT_CPUS - 1 };
	st_program = program;
	st_output_to(&out);
	free(areas);
	areas = calloc(1, st_ctx_bytes());
	memset(&unit_ctx, 0, sizeof(unit_ctx));
	st_ctx_place(&unit_ctx, areas);
	unit_slices = -1;
	output[0] = '\0';
}

void unit_check_string(const char *file, int line, const char *got, const char *want)
{
	if (!strcmp(got, want))
		return;
	unit_failures++;
	fprintf(stderr, "%s:%d: got\n%s\nwanted\n%s\n", file, line, got, want);
}

void unit_check_long(const char *file, int line, st_long got, st_long want)
{
	if (got == want)
		return;
	unit_failures++;
	fprintf(stderr, "%s:%d: got %lld, wanted %lld\n", file, line, got, want);
}

unsigned int unit_random(unsigned int n)
{
	static u64 state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 32) % n;
}

struct st_str unit_str(const char *s)
{
	return (struct st_str){ s, strlen(s) };
}
