// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every kind of place once: begin and end in order, timers of both sorts, a
 * function's entry (twice), an instruction by symbol, a return with something saved at
 * entry; an error that is caught.  exit() from the jiffies timer's fifth tick.
 */
#include "script.h"

static st_long entries, kprobes, returns, ticks, wheel_ticks, armed = 1, conditional;

static void hello(struct st_ctx *c)
{
	char *p = st_emit(c, 0, 8);

	if (p)
		st_emit_long(p, 42);
	st_print_text(c, ST_LIT("begin one\n"));
}

static void second(struct st_ctx *c)
{
	static char message[128];
	static struct st_strvar m = { .buf = message };

	c->near = "near operator '/' at test.stp:1:20";
	st_div(c, 1, 0);
	st_catch(c, &m);
	st_print_text(c, ST_LIT("begin two, caught: "));
	st_print_text(c, m.s);
	st_print_text(c, ST_LIT("\n"));
	st_warn(c, ST_LIT("a warning"));
}

static void on_entry(struct st_ctx *c)
{
	entries++;
}

static void on_kprobe(struct st_ctx *c)
{
	kprobes++;
}

static void on_conditional(struct st_ctx *c)
{
	conditional++;
}

static int is_armed;

static void work_out(struct st_ctx *c)
{
	is_armed = armed == 0;
}

static int save(struct st_ctx *c)
{
	*(st_long *)c->saved = 1234567;
	return 0;
}

static void on_return(struct st_ctx *c)
{
	returns++;
	if (*(st_long *)c->saved != 1234567)
		st_error(c, "saved value is %lld", *(st_long *)c->saved);
}

static void on_tick(struct st_ctx *c)
{
	ticks++;
}

static void on_wheel(struct st_ctx *c)
{
	st_print_text(c, ST_LIT("wheel\n"));
	if (++wheel_ticks == 5)
		st_exit(c);
}

static void goodbye(struct st_ctx *c)
{
	st_long values[] = { entries, kprobes, returns, ticks, wheel_ticks, conditional };
	char *p = st_emit(c, 1, sizeof(values));
	unsigned int i;

	for (i = 0; p && i < COUNT(values); i++)
		p = st_emit_long(p, values[i]);
}

static void failed(struct st_ctx *c)
{
	st_print_text(c, ST_LIT("error probe\n"));
}

PROBE(p_hello, hello);
PROBE(p_second, second);
PROBE(p_end, goodbye);
PROBE(p_error, failed);
PROBE(p_entry, on_entry);
PROBE(p_conditional, on_conditional, .condition = work_out, .armed = &is_armed);
PROBE(p_kprobe, on_kprobe);
PROBE(p_return, on_return, .entry = save, .saved_size = 8);
PROBE(p_tick, on_tick);
PROBE(p_wheel, on_wheel);

static const struct st_begin begins[] = {
	{ { &p_end, "end", "", "" }, ST_END, 0 },
	{ { &p_error, "error", "", "" }, ST_ERROR, 0 },
	{ { &p_second, "begin(5)", "", "" }, ST_BEGIN, 5 },
	{ { &p_hello, "begin(-1)", "", "" }, ST_BEGIN, -1 },
};

static const struct st_timer timers[] = {
	{ { &p_tick, "timer.ms(10)", "", "" }, 10000000, 5000000, 0 },
	{ { &p_wheel, "timer.jiffies(50)", "", "" }, 50, 0, 1 },
};

static const struct st_site sites[] = {
	SITE(p_entry, "one", ST_FTRACE, 1, .args_only = 1),
	SITE(p_return, "ret", ST_FTRACE_RETURN, 1),
	SITE(p_entry, "two", ST_FTRACE, 1, .args_only = 1),
	SITE(p_conditional, "if", ST_FTRACE, 1, .args_only = 1),
	SITE(p_kprobe, "symbol", ST_KPROBE, 4),
	SITE(p_kprobe, "no such symbol", ST_KPROBE, 5),
	SITE(p_kprobe, "a bad address", ST_FTRACE, 1, .offset = 1),
	SITE(p_kprobe, "data", ST_KPROBE, 2),
	SITE(p_kprobe, "optional", ST_KPROBE, 2, .optional = 1),
	SITE(p_kprobe, "unloaded", ST_KPROBE, 3),
};

static const struct st_table tables[] = {
	{ "begin", begins, COUNT(begins) },
	{ "timer", timers, COUNT(timers) },
	{ "code", sites, COUNT(sites) },
};

static struct st_base bases[] = {
	BASE_KERNEL, { "given", ".text", 0 }, { "data", ".data", 0 }, { "absent", ".text", 0 },
	{ "given", ".text", 0 }, { "absent", ".text", 0 },
};

static const struct st_format formats[] = {
	{ "answer %d\n" },
	{ "entries %d kprobes %d returns %d ticks %d wheel %d conditional %d\n" },
};

static const struct st_global globals[] = {
	{ .name = "armed", .kind = ST_G_LONG, .slot = &armed },
};

static const struct st_probe *const probes[] = { &p_conditional };

static struct st_lock locks[COUNT(globals)];

const struct st_program st_program = {
	LIMITS,
	.probes = probes, .nprobes = COUNT(probes),
	.bases = bases, .nbases = COUNT(bases),
	.tables = tables, .ntables = COUNT(tables),
	.formats = formats, .nformats = COUNT(formats),
	.globals = globals, .nglobals = COUNT(globals), .locks = locks,
};
