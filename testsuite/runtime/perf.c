// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What hits cost.  The probe to measure is chosen by giving its base an
 * address: 1 counts (arguments' registers alone), 2 prints a line, 3 counts with
 * all registers, 4 counts in a kprobe, 5 counts a return, 6 locks and adds.
 */
#include "script.h"

static struct st_counter *hits;
static st_long sum;
static struct st_lock lock;

static void count(struct st_ctx *c)
{
	ST_STEP(c, 1, "", out);
	st_counter_add(hits, 1);
out:
	return;
}

static void print(struct st_ctx *c)
{
	static const struct st_str s = ST_LIT("load");
	char *p = st_emit(c, 0, 8 + 4 + s.len + 8 + 8);

	ST_STEP(c, 1, "", out);
	if (!p)
		return;
	p = st_emit_long(p, 1234);
	p = st_emit_str(p, s);
	p = st_emit_long(p, 5678);
	st_emit_long(p, 9);
out:
	return;
}

static void locked(struct st_ctx *c)
{
	static const struct st_lockref refs[] = { { &lock, 1 } };

	if (st_lock_all(c, refs, 1))
		return;
	sum++;
	st_unlock_all(c, refs, 1);
}

static void goodbye(struct st_ctx *c)
{
	char *p = st_emit(c, 1, 16);

	if (p)
		st_emit_long(st_emit_long(p, st_counter_sum(hits)), sum);
}

PROBE(p_count, count);
PROBE(p_print, print);
PROBE(p_locked, locked);
PROBE(p_end, goodbye);

static const struct st_begin begins[] = {
	{ { &p_end, "end", "", "" }, ST_END, 0 },
};

static const struct st_site sites[] = {
	SITE(p_count, "count", ST_FTRACE, 1, .optional = 1, .args_only = 1),
	SITE(p_print, "print", ST_FTRACE, 2, .optional = 1, .args_only = 1),
	SITE(p_count, "all registers", ST_FTRACE, 3, .optional = 1),
	SITE(p_count, "kprobe", ST_KPROBE, 4, .optional = 1, .args_only = 1),
	SITE(p_count, "return", ST_FTRACE_RETURN, 5, .optional = 1, .args_only = 1),
	SITE(p_locked, "locked", ST_FTRACE, 6, .optional = 1, .args_only = 1),
};

static const struct st_table tables[] = {
	{ "begin", begins, COUNT(begins) },
	{ "code", sites, COUNT(sites) },
};

static struct st_base bases[] = {
	BASE_KERNEL, { "count", "", 0 }, { "print", "", 0 }, { "regs", "", 0 },
	{ "kprobe", "", 0 }, { "return", "", 0 }, { "locked", "", 0 },
};

static const struct st_format formats[] = { { "%d %s %d %d\n" }, { "hits %d sum %d\n" } };

static const struct st_global globals[] = {
	{ .name = "hits", .kind = ST_G_COUNTER, .slot = &hits },
};

/* One for all hits: the others have its index too. */
static const struct st_probe *const probes[] = { &p_count };

static struct st_lock locks[COUNT(globals)];

const struct st_program st_program = {
	LIMITS,
	.probes = probes, .nprobes = COUNT(probes),
	.bases = bases, .nbases = COUNT(bases),
	.tables = tables, .ntables = COUNT(tables),
	.formats = formats, .nformats = COUNT(formats),
	.globals = globals, .nglobals = COUNT(globals), .locks = locks,
};
