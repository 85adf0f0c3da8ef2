// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 3: prints the file as a whole.
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
#include "program/headers.h"
#include "codegen.h"
#include "gen.h"

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

static void gen_key_rooms(struct gen *g, const struct ir_global *v)
{
	for (size_t i = 0; i < v->rooms.n; i++)
		if (v->rooms.v[i])
			gen_line(g, ".key_room[%zu] = %u,", i, v->rooms.v[i]);
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
		gen_key_rooms(g, v);
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

/* ---- functions and handlers -------------------------------------------- */

/* Returns what each function needs of scratch, in strings, with those that it calls. */
static const int64_t *gen_functions(struct gen *g)
{
	struct sbuf *file = g->out, bodies = { 0 };
	int64_t *own = arena_alloc((g->ir->functions.n + 1) * sizeof(*own));

	for (size_t i = 0; i < g->ir->functions.n; i++) {
		const struct ir_function *f = &g->ir->functions.v[i];
		struct sbuf b = { 0 };

		own[i] = 1;
		if (f->written_in == IR_BUILTIN)
			continue;
		for (size_t j = 0; j < f->params.n; j++)
			sbuf_printf(&b, ", %s", c_type_of(f->params.v[j]));
		gen_line(g, "ST_SHARED %s %s(struct st_ctx *c%s) __attribute__((unused));",
			 c_type_of(f->type), function_name(g, i), sbuf_str(&b));
		sbuf_free(&b);
		g->out = &bodies;
		gen_function(g, i);
		g->out = file;
		own[i] += g->most_texts;
	}
	gen_line(g, "%s", "");
	put_part(g, 1, &bodies);
	return ir_needs(g->ir, own);
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

/* Prints B, which is P's handler, and the handler of all probes that share it. */
static void gen_handler_body(struct gen *g, const struct ir_probe *p)
{
	const struct ir_body *b = p->handler;

	begin_body(g, b);
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "ST_BEGIN_HANDLER(c, );");
	if (p->constants.n)
		gen_line(g, "const union st_arg *st_consts = c->point->probe->consts;");
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
 * The C of all handlers.  Declarations for both parts go to the file first, then the bodies of part
 * 1 and of part 2, then the probes' records.
 */
struct handlers {
	struct sbuf bodies[2], records;
};

static void gen_handler(struct gen *g, const struct probe *p)
{
	const struct ir_probe *probe = &g->ir->probes.v[p->index];

	note_body(g, arena_printf("st_handler_%u", p->index), p->loc, "the handler");
	note_body(g, arena_printf("st_entry_%u", p->index), p->loc,
		  "what is saved at the function's entry");
	if (p->saved.n)
		gen_entry(g, probe->entry);
	if (probe->handler->number != p->index)
		return;
	gen_line(g, "ST_SHARED void st_handler_%u(struct st_ctx *c)", p->index);
	gen_handler_body(g, probe);
}

static const char *constant_text(const struct ir_constant *c)
{
	const char *text = c->type == IR_VOID ? arena_printf("near %s at %s", c->text, c->at) : c->text;

	return c->type == IR_WORD ? arena_printf(".i = %s", c_number(c->number))
				  : arena_printf(".s = { %s, %zu }", c_string(text), strlen(text));
}

static void gen_constants(struct gen *g, const struct ir_probe *p, unsigned n)
{
	gen_line(g, "static const union st_arg st_consts_%u[] = {", n);
	for (size_t i = 0; i < p->constants.n; i++)
		gen_line(g, "\t{ %s },", constant_text(&p->constants.v[i]));
	gen_line(g, "};");
}

static void gen_probe_struct(struct gen *g, const struct probe *p)
{
	unsigned n = p->index;
	const struct ir_probe *probe = &g->ir->probes.v[n];

	if (probe->constants.n)
		gen_constants(g, probe, n);
	gen_line(g, "static const struct st_probe st_probe_%u = {", n);
	gen_line(g, "\t.handler = st_handler_%u,", probe->handler->number);
	if (probe->constants.n)
		gen_line(g, "\t.consts = st_consts_%u,", n);
	if (p->saved.n)
		gen_line(g, "\t.entry = st_entry_%u, .saved_size = sizeof(struct st_saved_%u),", n, n);
	if (p->condition)
		gen_line(g, "\t.condition = st_condition_%u, .armed = &st_armed_%u,",
		     p->armed_by->index, p->armed_by->index);
	if (p->system_call)
		gen_line(g, "\t.system_call = 1,");
	gen_line(g, "\t.where = %s,", c_string(loc_text(p->loc)));
	gen_line(g, "\t.index = %u, .budget = %" PRId64 "L,", n, probe->budget);
	gen_line(g, "};\n");
}

/* Generates a probe's handler and record.  Returns the scratch of the handler itself. */
static unsigned gen_probe(struct gen *g, const struct probe *p, struct handlers *all)
{
	struct sbuf *file = g->out;
	const struct ir_body *handler = g->ir->probes.v[p->index].handler;

	g->most_texts = 0;
	gen_lock_table(g, handler);
	/* the functions and the records take as long to compile as a third of the handlers */
	g->out = &all->bodies[p->index >= g->prog->probes.n / 3];
	gen_handler(g, p);
	g->out = &all->records;
	gen_probe_struct(g, p);
	g->out = file;
	if (handler->number == p->index)
		gen_line(g, "ST_SHARED void st_handler_%u(struct st_ctx *c);", p->index);
	if (p->saved.n)
		gen_line(g, "ST_SHARED int st_entry_%u(struct st_ctx *c);", p->index);
	return g->most_texts + locals_scratch(g, handler);
}

/* Returns the most scratch that a handler needs, with the functions it calls. */
static int64_t gen_handlers(struct gen *g, const int64_t *needs)
{
	struct handlers all = { 0 };
	int64_t most = 0;

	for (size_t i = 0; i < g->prog->probes.n && !session_interrupted(); i++) {
		const struct ir_probe *p = &g->ir->probes.v[i];
		int64_t own = gen_probe(g, g->prog->probes.v[i], &all);
		int64_t handler = ir_need_below(p->handler, needs);
		int64_t entry = ir_need_below(p->entry, needs);

		own += handler > entry ? handler : entry;
		most = own > most ? own : most;
	}
	put_part(g, 1, &all.bodies[0]);
	put_part(g, 2, &all.bodies[1]);
	put_part(g, 1, &all.records);
	return most;
}

/* ---- tables ------------------------------------------------------------ */

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

/*
 * Prints the tables of source lines as files that the assembler includes, because they are
 * megabytes.
 */
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
	gen_line(g, "static const struct st_format st_formats[] = {");
	for (size_t i = 0; i < g->ir->formats.n; i++) {
		const struct ir_format *f = &g->ir->formats.v[i];

		gen_line(g, "\t{ %s%s%s },", c_string(f->text), f->members ? ", " : "",
			 f->members ? c_string(f->members) : "");
	}
	gen_line(g, "\t{ 0 }");
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
	static const struct { unsigned trait; const char *asks; } needs[] = {
		{ FN_USER_NAMES, "ST_ASKS_SYMBOLS" },
		{ FN_USER_LINES, "ST_ASKS_LINES" },
		{ FN_USER_STACK, "ST_ASKS_STACKS" },
	};
	const char *asks = "";

	for (size_t n = 0; n < sizeof(needs) / sizeof(*needs); n++) {
		bool wanted = false;

		for (size_t i = 0; i < prog->functions.n && !wanted; i++)
			wanted = function_is(prog->functions.v[i], needs[n].trait);
		if (wanted)
			asks = arena_printf("%s%s%s", asks, *asks ? " | " : "", needs[n].asks);
	}
	return asks;
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
	gen_line(g, ".formats = st_formats, .nformats = %zu,", g->ir->formats.n);
	gen_line(g, ".groups = %u,", ir_most_groups(g->ir));
	g->indent--;
	gen_line(g, "};");
}

/* ---- the file ---------------------------------------------------------- */

/* Prints STAP_VERSION and STAP_COMPAT_VERSION, for #if in embedded C. */
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
		for (size_t i = 0; i < g->ir->foreign.n; i++)
			gen_embedded_top(g, g->ir->foreign.v[i]);
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
	struct gen g = { .s = s, .prog = prog, .ir = ir, .out = &text };
	const int64_t *needs;
	int rc = -1;

	if (diag_errors || session_interrupted())
		return -1;
	gen_prologue(&g, lim);
	gen_globals(&g);
	gen_regexes(&g);
	gen_saved_structs(&g);
	needs = gen_functions(&g);
	int64_t scratch = gen_conditions(&g) + gen_handlers(&g, needs);

	scratch = (scratch + 2) * lim->string;
	if (scratch > ST_SCRATCH_MOST) {
		diag(DIAG_ERROR, "the strings of one handler and of the functions it calls "
		     "take %" PRId64 " bytes, of at most %u", scratch, ST_SCRATCH_MOST);
		diag_hint("lower -D MAXSTRINGLEN=%" PRId64 " or -D MAXNESTING=%" PRId64 ", or use "
			  "fewer variables for strings", lim->string, lim->nesting);
	}
	s->c_code = text.len;
	g.out = &tables;
	gen_program(&g, lim, scratch);
	g.out = &text;
	put_part(&g, 1, &tables);
	if (!diag_errors && !session_interrupted())
		rc = write_c_file(s, &text);
	sbuf_free(&text);
	return rc;
}
