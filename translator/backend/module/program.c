// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 3: the file as a whole.
 *
 * In order: limits and headers, globals, functions, handlers, families' tables,
 * st_program.  Formats are numbered as handlers use them, so their table comes
 * after the handlers.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "probes/family.h"
#include "program/groups.h"
#include "program/headers.h"
#include "program/uses.h"
#include "codegen.h"
#include "gen.h"

/* From this many probes on, equal handlers are merged (constants.c). */
enum { MANY_PROBES = 64 };

/* ---- globals ----------------------------------------------------------- */

/* Returns the initialiser of a struct st_stat_decl. */
static const char *stat_decl(const struct ir_shape *s)
{
	static const char *const hists[] = {
		[IR_NO_HIST] = "ST_HIST_NONE", [IR_LOG] = "ST_HIST_LOG",
		[IR_LINEAR] = "ST_HIST_LINEAR",
	};

	return arena_printf("{ %#x, %s, %s, %s, %s, %u }", s->extracts, hists[s->hist],
			    c_number(s->lo), c_number(s->hi), c_number(s->step), s->shift);
}

static void gen_global(struct gen *g, const struct ir_global *v, const char *name)
{
	if (v->type == IR_STATISTIC)
		gen_line(g, "static const struct st_stat_decl %s_decl = %s;", name,
			 stat_decl(&v->shape));
	if (v->keys.n) {
		gen_line(g, "ST_SHARED_DATA struct st_map *%s;", name);
	} else if (v->type == IR_STATISTIC) {
		gen_line(g, "ST_SHARED_DATA struct st_agg *%s;", name);
	} else if (v->type == IR_STRING) {
		gen_line(g, "ST_SHARED_DATA char %s_buf[ST_MAXSTR] ST_INIT(%s);", name,
			 c_string(v->text));
		gen_line(g, "ST_SHARED_DATA struct st_strvar %s ST_INIT({ { %s_buf, %zu }, %s_buf });",
			 name, name, strlen(v->text), name);
	} else if (v->percpu) {
		gen_line(g, "ST_SHARED_DATA struct st_counter *%s;", name);
	} else {
		gen_line(g, "ST_SHARED_DATA st_long %s ST_INIT(%s);", name, c_number(v->number));
	}
}

static unsigned string_keys(const struct ir_global *v)
{
	unsigned bits = 0;

	for (size_t i = 0; i < v->keys.n; i++)
		bits |= (v->keys.v[i] == IR_STRING) << i;
	return bits;
}

static void gen_global_entry(struct gen *g, const struct ir_global *v, const char *name)
{
	const char *value = v->type == IR_STRING ? "ST_V_STRING"
			    : v->type == IR_STATISTIC ? "ST_V_STAT" : "ST_V_LONG";

	gen_line(g, "{");
	g->indent++;
	gen_line(g, ".name = \"%s\", .slot = &%s,", v->name, name);
	if (v->keys.n) {
		gen_line(g, ".kind = ST_G_MAP, .nkeys = %zu, .string_keys = %#x, .value = %s,",
			 v->keys.n, string_keys(v), value);
		gen_line(g, ".maxentries = %" PRId64 ", .sized = %d, .wrap = %d, .percpu = %d, "
		     ".nsorters = %u,", v->entries, v->sized, v->wraps, v->percpu, v->sorters);
	} else if (v->type == IR_STATISTIC) {
		gen_line(g, ".kind = ST_G_STAT,");
	} else if (v->type == IR_STRING) {
		gen_line(g, ".kind = ST_G_STRING,");
	} else if (v->percpu) {
		gen_line(g, ".kind = ST_G_COUNTER, .init = %s,", c_number(v->number));
	} else {
		gen_line(g, ".kind = ST_G_LONG,");
	}
	if (v->type == IR_STATISTIC)
		gen_line(g, ".stat = %s,", stat_decl(&v->shape));
	g->indent--;
	gen_line(g, "},");
}

static void gen_globals(struct gen *g)
{
	struct sbuf *file = g->out, table = { 0 };

	for (size_t i = 0; i < g->ir->globals.n; i++)
		gen_global(g, &g->ir->globals.v[i], global_text(g, i));
	gen_line(g, "ST_SHARED_DATA struct st_lock st_locks[%zu];\n", g->ir->globals.n + 1);
	g->out = &table;
	gen_line(g, "static const struct st_global st_globals[] = {");
	g->indent++;
	for (size_t i = 0; i < g->ir->globals.n; i++)
		gen_global_entry(g, &g->ir->globals.v[i], global_text(g, i));
	g->indent--;
	gen_line(g, "};");
	g->out = file;
	put_part(g, 1, &table);
}

/* ---- scratch ----------------------------------------------------------- */

/* The strings a function holds in scratch, alone and with its callees, by index. */
struct need {
	unsigned *own;
	int64_t *total;
	unsigned recursion;		/* levels a recursion may reach */
};

/*
 * Sums the needs of functions that call each other: any of them may be at every level of the
 * recursion, so the largest is taken for all.  With 12 levels, in
 *
 *	function a(n) { return n ? b(n - 1) : c() }	2 strings
 *	function b(n) { return a(n) }			20 strings
 *	function c() { return "" }			1 string
 *
 * a and b need 20 * 12 + 1 each.
 */
static void sum_need(struct need *need, const struct call_group *group)
{
	int64_t own = 0, below = 0;

	for (size_t i = 0; i < group->functions.n; i++) {
		int64_t n = need->own[group->functions.v[i]->index];

		own = n > own ? n : own;
	}
	for (size_t i = 0; i < group->callees.n; i++) {
		int64_t n = need->total[group->callees.v[i]->index];

		below = n > below ? n : below;
	}
	for (size_t i = 0; i < group->functions.n; i++)
		need->total[group->functions.v[i]->index] =
			own * (group->recursive ? need->recursion : 1) + below;
}

static void sum_needs(struct need *need, const struct program *prog)
{
	call_group_list groups = find_call_groups(prog);

	for (size_t i = 0; i < groups.n; i++)
		sum_need(need, &groups.v[i]);
}

/* The most that the callees of a handler need. */
struct below {
	const struct need *need;
	int64_t most;
};

static void note_need(struct function *f, void *arg)
{
	struct below *below = arg;
	int64_t n = below->need->total[f->index];

	below->most = n > below->most ? n : below->most;
}

/* ---- functions and handlers -------------------------------------------- */

static void gen_functions(struct gen *g, struct need *need)
{
	struct sbuf *file = g->out, bodies = { 0 };

	for (size_t i = 0; i < g->prog->functions.n; i++) {
		struct function *f = g->prog->functions.v[i];
		struct sbuf b = { 0 };

		need->own[i] = 1;
		if (f->builtin)
			continue;
		for (size_t j = 0; j < f->params.n; j++)
			sbuf_printf(&b, ", %s", c_type(f->params.v[j]->type));
		gen_line(g, "ST_SHARED %s %s(struct st_ctx *c%s) __attribute__((unused));",
			 c_type(f->type), function_name(f), sbuf_str(&b));
		sbuf_free(&b);
		g->out = &bodies;
		gen_function(g, f);
		g->out = file;
		need->own[i] += g->most_texts;
	}
	gen_line(g, "%s", "");
	put_part(g, 1, &bodies);
}

/* Declares what return probes save at entry; functions copied for a probe read it too. */
static void gen_saved_structs(struct gen *g)
{
	for (size_t i = 0; i < g->prog->probes.n; i++) {
		const struct probe *p = g->prog->probes.v[i];

		if (!p->saved.n)
			continue;
		gen_line(g, "struct st_saved_%u {", p->index);
		for (size_t j = 0; j < p->saved.n; j++)
			gen_line(g, p->saved.v[j]->type == T_STRING
				 ? "\tstruct { unsigned int len; char b[ST_MAXSTR]; } v%zu;"
				 : "\tst_long v%zu;", j);
		gen_line(g, "};");
	}
}

/*
 * Generates the function that saves a return probe's values at entry.  If it
 * returns non-zero, the return is not probed.
 */
static void gen_entry(struct gen *g, const struct ir_body *b)
{
	unsigned p = b->number;

	begin_body(g, b);
	gen_line(g, "ST_SHARED int st_entry_%u(struct st_ctx *c)", p);
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "ST_BEGIN_HANDLER(c, -1);");
	gen_line(g, "struct st_saved_%u *sv = (struct st_saved_%u *)c->saved;", p, p);
	gen_line(g, "char *frame = c->sp;");
	gen_line(g, "__builtin_memset(sv, 0, sizeof(*sv));");
	if (b->locks.n)
		gen_lock(g, "return -1");
	gen_block(g, &b->block);
	gen_line(g, "out: __attribute__((unused));");
	if (b->locks.n)
		gen_unlock(g);
	gen_line(g, "c->sp = frame;");
	gen_line(g, "return c->error != 0;");
	g->indent--;
	gen_line(g, "}");
}

static int64_t budget_of(const struct gen *g, const struct probe *p, const struct ir_limits *lim)
{
	if (p->unlimited || g->s->options.suppress_time_limits)
		return LONG_MAX;
	return p->family->interruptible ? lim->action_interruptible : lim->action;
}

static void gen_handler_body(struct gen *g, const struct ir_body *b)
{
	begin_body(g, b);
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "ST_BEGIN_HANDLER(c, );");
	if (g->constants)
		begin_constants(g);
	if (b->locks.n)
		gen_line(g, "int locked = 0;");
	gen_locals(g);
	gen_kept(g);
	gen_line(g, "char *frame = c->sp;");
	gen_line(g, "(void)frame;");
	gen_block(g, &b->block);
	gen_line(g, "out: __attribute__((unused));");
	if (b->locks.n) {
		gen_line(g, "if (locked) {");
		gen_unlock(g);
		gen_line(g, "}");
	} else {
		gen_line(g, ";");
	}
	g->indent--;
	gen_line(g, "}");
}

/*
 * The C of all handlers: what both parts need goes to the file, then the bodies of part 1 and
 * of part 2, then the records of the probes.
 */
struct handlers {
	struct sbuf bodies[2], records;
};

/* Returns the index of the handler that P uses; probes with equal bodies share one. */
static unsigned gen_shared_handler(struct gen *g, struct probe *p, struct handlers *all)
{
	struct sbuf *bodies = g->out, body = { 0 };
	unsigned whose;

	g->out = &body;
	gen_handler_body(g, g->ir->probes.v[p->index].handler);
	g->out = &all->records;
	whose = end_constants(g, sbuf_str(&body), p);
	g->out = bodies;
	if (whose == p->index)
		gen_line(g, "ST_SHARED void st_handler_%u(struct st_ctx *c)\n%s", whose,
			 sbuf_str(&body));
	sbuf_free(&body);
	return whose;
}

static unsigned gen_handler(struct gen *g, struct probe *p, struct handlers *all)
{
	note_body(g, arena_printf("st_handler_%u", p->index), p->loc, "the handler");
	note_body(g, arena_printf("st_entry_%u", p->index), p->loc,
		  "what is saved at the function's entry");
	if (p->saved.n)
		gen_entry(g, g->ir->probes.v[p->index].entry);
	if (g->constants)
		return gen_shared_handler(g, p, all);
	gen_line(g, "ST_SHARED void st_handler_%u(struct st_ctx *c)", p->index);
	gen_handler_body(g, g->ir->probes.v[p->index].handler);
	return p->index;
}

static void gen_probe_struct(struct gen *g, const struct probe *p, unsigned handler,
			     const struct ir_limits *lim)
{
	unsigned n = p->index;

	gen_line(g, "static const struct st_probe st_probe_%u = {", n);
	gen_line(g, "\t.handler = st_handler_%u,", handler);
	if (g->constants)
		gen_line(g, "\t.consts = st_consts_%u,", n);
	if (p->saved.n)
		gen_line(g, "\t.entry = st_entry_%u, .saved_size = sizeof(struct st_saved_%u),", n, n);
	if (p->condition)
		gen_line(g, "\t.condition = st_condition_%u, .armed = &st_armed_%u,",
		     p->armed_by->index, p->armed_by->index);
	if (p->system_call)
		gen_line(g, "\t.system_call = 1,");
	gen_line(g, "\t.where = %s,", c_string(loc_text(p->loc)));
	gen_line(g, "\t.index = %u, .budget = %" PRId64 "L,", n, budget_of(g, p, lim));
	gen_line(g, "};\n");
}

/* Generates a probe's handler and record.  Returns the scratch of the handler itself. */
static unsigned gen_probe(struct gen *g, struct probe *p, struct handlers *all,
			  const struct ir_limits *lim)
{
	struct sbuf *file = g->out;
	unsigned handler;

	g->most_texts = 0;
	gen_lock_table(g, g->ir->probes.v[p->index].handler);
	/* the functions and the records take as long to compile as a third of the handlers */
	g->out = &all->bodies[p->index >= g->prog->probes.n / 3];
	handler = gen_handler(g, p, all);
	g->out = &all->records;
	gen_probe_struct(g, p, handler, lim);
	g->out = file;
	if (handler == p->index)
		gen_line(g, "ST_SHARED void st_handler_%u(struct st_ctx *c);", handler);
	if (p->saved.n)
		gen_line(g, "ST_SHARED int st_entry_%u(struct st_ctx *c);", p->index);
	return g->most_texts + locals_scratch(g, g->ir->probes.v[p->index].handler);
}

/* Returns the most scratch that a handler needs, with the functions it calls. */
static int64_t gen_handlers(struct gen *g, const struct need *need, const struct ir_limits *lim)
{
	struct handlers all = { 0 };
	int64_t most = 0;

	for (size_t i = 0; i < g->prog->probes.n && !session_interrupted(); i++) {
		struct probe *p = g->prog->probes.v[i];
		struct below below = { .need = need };
		int64_t own = gen_probe(g, p, &all, lim);

		find_calls(p->body, note_need, &below);
		for (size_t j = 0; j < p->saved.n; j++)
			find_expr_calls(p->saved.v[j]->expr, note_need, &below);
		own += below.most;
		most = own > most ? own : most;
	}
	put_part(g, 1, &all.bodies[0]);
	put_part(g, 2, &all.bodies[1]);
	put_part(g, 1, &all.records);
	return most;
}

/* ---- tables ------------------------------------------------------------ */

static bool same_table(const struct probe_family *f, const struct probe_family *g)
{
	return f->table && g->table && !strcmp(f->table, g->table);
}

/*
 * Generates the table that F's probes are in, a row for each of their places.
 * Returns the number of rows.
 */
static size_t gen_rows(struct gen *g, const struct probe_family *f)
{
	size_t n = 0;

	for (size_t i = 0; i < g->prog->probes.n; i++) {
		const struct probe *p = g->prog->probes.v[i];

		for (size_t j = 0; same_table(p->family, f) && j < p->sites.n; j++) {
			if (!n++)
				gen_line(g, "static const struct %s st_table_%s[] = {", f->row,
				     f->table);
			sbuf_puts(g->out, "\t{ ");
			p->family->emit(g->out, p, &p->sites.v[j]);
			sbuf_puts(g->out, " },\n");
		}
	}
	if (n)
		gen_line(g, "};");
	return n;
}

/* Generates each table once, though families may share it, and the list of tables. */
static void gen_tables(struct gen *g)
{
	struct sbuf list = { 0 };

	for (const struct probe_family *const *f = probe_families; *f; f++) {
		const struct probe_family *const *first = probe_families;
		size_t n;

		while (!same_table(*first, *f) && first < f)
			first++;
		n = first == f ? gen_rows(g, *f) : 0;
		if (n)
			sbuf_printf(&list, "\t{ .family = \"%s\", .items = st_table_%s, "
				    ".n = %zu, .size = sizeof(struct %s) },\n", (*f)->table,
				    (*f)->table, n, (*f)->row);
	}
	gen_line(g, "static const struct st_table st_tables[] = {\n%s\t{ 0 }\n};", sbuf_str(&list));
	sbuf_free(&list);
}

/* -t: lists the places' texts for the report, in the order of their numbers. */
static unsigned gen_timed(struct gen *g)
{
	unsigned n = 0;

	if (!g->s->options.timing)
		return 0;
	gen_line(g, "static const struct st_timed st_timed[] = {");
	for (size_t i = 0; i < g->prog->probes.n; i++) {
		struct probe *p = g->prog->probes.v[i];

		for (size_t j = 0; j < p->sites.n; j++) {
			const struct site *site = &p->sites.v[j];

			n++;
			gen_line(g, "\t{ .pp = %s, .where = %s, .from = %s },", c_string(site->pp),
			     c_string(loc_text(p->loc)), c_string(site->from));
		}
	}
	gen_line(g, "};");
	return n;
}

static const char *anchors_text(const struct base *base)
{
	struct sbuf b = { 0 };

	if (!base->nanchors)
		return "";
	sbuf_puts(&b, ",\n\t  .anchors = (const struct st_anchor[]){ ");
	for (size_t i = 0; i < base->nanchors; i++)
		sbuf_printf(&b, "{ %s, %#" PRIx64 "UL }, ", c_string(base->anchors[i].symbol),
			    base->anchors[i].offset);
	sbuf_puts(&b, "{ 0, 0 } }");
	return sbuf_take(&b);
}

static void gen_bases(struct gen *g)
{
	gen_line(g, "static struct st_base st_bases[] = {");
	for (size_t i = 0; i < g->prog->bases.n; i++) {
		const struct base *b = &g->prog->bases.v[i];

		gen_line(g, "\t{ .module = %s, .section = %s%s%s },", c_string(b->module),
		     c_string(b->section), anchors_text(b), b->build_id
		     ? arena_printf(",\n\t  .build_id = %s", c_string(b->build_id)) : "");
	}
	gen_line(g, "};");
}

static void gen_files(struct gen *g)
{
	const program_file_list *l = &g->prog->files;

	if (!l->n)
		return;
	gen_line(g, "static struct st_file st_files[] = {");
	for (size_t i = 0; i < l->n; i++)
		gen_line(g, "\t{ .path = %s, .build_id = %s, .size = %" PRIu64 ", .owner = %u, .identity = %s, "
			 ".distance = %#" PRIx64 "UL%s%s },",
			 c_string(l->v[i].path), l->v[i].build_id ? c_string(l->v[i].build_id) : "0",
			 l->v[i].size, l->v[i].owner,
			 l->v[i].identity ? c_string(l->v[i].identity) : "0", l->v[i].distance,
			 l->v[i].goid ? arena_printf(", .goid = %u", l->v[i].goid) : "",
			 l->v[i].awaited ? ", .awaited = 1" : "");
	gen_line(g, "};");
}

/* The tables are megabytes, so the assembler includes their files. */
static void gen_lines(struct gen *g)
{
	const line_table_list *l = &g->prog->lines;

	for (size_t i = 0; i < l->n; i++) {
		const char *text = arena_printf(".pushsection .rodata.st_lines, \"a\"\n.balign 8\n"
						"st_lines_%zu: .incbin %s\n.popsection", i,
						c_string(l->v[i].path));

		gen_line(g, "extern const struct st_lines st_lines_%zu;", i);
		gen_line(g, "asm(%s);", c_string(text));
	}
	if (l->n)
		gen_line(g, "static const struct st_lines_of st_lines[] = {");
	for (size_t i = 0; i < l->n; i++)
		gen_line(g, "\t{ .base = %u, .lines = &st_lines_%zu },", l->v[i].base, i);
	if (l->n)
		gen_line(g, "};");
}

static void gen_formats(struct gen *g)
{
	gen_line(g, "static const char *const st_formats[] = {");
	for (size_t i = 0; i < g->formats->list.n; i++)
		gen_line(g, "\t%s,", c_string(g->formats->list.v[i]));
	gen_line(g, "\t0");
	gen_line(g, "};");
}

static void gen_modinfo(struct gen *g, const char *name, const char *tag, const char *value)
{
	gen_line(g, "static const char st_modinfo_%s[] "
	     "__attribute__((section(\".modinfo\"), used, aligned(1))) = %s;", name,
	     c_string(arena_printf("%s=%s", tag, value)));
}

static void gen_modinfos(struct gen *g)
{
	if (g->prog->build_id)
		gen_modinfo(g, "build_id", "stap_build_id", g->prog->build_id);
	for (size_t i = 0; i < g->s->options.modinfo.n; i++)
		gen_modinfo(g, arena_printf("given_%zu", i), g->s->options.modinfo.v[i].name,
			    g->s->options.modinfo.v[i].value);
}

/* Returns, as C, what the script's functions need of programs' code. */
static const char *asked(const struct program *prog)
{
	bool symbols = false, lines = false;

	for (size_t i = 0; i < prog->functions.n; i++) {
		symbols |= function_is(prog->functions.v[i], FN_USER_NAMES);
		lines |= function_is(prog->functions.v[i], FN_USER_LINES);
	}
	return arena_printf("%s%s%s", symbols ? "ST_ASKS_SYMBOLS" : "",
			    symbols && lines ? " | " : "", lines ? "ST_ASKS_LINES" : "");
}

static void gen_kernel_variable(struct gen *g, const char *name, const struct kernel_variable *v)
{
	gen_line(g, ".%s = { .base = %u, .address = %#" PRIx64 "UL },", name, v->base, v->address);
}

static void gen_program(struct gen *g, const struct ir_limits *lim, int64_t scratch)
{
	const struct session *s = g->s;
	unsigned timed = gen_timed(g);
	const char *asks = asked(g->prog);

	gen_tables(g);
	gen_bases(g);
	gen_files(g);
	gen_lines(g);
	gen_formats(g);
	gen_modinfos(g);
	gen_line(g, "static const struct st_probe *const st_probes[] = {");
	for (size_t i = 0; i < g->prog->probes.n; i++)
		gen_line(g, "\t&st_probe_%zu,", i);
	gen_line(g, "};\n");
	gen_line(g, "const struct st_program st_program = {");
	g->indent++;
	gen_line(g, ".maxstringlen = ST_MAXSTR, .maxnesting = %" PRId64 ",", lim->nesting);
	gen_line(g, ".maxerrors = %" PRId64 ", .maxskipped = %" PRId64 ",", lim->errors,
		 lim->skipped);
	gen_line(g, ".scratch = %" PRId64 ",", scratch);
	gen_line(g, ".hist_width = %" PRId64 ", .hist_elision = %" PRId64 ",", lim->hist_width,
	     lim->hist_elision);
	gen_line(g, ".maxtrylock = %" PRId64 ", .overload = %d,", lim->trylock, lim->overload);
	gen_line(g, ".overload_interval = %" PRId64 "LL, .overload_threshold = %" PRId64 "LL,",
	     lim->overload_interval, lim->overload_threshold);
	gen_line(g, ".kretactive = %" PRId64 ",", lim->kretactive);
	gen_line(g, ".untimed = %d,", lim->untimed);
	gen_line(g, ".suppress_errors = %d, .anchor = %#" PRIx64 "UL,",
	     lim->suppress_errors, g->prog->anchor);
	gen_line(g, ".ex_table = %#" PRIx64 "UL, .ex_table_end = %#" PRIx64 "UL,", g->prog->ex_table,
		 g->prog->ex_table_end);
	gen_kernel_variable(g, "current_kprobe", &g->prog->current_kprobe);
	gen_kernel_variable(g, "kprobe_ctlblk", &g->prog->kprobe_ctlblk);
	gen_kernel_variable(g, "load_current_idt", &g->prog->load_current_idt);
	gen_line(g, ".skip_badvars = %d,", s->options.skip_badvars);
	gen_line(g, ".guru = %d,", s->options.guru);
	if (g->prog->needs_kernel_headers)
		gen_line(g, ".init_hook = st_init_hook, .exit_hook = st_exit_hook,");
	gen_line(g, ".bases = st_bases, .nbases = sizeof(st_bases) / sizeof(st_bases[0]),");
	if (g->prog->files.n)
		gen_line(g, ".files = st_files, .nfiles = %zu,", g->prog->files.n);
	gen_line(g, ".bulk = %d, .json = %d,", s->options.bulk, s->options.json);
	if (*asks)
		gen_line(g, ".asks = %s,", asks);
	gen_line(g, ".globals = st_globals, .nglobals = %zu,", g->ir->globals.n);
	gen_line(g, ".locks = st_locks,");
	if (g->prog->lines.n)
		gen_line(g, ".lines = st_lines, .nlines = %zu,", g->prog->lines.n);
	if (timed)
		gen_line(g, ".timed = st_timed, .ntimed = %u,", timed);
	gen_line(g, ".probes = st_probes, .nprobes = %zu,", g->prog->probes.n);
	gen_line(g, ".tables = st_tables, .ntables = sizeof(st_tables) / sizeof(st_tables[0]) - 1,");
	gen_line(g, ".formats = st_formats, .nformats = %zu,", g->formats->list.n);
	gen_line(g, ".groups = %u,", most_groups(g->prog));
	g->indent--;
	gen_line(g, "};");
}

/* ---- the file ---------------------------------------------------------- */

/* STAP_VERSION and STAP_COMPAT_VERSION, for #if in embedded C. */
static void gen_language_version(struct gen *g)
{
	int major = 0, minor = 0;

	sscanf(session_language(g->s), "%d.%d", &major, &minor);
	gen_line(g, "#define STAP_VERSION(major, minor) (((major) << 8) + (minor))");
	gen_line(g, "#define STAP_COMPAT_VERSION STAP_VERSION(%d, %d)", major, minor);
}

static void gen_prologue(struct gen *g, const struct ir_limits *lim)
{
	static const char *const ignored[] = {
		"-Wdeclaration-after-statement", "-Wunused-variable", "-Wunused-but-set-variable",
		"-Wunused-label", "-Wpedantic", "-Wframe-larger-than=",
	};

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		gen_line(g, "#pragma GCC diagnostic ignored \"%s\"", ignored[i]);
	if (g->prog->needs_kernel_headers)
		headers_put_kernel(g->out, g->s);
	gen_line(g, "#include \"abi/stap_script.h\"");
	gen_line(g, "#define ST_MAXSTR %" PRId64, lim->string);
	if (g->prog->needs_kernel_headers) {
		gen_line(g, "#define MAXSTRINGLEN ST_MAXSTR");
		gen_line(g, "#define MAXMAPENTRIES %" PRId64, lim->entries);
		gen_language_version(g);
		gen_line(g, "#include \"abi/stap_embedded.h\"");
		gen_line(g, "#define ST_HERE st_current()");
	}
	if (g->prog->needs_kernel_headers) {
		for (size_t i = 0; i < g->prog->embeds.n; i++)
			gen_embedded_top(g, g->prog->embeds.v[i]);
		gen_line(g, "#include \"abi/stap_hooks.h\"");
		gen_line(g, "#undef ST_HERE\n#define ST_HERE c");
	}
	gen_line(g, "%s", "");
}

static int write_c_file(struct session *s, const struct sbuf *text)
{
	const char *dir = session_tmpdir(s);

	if (!dir)
		return -1;
	if (!s->options.module_name) {
		struct hash *h = hash_new();

		hash_string(h, sbuf_str(text));
		s->module_name = arena_printf("stap_%.26s", hash_hex(h));
	}
	s->c_file = arena_printf("%s/%s_src.c", dir, s->module_name);
	FILE *f = fopen(s->c_file, "w");
	bool ok = f && fwrite(text->s, 1, text->len, f) == text->len;

	if (f && fclose(f))
		ok = false;
	if (!ok)
		diag(DIAG_ERROR, "can't write '%s': %s", s->c_file, strerror(errno));
	return ok ? 0 : -1;
}

int codegen_translate(struct session *s, struct program *prog, const struct ir_program *ir)
{
	const struct ir_limits *lim = &ir->limits;
	struct sbuf text = { 0 }, tables = { 0 };
	struct formats formats = { 0 };
	struct constants constants = { 0 };
	struct gen g = { .s = s, .prog = prog, .ir = ir, .out = &text, .formats = &formats };
	size_t n = prog->functions.n + 1;
	struct need need = {
		.own = arena_alloc(n * sizeof(unsigned)),
		.total = arena_alloc(n * sizeof(int64_t)),
		.recursion = lim->nesting + 1,
	};
	int rc = -1;

	if (diag_errors || session_interrupted())
		return -1;
	if (prog->probes.n >= MANY_PROBES && !prog->needs_kernel_headers)
		g.constants = &constants;
	gen_prologue(&g, lim);
	gen_globals(&g);
	gen_regexes(&g);
	gen_saved_structs(&g);
	gen_functions(&g, &need);
	sum_needs(&need, prog);
	int64_t scratch = gen_conditions(&g) + gen_handlers(&g, &need, lim);

	scratch = (scratch + 2) * lim->string;
	if (scratch > ST_SCRATCH_MOST) {
		diag(DIAG_ERROR, "the strings of one handler and of the functions it calls "
		     "take %" PRId64 " bytes, of at most %u", scratch, ST_SCRATCH_MOST);
		diag_hint("lower -D MAXSTRINGLEN=%" PRId64 " or -D MAXNESTING=%" PRId64 ", or use "
			  "fewer variables for strings", lim->string, lim->nesting);
	}
	if (formats.list.n > ST_FORMATS_MOST)
		diag(DIAG_ERROR, "the script prints %zu different formats, of at most %u",
		     formats.list.n, ST_FORMATS_MOST);
	g.out = &tables;
	gen_program(&g, lim, scratch);
	g.out = &text;
	put_part(&g, 1, &tables);
	if (!diag_errors && !session_interrupted())
		rc = write_c_file(s, &text);
	sbuf_free(&text);
	return rc;
}
