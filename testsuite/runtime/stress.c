// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may go wrong, chosen by giving a base an address or setting 'mode':
 * base 1 prints a line from whatever context; 2 runs for ever; 3 fails; 4 takes
 * a lock another handler holds for too long; 5 prints more than the buffer holds.
 * Timers of both sorts print beside them.
 */
#include "script.h"

static st_long mode, n;
static struct st_lock lock;

static void line(struct st_ctx *c)
{
	char *p = st_emit(c, 0, 4 + 5 + 8);

	if (p)
		st_emit_long(st_emit_str(p, ST_LIT("line ")), n++);
}

static void endless(struct st_ctx *c)
{
	c->near = "near keyword 'while' at stress.stp:1:1";
again:
	for (;;)
		ST_STEP(c, 1, "", failed);
failed:
	st_catch(c, 0);
	if (!c->error)
		goto again;
}

static void fails(struct st_ctx *c)
{
	c->near = "near operator '/' at stress.stp:2:2";
	st_div(c, 1, 0);
}

static void holds(struct st_ctx *c)
{
	static const struct st_lockref refs[] = { { &lock, 1 } };
	volatile unsigned int i;

	if (st_lock_all(c, refs, 1))
		return;
	for (i = 0; i < 20000; i++)
		;
	st_unlock_all(c, refs, 1);
}

static void much(struct st_ctx *c)
{
	unsigned int i;

	for (i = 0; i < 2000; i++)
		line(c);
	st_print_text(c, ST_LIT("end of it\n"));
}

static void tick(struct st_ctx *c)
{
	if (mode & 1)
		line(c);
	if (mode & 2)
		holds(c);
	if (mode & 4)
		much(c);
}

static void at_begin(struct st_ctx *c)
{
	if (mode & 8)
		fails(c);
	if (mode & 16)
		endless(c);
	if (mode & 32)
		st_exit(c);
}

static void at_end(struct st_ctx *c)
{
	st_print_text(c, ST_LIT("end probe\n"));
}

static void at_error(struct st_ctx *c)
{
	st_print_text(c, ST_LIT("error probe\n"));
}

PROBE(p_line, line);
PROBE(p_endless, endless);
PROBE(p_fails, fails);
PROBE(p_holds, holds);
PROBE(p_much, much);
PROBE(p_tick, tick);
PROBE(p_begin, at_begin);
PROBE(p_end, at_end);
PROBE(p_error, at_error);

static const struct st_begin begins[] = {
	{ { &p_begin, "begin", "", "" }, ST_BEGIN, 0 },
	{ { &p_end, "end", "", "" }, ST_END, 0 },
	{ { &p_error, "error", "", "" }, ST_ERROR, 0 },
};

static const struct st_timer timers[] = {
	{ { &p_tick, "timer.us(200)", "", "" }, 200000, 100000, 0 },
	{ { &p_tick, "timer.jiffies(1)", "", "" }, 1, 0, 1 },
	{ { &p_tick, "timer.us(150)", "", "" }, 150000, 0, 0 },
};

static const struct st_site sites[] = {
	SITE(p_line, "line", ST_FTRACE, 1, .optional = 1, .args_only = 1),
	SITE(p_endless, "endless", ST_FTRACE, 2, .optional = 1, .args_only = 1),
	SITE(p_fails, "fails", ST_FTRACE, 3, .optional = 1, .args_only = 1),
	SITE(p_holds, "holds", ST_FTRACE, 4, .optional = 1, .args_only = 1),
	SITE(p_much, "much", ST_FTRACE, 5, .optional = 1, .args_only = 1),
	SITE(p_line, "line by kprobe", ST_KPROBE, 6, .optional = 1, .args_only = 1),
	SITE(p_line, "line at return", ST_FTRACE_RETURN, 7, .optional = 1, .args_only = 1),
	SITE(p_line, "two active at return", ST_FTRACE_RETURN, 8, .maxactive = 2, .optional = 1,
	     .args_only = 1),
};

static const struct st_table tables[] = {
	{ "begin", begins, COUNT(begins) },
	{ "timer", timers, COUNT(timers) },
	{ "code", sites, COUNT(sites) },
};

static struct st_base bases[] = {
	BASE_KERNEL, { "line", "", 0 }, { "endless", "", 0 }, { "fails", "", 0 },
	{ "holds", "", 0 }, { "much", "", 0 }, { "kprobe", "", 0 }, { "return", "", 0 },
	{ "active", "", 0 },
};

static const struct st_format formats[] = { { "%s%d\n" } };

static const struct st_global globals[] = {
	{ .name = "mode", .kind = ST_G_LONG, .slot = &mode },
};

/* One for all hits: the others have its index too. */
static const struct st_probe *const probes[] = { &p_line };

static struct st_lock locks[COUNT(globals)];

const struct st_program st_program = {
	LIMITS,
	.probes = probes, .nprobes = COUNT(probes),
	.bases = bases, .nbases = COUNT(bases),
	.tables = tables, .ntables = COUNT(tables),
	.formats = formats, .nformats = COUNT(formats),
	.globals = globals, .nglobals = COUNT(globals), .locks = locks,
};
