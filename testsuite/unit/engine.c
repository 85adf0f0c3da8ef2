// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The engine (runtime/port/user/engine.h), with a program written by hand as the translator would:
 *
 *	global n, when, sizes
 *
 *	probe begin { n["zoe"] = 3; n["al"] = 7; n["bo"] = 5; sizes <<< 8; sizes <<< 9; sizes <<< 300 }
 *	probe timer.s(1) {
 *		foreach (who in n-)
 *			printf("%-4s|%5d|%#x\n", who, n[who], n[who])
 *		print(@hist_log(sizes))
 *	}
 *	…
 *
 * and one handler for each kind of error.
 */
#include "core/report.h"
#include "port/user/engine.h"

static int failures;

#define CHECK(cond) do {							\
	if (!(cond)) {								\
		failures++;							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);	\
	}									\
} while (0)

/* ---- what is printed ------------------------------------------------------- */

static char printed[65536];

/* Text as it is; anything else with its kind before it. */
static void take(void *arg, unsigned short kind, struct st_str piece)
{
	size_t n = strlen(printed);
	const char *mark = kind == ST_FMT_ERROR ? "E:" : kind == ST_FMT_WARN ? "W:" :
			   kind == ST_FMT_SYSTEM ? "$:" : "";

	CHECK(arg == printed);
	snprintf(printed + n, sizeof(printed) - n, "%s%.*s%s", mark, (int)piece.len, piece.p,
		 *mark ? "\n" : "");
}

static const struct st_output output = { .take = take, .arg = printed };

static void expect(int line, const char *want)
{
	if (strcmp(printed, want)) {
		failures++;
		fprintf(stderr, "%s:%d: got\n%s\nwanted\n%s\n", __FILE__, line, printed, want);
	}
	printed[0] = '\0';
}

#define PRINTED(want) expect(__LINE__, want)

/* ---- the program ------------------------------------------------------------- */

static struct st_map *n;
static struct st_agg *sizes;
static struct st_counter *hits;

static const struct st_global globals[] = {
	{ .name = "n", .kind = ST_G_MAP, .slot = &n, .nkeys = 1, .string_keys = 1,
	  .maxentries = 4, .nsorters = 1 },
	{ .name = "sizes", .kind = ST_G_STAT, .slot = &sizes,
	  .stat = { .ops = 1 << ST_COUNT, .hist = ST_HIST_LOG } },
	{ .name = "hits", .kind = ST_G_COUNTER, .slot = &hits, .init = 40 },
};

static const struct st_format formats[] = {
	{ .text = "%-4s|%5d|%#x\n" }, { .text = "caught: %s\n" }, { .text = "%*d|%.3s|%%|%c%1b|%5M|%p\n" }, { .text = "%d\n" },
	{ .text = "%3000d|%.*x\n" }, { .text = "", .members = "\"name\":\"sizes\"" },
};

static const struct st_program program = {
	.maxstringlen = 128, .maxnesting = 3, .maxerrors = 1, .maxskipped = 100, .scratch = 4096,
	.maxtrylock = 1000, .hist_width = 50, .hist_elision = 2,
	.globals = globals, .nglobals = 3,
	.formats = formats, .nformats = 6,
};

static struct st_point point_of(void (*handler)(struct st_ctx *c), struct st_probe *probe)
{
	*probe = (struct st_probe){ .handler = handler, .budget = LONG_MAX };
	return (struct st_point){ .probe = probe, .pp = "timer.s(1)" };
}

/* Runs a handler once. */
static bool run(void (*handler)(struct st_ctx *c), enum st_state when)
{
	struct st_probe probe;
	struct st_point point = point_of(handler, &probe);

	return st_engine_run(&point, when);
}

static void open_running(const struct st_program *p)
{
	CHECK(!st_engine_open(p, &output));
	CHECK(st_engine_advance() == ST_RUNNING);
}

static void set(struct st_ctx *c, const char *key, st_long v)
{
	union st_arg k = { .s = { key, strlen(key) } };

	st_map_set(c, n, &k, v);
}

static void fill(struct st_ctx *c)
{
	set(c, "zoe", 3);
	set(c, "al", 7);
	set(c, "bo", 5);
	for (int v = 8; v <= 9; v++)
		st_agg_add(c, sizes, v);
	st_agg_add(c, sizes, 300);
	st_counter_add(hits, 2);
}

static void show(struct st_ctx *c)
{
	struct st_order how = { .by = -1, .descending = 1, .limit = -1 };
	struct st_iter it;

	st_iter_begin(c, &it, n, &how, NULL, ~0u);
	while (st_iter_next(c, &it)) {
		struct st_str who = st_iter_key_str(&it, 0);
		char *p = st_emit(c, 0, 4ul + who.len + 16);

		if (p)
			st_emit_long(st_emit_long(st_emit_str(p, who), st_iter_value(&it)),
				     st_iter_value(&it));
	}
	st_iter_end(&it);
	if (st_print_hist(c, st_agg_merge(c, sizes), &globals[1].stat, 5, 0))
		st_print_buckets(c, st_agg_merge(c, sizes), &globals[1].stat);
}

/* ---- a session --------------------------------------------------------------- */

static void count(struct st_ctx *c)
{
	char *p = st_emit(c, 3, 8);

	if (p)
		st_emit_long(p, st_counter_sum(hits));
}

static void leave(struct st_ctx *c)
{
	st_exit(c);
}

static void test_session(void)
{
	CHECK(!st_engine_open(&program, &output));
	CHECK(run(fill, ST_STARTING));
	CHECK(!run(count, ST_RUNNING));
	CHECK(st_engine_advance() == ST_RUNNING);
	CHECK(!run(fill, ST_STARTING));
	PRINTED("");
	CHECK(run(show, ST_RUNNING));
	PRINTED("al  |    7|0x7\nbo  |    5|0x5\nzoe |    3|0x3\n"
		"value |-------------------------------------------------- count\n"
		"    2 |                                                   0\n"
		"    4 |                                                   0\n"
		"    8 |@@                                                 2\n"
		"   16 |                                                   0\n"
		"   32 |                                                   0\n"
		"   64 |                                                   0\n"
		"  128 |                                                   0\n"
		"  256 |@                                                  1\n"
		"  512 |                                                   0\n"
		" 1024 |                                                   0\n\n");
	CHECK(st_engine_advance() == ST_RUNNING);
	CHECK(run(leave, ST_RUNNING));
	CHECK(!run(count, ST_RUNNING));
	CHECK(st_engine_advance() == ST_STOPPING);
	CHECK(run(count, ST_STOPPING));
	PRINTED("42\n");
	CHECK(st_engine_advance() == ST_STOPPED && st_engine_advance() == ST_STOPPED);
	st_engine_close();
	CHECK(!n && !sizes && !hits);
}

/* exit() in a begin probe: the others of its number still run, and nothing runs after them. */
static void test_exit_at_once(void)
{
	CHECK(!st_engine_open(&program, &output));
	CHECK(run(leave, ST_STARTING) && st_leaving);
	CHECK(run(count, ST_STARTING));
	CHECK(st_engine_advance() == ST_EXITING && st_engine_advance() == ST_STOPPING);
	PRINTED("40\n");
	st_engine_close();
}

/* ---- printing ------------------------------------------------------------------ */

static void print_all_kinds(struct st_ctx *c)
{
	struct st_str s = ST_LIT("abcdef");
	char *p = st_emit(c, 2, 8 + 8 + 4ul + s.len + 8 + 8 + 4 + 2 + 8);

	p = st_emit_str(st_emit_long(st_emit_long(p, 6), -42), s);
	p = st_emit_long(st_emit_long(p, 'x'), 'y');
	st_emit_long(st_emit_str(p, ST_LIT("\1\2")), 0x1234);
	st_print_text(c, ST_LIT("plain\n"));
	st_warn(c, ST_LIT("careful"));
	st_emit_one(c, ST_FMT_SYSTEM, ST_LIT("ls"));
	st_print_text(c, ST_LIT("last\n"));
}

static char long_text[40000];

static void print_long(struct st_ctx *c)
{
	for (int i = 0; i < 3; i++)
		st_print_text(c, (struct st_str){ long_text, sizeof(long_text) });
	CHECK(!st_emit(c, 3, 1 << 20));
}

static size_t taken;

static void take_length(void *arg, unsigned short kind, struct st_str piece)
{
	CHECK(kind == ST_FMT_TEXT);
	*(bool *)arg |= memchr(piece.p, 'x', piece.len) != piece.p;
	taken += piece.len;
}

static void print_wide(struct st_ctx *c)
{
	char *p = st_emit(c, 4, 24);

	st_emit_long(st_emit_long(st_emit_long(p, 1), 2000), 1);
}

static void emit_unknown(struct st_ctx *c)
{
	st_emit(c, 77, 0);
}

static void test_printing(void)
{
	bool other = false;
	const struct st_output lengths = { .take = take_length, .arg = &other };

	open_running(&program);
	CHECK(run(print_all_kinds, ST_RUNNING));
	PRINTED("   -42|abc|%|xy| 0102|0x1234\nplain\nW:careful\n$:ls\nlast\n");
	st_engine_close();

	memset(long_text, 'x', sizeof(long_text));
	CHECK(!st_engine_open(&program, &lengths));
	st_engine_advance();
	CHECK(run(print_long, ST_RUNNING));
	CHECK(taken == 3 * sizeof(long_text) && !other);
	CHECK(atomic_long_read(&st_counts.unread) == 1);
	CHECK(run(emit_unknown, ST_RUNNING));
	CHECK(atomic_long_read(&st_counts.unread) == 2);
	taken = 0;
	CHECK(run(print_wide, ST_RUNNING) && taken == 3000 + 1 + 2000 + 1);
	st_engine_close();

	CHECK(!st_engine_open(&program, &lengths));	/* the first text needs all the room */
	st_engine_advance();
	taken = 0;
	CHECK(run(print_wide, ST_RUNNING) && taken == 3000 + 1 + 2000 + 1);
	st_engine_close();
}

/* ---- errors ---------------------------------------------------------------------- */

static void divide(struct st_ctx *c)
{
	st_print_text(c, ST_LIT("before\n"));
	c->near = "near operator '/' at a.stp:1:2";
	st_div(c, 1, 0);
	st_called(c, "near identifier 'ratio' at a.stp:5:6");
}

static void divide_and_catch(struct st_ctx *c)
{
	struct st_strvar message = { .buf = st_scratch(c, st_program.maxstringlen - 1) };

	st_div(c, 1, 0);
	CHECK(!st_scratch(c, 1));	/* nothing is done while an error is set */
	st_catch(c, &message);
	CHECK(!c->error);
	st_emit_one(c, 1, message.s);
}

static void overflow(struct st_ctx *c)
{
	for (const char *const *key = (const char *const []){ "a", "b", "c", "d", "e", NULL };
	     *key && !c->error; key++)
		set(c, *key, 1);
}

static void exhaust_scratch(struct st_ctx *c)
{
	while (st_scratch(c, 100))
		;
}

static void nest(struct st_ctx *c)
{
	if (st_call(c))
		return;
	nest(c);
	st_leave(c);
}

static void give_up(struct st_ctx *c)
{
	st_abort(c);
	st_catch(c, NULL);
	CHECK(c->error);
}

static void test_errors(void)
{
	struct st_program tolerant = program;

	tolerant.maxerrors = 100;
	open_running(&tolerant);
	CHECK(run(divide_and_catch, ST_RUNNING));
	PRINTED("caught: division by 0\n");
	CHECK(run(divide, ST_RUNNING));
	PRINTED("before\nE:division by 0 near operator '/' at a.stp:1:2 (called from identifier 'ratio' "
		"at a.stp:5:6) in probe timer.s(1)\n");
	CHECK(run(overflow, ST_RUNNING));
	PRINTED("E:Array overflow, check MAXMAPENTRIES in probe timer.s(1)\n");
	CHECK(run(exhaust_scratch, ST_RUNNING));
	PRINTED("E:string scratch space exhausted in probe timer.s(1)\n");
	CHECK(run(nest, ST_RUNNING));
	PRINTED("E:MAXNESTING exceeded in probe timer.s(1)\n");
	CHECK(atomic_long_read(&st_counts.errors) == 4);
	CHECK(run(give_up, ST_RUNNING));
	PRINTED("");
	CHECK(atomic_long_read(&st_counts.errors) == 4);
	CHECK(st_engine_advance() == ST_STOPPING);
	st_engine_close();
}

/* More errors than MAXERRORS end the session, and error probes run. */
static void test_too_many_errors(void)
{
	open_running(&program);
	CHECK(run(divide, ST_RUNNING) && st_state == ST_RUNNING);
	CHECK(run(divide, ST_RUNNING) && st_state == ST_EXITING);
	CHECK(!run(divide, ST_RUNNING));
	CHECK(st_engine_advance() == ST_FAILING);
	printed[0] = '\0';
	CHECK(run(count, ST_FAILING));
	PRINTED("40\n");
	CHECK(st_engine_advance() == ST_STOPPED);
	st_engine_close();
	/* the next session knows nothing of it */
	open_running(&program);
	CHECK(!atomic_long_read(&st_counts.errors) && !st_session_failed());
	st_engine_close();
}

/* ---- budgets ------------------------------------------------------------------------ */

static int rounds;

static void count_rounds(struct st_ctx *c)
{
	for (rounds = 0; !st_step(c, 1, "near 'while' at a.stp:1:1"); rounds++)
		;
	st_catch(c, NULL);		/* can't be caught */
}

static void walk_for_ever(struct st_ctx *c)
{
	while (!st_walk(c, 100))
		;
	st_catch(c, NULL);
}

static void test_budgets(void)
{
	struct st_program tolerant = program;
	struct st_probe probe;
	struct st_point point = point_of(count_rounds, &probe);

	tolerant.maxerrors = 100;
	open_running(&tolerant);
	probe.budget = 2500;
	CHECK(st_engine_run(&point, ST_RUNNING) && rounds == 2500);
	PRINTED("E:MAXACTION exceeded near 'while' at a.stp:1:1 in probe timer.s(1)\n");
	CHECK(run(walk_for_ever, ST_RUNNING));
	PRINTED("E:the handler takes too long (more than 1 s) in probe timer.s(1)\n");
	st_engine_close();
}

/* ---- what does not run ------------------------------------------------------------------ */

static void run_in_handler(struct st_ctx *c)
{
	CHECK(st_current() == c);
	CHECK(!run(count, ST_RUNNING));
}

static void test_not_run(void)
{
	struct st_probe probe;
	struct st_point point = point_of(count, &probe);
	int armed = 0;

	open_running(&program);
	CHECK(!st_current());
	CHECK(run(run_in_handler, ST_RUNNING));
	probe.armed = &armed;
	CHECK(!st_engine_run(&point, ST_RUNNING));
	PRINTED("");
	armed = 1;
	CHECK(st_engine_run(&point, ST_RUNNING));
	PRINTED("40\n");
	st_engine_close();
}

static void fail(struct st_ctx *c)
{
	st_error(c, "late");
}

/* An end probe that fails is the last one. */
static void test_end_fails(void)
{
	struct st_program strict = program;

	strict.maxerrors = 0;
	open_running(&strict);
	st_session_end(false, NULL);
	CHECK(st_engine_advance() == ST_STOPPING);
	CHECK(run(fail, ST_STOPPING));
	CHECK(!run(count, ST_STOPPING));
	PRINTED("E:late in probe timer.s(1)\n");
	CHECK(st_engine_advance() == ST_FAILING);
	CHECK(run(count, ST_FAILING));
	PRINTED("40\n");
	st_engine_close();
}

static int allowed, armed;

static void allow(struct st_ctx *c)
{
	(void)c;
	armed = allowed;
}

/* While the session runs handlers evaluate conditions; otherwise their own probes do. */
static void test_conditions(void)
{
	struct st_probe probe;
	struct st_point point = point_of(count, &probe);

	probe.armed = &armed;
	probe.condition = allow;
	open_running(&program);
	allowed = 1;
	CHECK(!st_engine_run(&point, ST_RUNNING));
	st_session_end(false, NULL);
	CHECK(st_engine_advance() == ST_STOPPING);
	CHECK(st_engine_run(&point, ST_STOPPING));
	PRINTED("40\n");
	allowed = 0;
	CHECK(!st_engine_run(&point, ST_STOPPING));
	PRINTED("");
	st_engine_close();
}

static void test_no_memory(void)
{
	struct st_global huge[3] = { globals[0], globals[1], globals[2] };
	struct st_program greedy = program;

	huge[0].maxentries = ST_ENTRIES_MOST;
	huge[0].string_keys = 1;
	greedy.globals = huge;
	greedy.maxstringlen = ST_STRING_MOST;
	CHECK(st_engine_open(&greedy, &output) == -ENOMEM);
	CHECK(strstr(st_message, "'n'"));
	CHECK(!n && !sizes && !hits);
	open_running(&program);
	CHECK(!st_message[0]);
	st_engine_close();
}

int main(void)
{
	test_session();
	test_exit_at_once();
	test_printing();
	test_errors();
	test_too_many_errors();
	test_budgets();
	test_not_run();
	test_end_fails();
	test_conditions();
	test_no_memory();
	return failures != 0;
}
