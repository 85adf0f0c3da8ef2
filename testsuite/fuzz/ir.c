// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of intermediate programs (lib/ir/file.h): any bytes are refused or become a program that means
 * something, can be printed, is the same when it is written and read again, and can be run: it ends, however it
 * loops.  The input is read as it is, and with a head that fits the rest, because a check sum refuses nearly all
 * that a fuzzer makes.
 *
 * A small file that is whole is cut off at each byte, too, and has each of its bytes changed.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "bpf/bpf.h"
#include "core/supply.h"
#include "interpreter/run.h"
#include "ir/file.h"
#include "ir/ir.h"
#include "port/user/engine.h"
#include "port/user/internal.h"

enum { HEAD = 24, SMALL = 6000 };

static void put(unsigned char *to, uint64_t n, unsigned bytes)
{
	for (; bytes; bytes--, n >>= 8)
		*to++ = n & 0xff;
}

/* Makes the head of the N bytes fit them. */
static void seal(unsigned char *file, size_t n)
{
	if (n < HEAD)
		return;
	memcpy(file, "STAP IR\n", 8);
	put(file + 8, IR_VERSION, 4);
	put(file + 12, ir_checksum(file + HEAD, n - HEAD), 4);
	put(file + 16, n - HEAD, 8);
}

/* Makes BPF of a program as stapio does, from the kernel's addresses of its bases to the types and messages. */
static void make_bpf(const struct ir_program *p)
{
	uint64_t *bases = calloc(p->bases.n + 1, sizeof(*bases));
	const struct bpf_system on = { .cpus = 3, .bases = bases, .target = 1, .origins = true };
	struct sbuf types = { 0 };
	struct bpf_plan *plan;
	const char *why = NULL;

	plan = bpf_plan(p, &on, &why);
	fuzz_must(!plan == (why != NULL), "instructions and a refusal, or neither");
	for (size_t i = 0; plan && i < plan->programs.n; i++)
		bpf_types(&types, &plan->programs.v[i]);
	for (size_t i = 0; plan && plan->messages && i < plan->sites.n; i++)
		bpf_message(plan, i);
	if (plan)
		sbuf_free(&plan->texts);
	sbuf_free(&types);
	free(bases);
}

/* What a reader may do with a program. */
static void use(const struct ir_program *p)
{
	static FILE *nowhere;
	struct sbuf first = { 0 }, second = { 0 };
	const struct ir_program *again;
	const char *why;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	ir_dump(nowhere, p);
	run_refuses(p, false);
	run_refuses(p, true);
	make_bpf(p);
	fuzz_must(!ir_write(&first, p), "a program that can't be written again");
	again = ir_read(first.s, first.len, &why);
	fuzz_must(again != NULL, "a program that can't be read again");
	ir_write(&second, again);
	fuzz_must(first.len == second.len && !memcmp(first.s, second.s, first.len),
		  "a file that becomes another");
	sbuf_free(&first);
	sbuf_free(&second);
}

/* ---- runs ------------------------------------------------------------------ */

/* A handler's time, in looks at the clock: some thousand statements, rounds or calls are between two. */
enum { LOOKS_MOST = 4 };

static unsigned looks;

/* In the place of the library's (port/user/time.c). */
void st_time_begin(void)
{
	looks = 0;
}

bool st_time_is_over(struct st_ctx *c)
{
	fuzz_must(++looks < 1000 * LOOKS_MOST, "a handler that goes on when its time is over");
	if (looks <= LOOKS_MOST)
		return false;
	st_error(c, "the handler takes too long");
	return true;
}

/* Would it take memory in earnest?  A program may ask for gigabytes. */
static bool is_large(const struct ir_program *p)
{
	int64_t entries = 0;

	for (size_t i = 0; i < p->globals.n; i++) {
		const struct ir_shape *shape = &p->globals.v[i].shape;

		entries += p->globals.v[i].entries > 0 ? p->globals.v[i].entries : 0;
		if (shape->hist == IR_LINEAR && shape->step > 0 && (shape->hi - shape->lo) / shape->step > 1000)
			return true;
	}
	return p->limits.string > 4096 || p->limits.entries > 5000 || p->limits.nesting > 1000 || entries > 20000;
}

static void take(void *arg, unsigned short kind, struct st_str piece)
{
	size_t *bytes = arg;

	(void)kind;
	for (unsigned i = 0; i < piece.len; i++)	/* a sanitizer looks at them */
		*bytes += piece.p[i] != 0;
}

static void run_some_hits(void)
{
	int64_t now = 1;

	run_conditions(ST_RUNNING);
	run_timers_begin(now);
	for (unsigned i = 0; i < 3 && now < INT64_MAX; i++)
		now = run_timers(now);
	run_input(IR_INPUT_CHAR, (struct st_str){ "x", 1 });
	run_input(IR_INPUT_LINE, (struct st_str){ "a line", 6 });
	st_session_end(false, NULL);
}

/* A session, from its begin probes to its end probes.  It changes the program. */
static void run(struct ir_program *p)
{
	size_t bytes = 0;
	const struct st_output output = { take, &bytes };
	enum st_state state;

	if (run_refuses(p, false) || is_large(p) || run_open(p, &output))
		return;
	run_all(ST_STARTING);
	for (state = st_engine_advance(); state != ST_STOPPED; state = st_engine_advance())
		if (state == ST_RUNNING)
			run_some_hits();
		else if (state != ST_EXITING)
			run_all(state);
	run_close();
}

/* A copy whose end a sanitizer sees. */
static bool try(const unsigned char *data, size_t n, bool sealed)
{
	unsigned char *copy = malloc(n + !n);
	struct ir_program *p;
	const char *why;

	if (n)
		memcpy(copy, data, n);
	if (sealed)
		seal(copy, n);
	p = ir_read(copy, n, &why);
	fuzz_must(!p == (why != NULL), "a program and a message, or neither");
	free(copy);
	if (p) {
		use(p);
		p->limits.untimed = false;
		run(p);
	}
	arena_free_all();
	return p != NULL;
}

static void damage(const unsigned char *data, size_t n)
{
	unsigned char *copy = malloc(n);

	for (size_t end = 0; end < n; end++)
		fuzz_must(!try(data, end, true), "a program that is cut off");
	for (size_t i = HEAD; i < n; i++) {
		memcpy(copy, data, n);
		copy[i] ^= 1 << i % 8;
		fuzz_must(!try(copy, n, false), "a damaged file that is read");
		try(copy, n, true);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool whole = try(data, size, false);

	try(data, size, true);
	if (whole && size <= SMALL && getenv("FUZZ_EACH_BYTE"))
		damage(data, size);
	return 0;
}
