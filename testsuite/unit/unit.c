// SPDX-License-Identifier: GPL-2.0-or-later
/* What the unit tests of the runtime's data files share: see unit.h. */
#include <stdarg.h>

#include "unit.h"

#define SCRATCH 65536

int unit_failures;
char unit_output[65536];
char unit_error[256];
__thread long unit_skips;
struct st_ctx unit_ctx;
struct st_global unit_global;
long unit_slices = -1;
long unit_pages = 1 << 20;
long unit_allocations;
long unit_fail_after = -1;

static char scratch[SCRATCH];

struct st_program st_program = {
	.maxstringlen = 128, .maxnesting = 10, .globals = &unit_global, .nglobals = 1,
	.hist_width = 50, .hist_elision = 2, .maxtrylock = 1000, .groups = ST_GROUPS_MOST + 1,
};

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

void st_error(struct st_ctx *c, const char *fmt, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, fmt);
	vsnprintf(unit_error, sizeof(unit_error), fmt, args);
	va_end(args);
	c->error = unit_error;
}

int st_walked_slice(struct st_ctx *c)
{
	c->walked = 0;
	if (unit_slices > 0)
		unit_slices--;
	if (unit_slices)
		return false;
	st_error(c, "the handler takes too long");
	return true;
}

void st_skip(void)
{
	unit_skips++;
}

void st_print_text(struct st_ctx *c, struct st_str s)
{
	size_t n = strlen(unit_output);

	(void)c;
	if (s.len >= sizeof(unit_output) - n)
		s.len = sizeof(unit_output) - n - 1;
	memcpy(unit_output + n, s.p, s.len);
	unit_output[n + s.len] = '\0';
}

void unit_reset(void)
{
	st_machine = (struct st_machine){ .possible = UNIT_CPUS, .online = UNIT_CPUS - 1 };
	unit_ctx = (struct st_ctx){ .sp = scratch, .sp_end = scratch + SCRATCH };
	unit_slices = -1;
	unit_output[0] = '\0';
	unit_error[0] = '\0';
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

/* A handler here has all patience that st_program allows. */
u64 st_patience(void)
{
	return (u64)st_program.maxtrylock * ST_LOCK_TRY_NS;
}

void st_waited(u64 ns)
{
	(void)ns;
}
