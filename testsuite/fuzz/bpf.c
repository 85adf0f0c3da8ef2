// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stapio reads of a script's BPF programs (loader/stapio/bpf/): records of the ring, words of the variables, and
 * elements of the arrays.  The input is
 *
 *	a u16, bytes	the words behind the control's
 *	a byte		how many records there are,
 *	a u16, bytes	and each of them
 *	bytes		what tables have: each time one is read a byte, how many elements, and their keys and values
 *
 * A session of the script below takes it, from its begin probes to its end probes, and a timer's handler changes what
 * handlers in the kernel own.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "base/sbuf.h"
#include "bpf/bpf.h"
#include "core/supply.h"
#include "interpreter/run.h"
#include "ir/file.h"
#include "lang/lang.h"
#include "lower/lower.h"
#include "port/user/engine.h"
#include "sema/elaborate.h"
#include "session.h"
#include "stapio/bpf/elements.h"
#include "stapio/bpf/handlers.h"
#include "stapio/bpf/internal.h"
#include "stapio/bpf/mappings.h"
#include "stapio/bpf/system.h"

enum { CPUS = 3 };

static const char script[] =
	"global hits, times, least, sums, shown[20], last = \"x\", lines[20], wraps%[5], kept[20] "
	"function inner(n) { error(sprint(n)); return 1 } "
	"probe kernel.function(\"vfs_read\") { hits++; times[execname(), pid()]++; least <<< pid(); sums[execname()] <<< pid() "
	"shown[pid()] <<< 1; last = execname(); lines[pid() % 5] = execname() . last; wraps[pid()] = hits "
	"if (last == \"y\") delete wraps[3]; kept[last, 1] = strlen(last); "
	"printf(\"%s %d\\n\", last, 7 / pid()); if (pid() == 3) inner(7) else if (pid() == 4) exit() } "
	"probe timer.ms(1) { lines[7] = last; wraps[8] = hits; last = \"timer\"; delete kept[\"a\", 1]; kept[\"b\", 2]++; "
	"foreach ([e, p] in times-) println(e, p, times[e, p]) delete times } "
	"probe end { print(@hist_log(least)); foreach (p in shown) print(@hist_linear(shown[p], -10, 100, 10)); "
	"foreach (e in sums) println(e, @count(sums[e]), @sum(sums[e]), @min(sums[e]), @max(sums[e]), @avg(sums[e])); "
	"foreach (p in lines) println(lines[p]); foreach (p in wraps) println(wraps[p]); foreach ([e, p] in kept) println(e) }";

/* ---- the input ---- */

static struct {
	const uint8_t *data;
	size_t left;
} input;

/* Copies N bytes, or zeroes where the input has ended. */
static void take_bytes(void *to, size_t n)
{
	size_t have = n < input.left ? n : input.left;

	memset(to, 0, n);
	if (have)
		memcpy(to, input.data, have);
	input.data += have;
	input.left -= have;
}

static unsigned take_number(unsigned bytes)
{
	unsigned n = 0;

	take_bytes(&n, bytes);
	return n;
}

/* ---- the kernel ---- */

static struct bpf_plan *plan;

/* What a statistic counts, all or in a bucket, is no more than hits there can be. */
static void bound_counts(char *statistic, unsigned global)
{
	enum { COUNT, BUCKETS = 4 };		/* words, of elements.h */
	uint64_t *word = (uint64_t *)statistic;
	unsigned n = encoded_bytes(&st_program.globals[global].stat) / sizeof(*word);

	for (unsigned i = 0; i < n; i++)
		if (i == COUNT || i >= BUCKETS)
			word[i] &= UINT32_MAX;
}

static bool is_statistic(size_t global)
{
	return plan->ir->globals.v[global].type == IR_STATISTIC;
}

/* Bounds the counts of a map's value, if it has any: one for each CPU, or one. */
static void bound_value(int map, char *value, size_t bytes)
{
	for (size_t i = 0; i < plan->ir->globals.n; i++) {
		const struct bpf_global *g = &plan->globals[i];
		int first = g->map;

		if (!is_statistic(i) || !first || (map != first && map != first + 1))
			continue;
		for (size_t at = 0; at < bytes; at += g->value)
			bound_counts(value + at + sizeof(uint64_t), i);
	}
}

void ring_read(struct ring *r, void (*take)(void *arg, const char *record, size_t bytes), void *arg)
{
	(void)r;
	for (unsigned n = take_number(1); n && input.left; n--) {
		size_t bytes = take_number(2);
		char *record;

		bytes = bytes < input.left ? bytes : input.left;
		record = malloc(bytes + !bytes);
		take_bytes(record, bytes);
		take(arg, record, bytes);
		free(record);
	}
}

int system_elements(int map, void *keys, void *values, uint32_t *n, bool remove)
{
	const struct bpf_map *m = &plan->maps.v[map];
	size_t value = m->type == BPF_MAP_TYPE_PERCPU_HASH ? (size_t)CPUS * m->value : m->value;
	unsigned wanted = take_number(1);

	(void)remove;
	*n = wanted < *n ? wanted : *n;
	for (size_t i = 0; i < *n; i++) {
		take_bytes((char *)keys + i * m->key, m->key);
		take_bytes((char *)values + i * value, value);
		bound_value(map, (char *)values + i * value, value);
	}
	return 0;
}

static unsigned long written;

/* A sanitizer looks at what is given to the kernel. */
static void look_at(const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		written += ((const uint8_t *)bytes)[i];
}

int system_update(int map, const void *key, const void *value)
{
	look_at(key, plan->maps.v[map].key);
	look_at(value, plan->maps.v[map].value);
	return 0;
}

int system_delete(int map, const void *key)
{
	look_at(key, plan->maps.v[map].key);
	return 0;
}

void system_wait(void)
{
}

void mappings_follow(struct mappings *m, uint64_t until)
{
	(void)m;
	(void)until;
}

/* ---- the session ---- */

/* The script as a file, made once. */
static const struct sbuf *program(void)
{
	static struct sbuf file;
	struct session *s;

	if (file.len)
		return &file;
	s = fuzz_session((const uint8_t *)script, strlen(script));
	s->engine = ENGINE_BPF;
	library_open(s);
	vec_push(&s->files, lang_parse(s, s->script, false));
	fuzz_must(s->files.v[0] != NULL, "a script that can't be parsed");
	s->program = sema_elaborate(s);
	fuzz_must(s->program && !diag_errors && !ir_write(&file, lower_program(s, s->program)), "a script that is refused");
	fuzz_end(s);
	return &file;
}

static void take_items(void *arg, const struct bpf_record *from, const char *point, const char *items, size_t bytes)
{
	(void)arg;
	look_at(from, sizeof(*from));
	look_at(point, strlen(point));
	look_at(items, bytes);
}

static void take_output(void *arg, unsigned short kind, struct st_str piece)
{
	(void)arg;
	(void)kind;
	look_at(piece.p, piece.len);
}

static void name_points(struct handlers *h)
{
	for (size_t i = 0; i < plan->ir->probes.n; i++)
		h->npoints += plan->ir->probes.v[i].places.n;
	h->points = arena_alloc(h->npoints * sizeof(*h->points));
	for (size_t i = 0; i < h->npoints; i++)
		h->points[i] = "a.point";
}

/* Makes what handlers_load() makes; a map's number is its descriptor. */
static struct handlers *load(void)
{
	struct handlers *h = arena_new(struct handlers);

	h->plan = plan;
	h->cpus = CPUS;
	h->maps = arena_alloc(plan->maps.n * sizeof(*h->maps));
	for (size_t i = 0; i < plan->maps.n; i++)
		h->maps[i] = i;
	h->words_bytes = plan->maps.v[BPF_WORDS].value;
	h->words = calloc(1, h->words_bytes);
	h->pieces = arena_alloc(plan->frames * sizeof(*h->pieces));
	control(h)->sequence = 1;
	name_points(h);
	return h;
}

static void unload(struct handlers *h)
{
	for (size_t i = 0; i < plan->frames; i++)
		sbuf_free(&h->pieces[i]);
	free(h->words);
	sbuf_free(&plan->texts);
}

/* As handlers in the kernel leave them; no lock is held. */
static void take_words(struct handlers *h)
{
	size_t n = take_number(2), room = h->words_bytes - sizeof(struct bpf_control);

	take_bytes(h->words + sizeof(struct bpf_control), n < room ? n : room);
	for (size_t i = 0; i < plan->ir->globals.n; i++) {
		const struct bpf_global *g = &plan->globals[i];

		if (g->lock)
			h->words[g->lock] &= ~1;
		for (unsigned half = 0; is_statistic(i) && g->share == BPF_ADDED && !g->map && half < 2 * CPUS; half++)
			bound_counts(h->words + plan->halves + half * plan->half + g->at, i);
	}
}

static void run_kernels(struct handlers *h)
{
	give_all(h);
	share_with(h);
	control(h)->running = 1;
	run_timers_begin(1);
	take_words(h);
	handlers_read(h, take_items, NULL);
	run_timers(2000000);
	handlers_read(h, take_items, NULL);
	share_with(NULL);
	take_all(h);
	st_session_end(false, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t bases[16];
	const struct bpf_system on = { .cpus = CPUS, .bases = bases };
	const struct st_output output = { take_output, NULL };
	const struct sbuf *file = program();
	struct ir_program *ir;
	struct handlers *h;
	const char *why;

	input.data = data;
	input.left = size;
	ir = ir_read(file->s, file->len, &why);
	plan = bpf_plan(ir, &on, &why);
	fuzz_must(plan != NULL, "a script that is no BPF");
	h = load();
	fuzz_must(!run_open(ir, &output), "no memory");
	run_all(ST_STARTING);
	for (enum st_state state = st_engine_advance(); state != ST_STOPPED; state = st_engine_advance())
		if (state == ST_RUNNING)
			run_kernels(h);
		else if (state != ST_EXITING)
			run_all(state);
	run_close();
	unload(h);
	arena_free_all();
	return 0;
}
