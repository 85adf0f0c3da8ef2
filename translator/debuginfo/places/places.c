// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds places: from "function@file:line" to addresses.
 *
 * Every search uses a name index.  If all places have symbols of the function's
 * name (functions with code of their own, by exact name), an index of the units
 * with these symbols is enough, and takes a millisecond; wildcards and inlined
 * instances need the index of the whole file.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/sbuf.h"
#include "debuginfo/dwarf/aranges.h"
#include "debuginfo/index/index.h"
#include "debuginfo/renamed.h"
#include "callees.h"
#include "instruction.h"
#include "labels.h"
#include "debuginfo/symbols/match.h"
#include "places.h"
#include "prologue.h"
#include "returns.h"
#include "session.h"
#include "debuginfo/symbols/symbols.h"
#include "traceable.h"

/* names in a hint */
#define HINTS 3

/* ---- one place -------------------------------------------------------------------- */

/* Does the query ask for beginnings of functions or instances? */
static bool is_beginning(const struct place_query *q)
{
	return q->kind != PLACE_STATEMENT && !q->label;
}

/*
 * GCC splits functions: the beginning is inlined, the rest has the symbol
 * NAME.part.0.  Where that starts, the function has long begun.
 */
static bool is_rest(const struct search *s, const struct place *p, const struct func_symbol *sym)
{
	return p->is_entry && s->q->kind != PLACE_STATEMENT && sym->name &&
	       strstr(sym->name, ".part.") && !strstr(p->function, ".part.");
}

/*
 * Moves the variables of a function's entry behind its prologue, if they are stored in the
 * stack frame there.
 */
static void set_body(struct search *s, struct place *p)
{
	uint64_t body;

	p->body = p->offset;
	if (p->in_go || !p->is_entry || !p->scope || s->q->kind == PLACE_STATEMENT ||
	    !prologue_end(s->file, p->scope->die, p->addr, &body) ||
	    !program_offset(s->file, body, &p->body))
		return;
	p->scope->pc = body;
	p->scope->at_entry = p->scope->outermost = false;
}

bool places_full(struct search *s, size_t n)
{
	if (n >= LIMIT_PLACES)
		s->why.text = arena_printf("more than %d places match, which would take too much "
					   "memory: use a narrower pattern", LIMIT_PLACES);
	return n >= LIMIT_PLACES;
}

void places_add(struct search *s, struct place p, uint64_t pc, Dwarf_Off die)
{
	struct dwfile *f = s->file;
	const struct section *sect = dwfile_section(f, pc);
	struct func_symbol sym = { 0 };
	uint64_t past = 0;

	if (!sect || !sect->exec || places_full(s, s->found.n))
		return;
	/*
	 * DWARF also describes weak functions that were replaced by others.
	 * Their code is still in the file, but it has no symbol and never runs.
	 */
	if (!symbol_at(f, pc, &sym) && has_symbols(f) && !f->is_program) {
		s->replaced = true;
		return;
	}
	if (is_rest(s, &p, &sym))
		return;
	if (!f->is_program && is_forbidden(f, pc)) {
		s->forbidden++;
		return;
	}
	p.module = f->module;
	p.addr = pc;
	if (f->is_program) {
		if (!program_offset(f, pc, &p.offset))
			return;
		p.program = true;
	} else if (!f->is_kernel) {
		p.addr = pc - sect->addr;
		p.section = sect->name;
	}
	p.symbol = sym.name;
	p.rest = sym.size ? sym.addr + sym.size - pc : 0;
	p.ftrace = p.is_entry && !f->is_program && (f->by_symbol || is_ftrace_site(f, pc, sym.size, &past));
	p.traceable = !f->by_symbol && is_traceable(f, &sym, die);
	if (f->by_symbol) {
		p.by_symbol = true;
		p.addr = 0;
		p.section = arena_printf("%c%s", ST_BASE_SYMBOL, p.function);
	}
	if (die) {
		p.scope = arena_new(struct scope);
		*p.scope = (struct scope){ .file = f, .die = die, .pc = pc,
					   .past_site = past, .at_entry = p.is_entry,
					   .outermost = is_beginning(s->q) };
	}
	if (f->is_program) {
		set_returns(s, &p, pc, die);
		set_body(s, &p);
	}
	vec_push(&s->found, p);
}

static int by_line(const struct place *x, const struct place *y)
{
	int c = 0;

	if (x->module != y->module)
		c = strcmp(x->module, y->module);
	if (!c && x->file != y->file)
		c = strcmp(x->file ? x->file : "", y->file ? y->file : "");
	return c ? c : (x->line > y->line) - (x->line < y->line);
}

static int by_source(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int c = by_line(x, y);

	if (!c && x->section != y->section)
		c = strcmp(x->section ? x->section : "", y->section ? y->section : "");
	if (!c)
		c = (x->addr > y->addr) - (x->addr < y->addr);
	if (!c && x->function != y->function)
		c = strcmp(x->function, y->function);
	return c ? c : (x->returns_to > y->returns_to) - (x->returns_to < y->returns_to);
}

/* Sorts the function itself before its inlined instances, and these by DIE. */
static int by_description(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	Dwarf_Off dx = x->scope ? x->scope->die : 0, dy = y->scope ? y->scope->die : 0;
	int c = by_line(x, y);

	if (!c)
		c = x->is_inline - y->is_inline;
	if (!c)
		c = (dx > dy) - (dx < dy);
	return c ? c : by_source(a, b);
}

/* Sorts the places and removes duplicates: several units may describe a function. */
static void sort_places(struct search *s)
{
	size_t n = 0;

	qsort(s->found.v, s->found.n, sizeof(*s->found.v), by_source);
	for (size_t i = 0; i < s->found.n; i++)
		if (!n || by_source(&s->found.v[n - 1], &s->found.v[i]))
			s->found.v[n++] = s->found.v[i];
	s->found.n = n;
	qsort(s->found.v, s->found.n, sizeof(*s->found.v), by_description);
}

/* ---- functions through an index --------------------------------------------------- */

/* Does the file match the query's? 'verdicts' remembers the answer for each. */
static bool is_asked_file(struct search *s, uint32_t file)
{
	enum { UNKNOWN, YES, NO };
	const char *path;

	if (!s->q->file)
		return true;
	if (file >= index_files(s->ix))
		return false;
	if (s->verdicts[file] == UNKNOWN) {
		path = index_path(s->ix, file);
		s->verdicts[file] = path && match_path(s->q->file, path) ? YES : NO;
	}
	return s->verdicts[file] == YES;
}

/*
 * Does the query mean this function?  A line given with a function means the
 * function around it: the last one declared at or before the line.  Relative
 * lines restrict nothing.
 */
static bool is_asked(struct search *s, uint32_t file, uint32_t line)
{
	const struct place_query *q = s->q;

	if (!is_asked_file(s, file))
		return false;
	if (q->line_kind == LINE_ABSOLUTE)
		return line == s->spans[file];
	if (q->line_kind == LINE_LIST)
		return line >= s->spans[file] && line <= (uint32_t)q->lines->last;
	return true;
}

static void note_span(struct search *s, uint32_t file, uint32_t line)
{
	uint32_t first = s->q->line_kind == LINE_LIST ? s->q->lines->first : s->q->line;

	if (file < index_files(s->ix) && line <= first && line > s->spans[file])
		s->spans[file] = line;
}

/* Finds, for each file, the declaration of the function around the query's line. */
static void find_spans(struct search *s)
{
	s->spans = arena_alloc(index_files(s->ix) * sizeof(*s->spans));
	for (uint32_t name = 0; name < index_names(s->ix); name++) {
		size_t nf, ni;
		const struct index_func *fn = index_funcs(s->ix, name, &nf);
		const struct index_inline *in = index_inlines(s->ix, name, &ni);

		for (size_t i = 0; i < nf; i++)
			note_span(s, fn[i].file, fn[i].line);
		for (size_t i = 0; i < ni; i++)
			note_span(s, in[i].file, in[i].line);
	}
}

static struct place function_place(struct search *s, uint32_t name, uint32_t file, uint32_t line)
{
	return (struct place){
		.function = index_name(s->ix, name),
		.file = index_path(s->ix, file),
		.line = line,
	};
}

static bool is_taken(const struct search *s, size_t first, const struct place *p)
{
	for (size_t i = first; i < s->found.n; i++)
		if (s->found.v[i].file == p->file && s->found.v[i].line == p->line)
			return true;
	return false;
}

static void take_real(struct search *s, uint32_t name)
{
	size_t n;
	const struct index_func *fn = index_funcs(s->ix, name, &n);

	for (size_t i = 0; i < n; i++) {
		struct place p;

		if (!is_asked(s, fn[i].file, fn[i].line) ||
		    (s->q->kind == PLACE_EXPORTED && !fn[i].external))
			continue;
		p = function_place(s, name, fn[i].file, fn[i].line);
		p.is_entry = true;
		places_add(s, p, fn[i].addr, fn[i].die);
	}
}

/* Adds the inlined instances of NAME.  FIRST is the first place found for this name. */
static void take_instances(struct search *s, uint32_t name, size_t first)
{
	size_t n, ninstances;
	const struct index_inline *in = index_inlines(s->ix, name, &n);

	for (size_t i = 0; i < n; i++) {
		const struct index_instance *at = index_instances(s->ix, &in[i], &ninstances);
		struct place p = function_place(s, name, in[i].file, in[i].line);

		if (!is_asked(s, in[i].file, in[i].line))
			continue;
		p.is_inline = true;
		for (size_t k = 0; k < ninstances; k++) {
			if (s->q->one_each && is_taken(s, first, &p))
				break;
			places_add(s, p, at[k].addr, at[k].die);
		}
	}
}

static void take_name(struct search *s, uint32_t name)
{
	enum place_kind kind = s->q->kind;
	size_t first = s->found.n;

	if (kind != PLACE_INLINE)
		take_real(s, name);
	if (kind == PLACE_FUNCTION || kind == PLACE_INLINE || kind == PLACE_STATEMENT)
		take_instances(s, name, first);
}

/* Calls FN for each name of a program that matches.  Returns how many there are. */
static size_t each_program_name(struct search *s, bool literally,
				void (*fn)(struct search *s, uint32_t name))
{
	size_t n = 0;

	for (uint32_t name = 0; name < index_names(s->ix); name++)
		if (match_name(s->q->function, index_name(s->ix, name), literally)) {
			fn(s, name);
			n++;
		}
	return n;
}

/* Calls FN for each name that matches. */
static void each_name(struct search *s, void (*fn)(struct search *s, uint32_t name))
{
	uint32_t name;

	if (s->file->is_program) {
		if (!each_program_name(s, true, fn) && is_glob(s->q->function))
			each_program_name(s, false, fn);
		return;
	}
	if (!is_glob(s->q->function)) {
		if (index_lookup(s->ix, s->q->function, &name))
			fn(s, name);
		return;
	}
	for (name = 0; name < index_names(s->ix); name++)
		if (match_glob(s->q->function, index_name(s->ix, name)))
			fn(s, name);
}

static void search_index(struct search *s)
{
	s->verdicts = arena_alloc(index_files(s->ix));
	if (s->q->line_kind == LINE_ABSOLUTE || s->q->line_kind == LINE_LIST)
		find_spans(s);
	each_name(s, take_name);
}

/* Marks the units with code of a function; its lines may be in any of their files. */
static void want_units(struct search *s, uint32_t name)
{
	size_t n;
	const struct index_func *fn = index_funcs(s->ix, name, &n);
	const struct index_inline *in;

	for (size_t i = 0; i < n; i++)
		if (is_asked_file(s, fn[i].file) && fn[i].unit < index_units(s->ix))
			s->units[fn[i].unit] = 1;
	in = index_inlines(s->ix, name, &n);
	for (size_t i = 0; i < n; i++)
		if (is_asked_file(s, in[i].file) && in[i].unit < index_units(s->ix))
			s->units[in[i].unit] = 1;
}

static int search_lines(struct search *s)
{
	s->ix = index_open(s->file, &s->why);
	if (!s->ix)
		return -1;
	s->verdicts = arena_alloc(index_files(s->ix));
	s->units = arena_alloc(index_units(s->ix));
	each_name(s, want_units);
	return search_statements(s, s->units);
}

/* ---- the short way ---------------------------------------------------------------- */

/* Up to so many names, walking their units is faster than indexing a whole kernel. */
enum { FEW_NAMES = 4 };

/* Makes an index of the units that contain the symbols; NULL if one is unknown. */
static struct index *index_by_symbols(struct search *s, const struct func_symbol *syms, size_t n)
{
	uint64_t *addrs = arena_alloc((n + 1) * sizeof(*addrs));
	uint64_t *units = arena_alloc((n + 1) * sizeof(*units));
	size_t nunits = 0;

	for (size_t i = 0; i < n; i++)
		addrs[i] = syms[i].addr;
	aranges_find(s->file, addrs, units, n);
	for (size_t i = 0; i < n; i++) {
		bool seen = false;

		if (units[i] == ARANGES_NONE)
			return NULL;
		for (size_t k = 0; k < nunits; k++)
			seen |= units[k] == units[i];
		if (!seen)
			units[nunits++] = units[i];
	}
	return nunits ? index_of_units(s->file, units, nunits, &s->why) : NULL;
}

/*
 * Returns an index with all functions of one name: the whole file's if need be, or if many names
 * are looked for in it.
 */
static struct index *index_of_name(struct search *s)
{
	size_t n;
	struct func_symbol *syms;
	struct index *ix = s->file->index;

	if (ix)
		return ix;
	if (++s->file->names_sought > FEW_NAMES)
		return index_open(s->file, &s->why);
	syms = symbols_named(s->file, s->q->function, &n);
	ix = index_by_symbols(s, syms, n);
	return ix ? ix : index_open(s->file, &s->why);
}

/*
 * Adds functions that DWARF doesn't describe, mostly assembler.  They have no
 * source position and no variables.
 */
static void take_symbols(struct search *s)
{
	size_t n;
	struct func_symbol *syms = symbols_named(s->file, s->q->function, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(syms[i].name, s->q->function))
			places_add(s, (struct place){ .function = syms[i].name,
						      .is_entry = true }, syms[i].addr, 0);
}

/* Places outlive an index of some units, so their names are copied. */
static void close_part(struct search *s, size_t first)
{
	for (size_t i = first; i < s->found.n; i++) {
		struct place *p = &s->found.v[i];

		p->function = intern(p->function);
		p->file = p->file ? intern(p->file) : NULL;
	}
	index_close(s->ix);
	s->ix = NULL;
}

/* Finds the DWARF function that begins at an address; NULL if there is none. */
static const struct index_func *function_at(struct search *s, struct table *by_address,
					    uint64_t addr)
{
	struct index *ix = s->file->index;
	uint32_t names = by_address->n ? 0 : index_names(ix);	/* names to be added */

	for (uint32_t name = 0; name < names; name++) {
		size_t n;
		const struct index_func *fn = index_funcs(ix, name, &n);

		for (size_t i = 0; i < n; i++)
			table_add(by_address, table_hash(&fn[i].addr, sizeof(addr)), name);
	}
	table_for_each(by_address, table_hash(&addr, sizeof(addr)), name) {
		size_t n;
		const struct index_func *fn = index_funcs(ix, name, &n);

		for (size_t i = 0; i < n; i++)
			if (fn[i].addr == addr)
				return &fn[i];
	}
	return NULL;
}

/*
 * Adds the places of a program's function symbols that match, unless they were found by
 * their names in DWARF: those without DWARF, and other names of functions.  In glibc,
 * DWARF has no malloc(), but __libc_malloc() at its address.
 */
static void take_program_symbols(struct search *s, size_t first)
{
	size_t n, known = s->found.n;
	struct func_symbol *syms = symbols_matching(s->file, s->q->function, &n);
	struct table taken = { 0 }, by_address = { 0 };

	for (size_t i = first; i < known; i++)
		table_add(&taken, table_hash(&s->found.v[i].addr, sizeof(uint64_t)), i);
	for (size_t i = 0; i < n; i++) {
		const struct index_func *fn = s->file->index ? function_at(s, &by_address,
									   syms[i].addr) : NULL;
		struct place p = { .function = intern(syms[i].readable), .is_entry = true };
		bool seen = false;

		table_for_each(&taken, table_hash(&syms[i].addr, sizeof(uint64_t)), k)
			seen |= s->found.v[k].addr == syms[i].addr;
		if (seen)
			continue;
		if (fn) {
			if (syms[i].readable != syms[i].name)
				p.function = index_name(s->file->index, fn->name);
			p.file = index_path(s->file->index, fn->file);
			p.line = fn->line;
		}
		places_add(s, p, syms[i].addr, fn ? fn->die : 0);
	}
}

/* May symbols alone answer the query? */
static bool by_name_alone(const struct place_query *q)
{
	return !q->file && !q->label && !q->callee && q->line_kind == LINE_NONE &&
	       q->kind != PLACE_INLINE && q->kind != PLACE_STATEMENT;
}

static int search_functions(struct search *s)
{
	const struct place_query *q = s->q;
	bool exact = !is_glob(q->function);
	bool real = q->kind == PLACE_CALL || q->kind == PLACE_EXPORTED;
	bool lines = q->line_kind == LINE_ABSOLUTE || q->line_kind == LINE_LIST;
	bool program = s->file->is_program && by_name_alone(q);
	bool by_symbol = exact && real && !lines && !q->callee && !has_mangled_symbols(s->file);
	size_t before = s->found.n, n;
	unsigned forbidden = s->forbidden;

	if (exact && real && s->one_of_many && has_symbols(s->file)) {
		symbols_named(s->file, q->function, &n);
		if (!n)
			return 0;
	}
	s->ix = by_symbol ? index_of_name(s) : index_open(s->file, &s->why);
	if (!s->ix)
		return -1;
	search_index(s);
	if (s->ix != s->file->index)
		close_part(s, before);
	s->looked_into |= s->found.n > before;
	if (q->label)
		labels_replace(s, before);
	else if (q->callee)
		callees_replace(s, before);
	else if (program && (!exact || s->found.n == before) && index_open(s->file, &s->why))
		take_program_symbols(s, before);
	else if (s->found.n == before && s->forbidden == forbidden && exact && !q->file &&
	    q->kind != PLACE_INLINE && q->kind != PLACE_EXPORTED)
		take_symbols(s);
	return 0;
}

/* ---- messages when nothing matches --------------------------------------------- */

/* Says where a function is that was looked for in another file. */
static const char *where_it_is(const struct index *ix, uint32_t name)
{
	struct sbuf text = { 0 };
	size_t nf, ni;
	const struct index_func *f = index_funcs(ix, name, &nf);
	const struct index_inline *in = index_inlines(ix, name, &ni);

	for (size_t i = 0; i < nf + ni && i < HINTS; i++)
		sbuf_printf(&text, "%s%s@%s:%u", i ? ", " : "", index_name(ix, name),
			    index_path(ix, i < nf ? f[i].file : in[i - nf].file) ?: "?",
			    i < nf ? f[i].line : in[i - nf].line);
	return text.len ? sbuf_take(&text) : NULL;
}

/* Returns a pattern without its wildcards, to look for similar names. */
static const char *letters_of(const char *pattern)
{
	struct sbuf text = { 0 };

	for (const char *p = pattern; *p; p++)
		if (!strchr("*?[]", *p))
			sbuf_putc(&text, *p);
	return sbuf_take(&text);
}

/* Returns a similar name among the symbols, for a file without debug information. */
static const char *near_symbols(struct dwfile *f, const char *wanted)
{
	size_t n;
	const struct func_symbol *symbols = symbols_matching(f, "*", &n);
	const char **names = arena_alloc((n + 1) * sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = symbols[i].readable;
	return diag_nearest(wanted, names, n, HINTS);
}

/*
 * Returns a hint at the library's probe for a system call, whose kernel function has a name of the
 * architecture's; NULL for other functions.
 */
static const char *system_call(struct index *ix, const char *function)
{
	uint32_t name;

	if (strncmp(function, "sys_", 4) && strncmp(function, "SyS_", 4))
		return NULL;
	if (!index_lookup(ix, arena_printf("__do_sys_%s", function + 4), &name))
		return NULL;
	return arena_printf("syscall.%s, the system call by any kernel's name", function + 4);
}

static const char *hint_for(struct search *s)
{
	struct problem why = { 0 };
	const char *wanted, **names, *hint = NULL;
	struct index *ix;
	uint32_t name;
	size_t n;

	if (!s->file || !s->q->function || s->nothing)
		return NULL;
	if (!s->file->is_program)
		hint = renamed(s->target->session, RENAMED_FUNCTION, s->q->function);
	if (hint)
		return hint;
	if (!s->file->dw)
		return near_symbols(s->file, letters_of(s->q->function));
	ix = index_open(s->file, &why);
	if (!ix)
		return NULL;
	if (s->file->is_kernel)
		hint = system_call(ix, s->q->function);
	if (hint)
		return hint;
	wanted = letters_of(s->q->function);
	if (index_lookup(ix, wanted, &name))
		return s->q->file ? where_it_is(ix, name) : NULL;
	n = index_names(ix);
	names = arena_alloc((n + 1) * sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = strstr(wanted, "::") ? index_name(ix, i)
						: name_last_part(index_name(ix, i));
	return diag_nearest(wanted, names, n, HINTS);
}

/* Says where functions were looked for, " (vmlinux)", and what to do if that describes few. */
static const char *where_sought(const struct search *s)
{
	const struct place_query *q = s->q;

	if (!s->file)
		return " (any module)";
	if (!s->file->dw && s->file->is_program)
		return ": it is stripped; others have names if its -dbgsym or -debuginfo package is "
		       "installed, or DEBUGINFOD_URLS set";
	if (!strcmp(q->module, s->file->path))
		return "";
	if (!s->file->by_symbol || !s->file->is_kernel || is_glob(q->function))
		return arena_printf(" (%s)", s->file->path);
	return arena_printf(" (%s: its BTF doesn't have all functions; kprobe.function(\"%s\") takes "
			    "each, without variables)", s->file->path, q->function);
}

static const char *nothing_found(struct search *s)
{
	const struct place_query *q = s->q;
	static const char *const what[] = {
		[PLACE_FUNCTION] = "function",
		[PLACE_CALL] = "function with code of its own",
		[PLACE_INLINE] = "inlined function",
		[PLACE_EXPORTED] = "external function",
		[PLACE_STATEMENT] = "statement",
	};
	const char *at;

	if (s->nothing && !s->forbidden)
		return s->nothing;
	at = q->file ? arena_printf(" in a file '%s'", q->file) : "";

	if (s->forbidden)
		return arena_printf("the kernel forbids probing '%s' (%u place%s: code that "
				    "probes use themselves, or that is freed after boot)",
				    q->function ? q->function : "this address", s->forbidden,
				    s->forbidden == 1 ? "" : "s");
	if (!q->function)
		return arena_printf("no code at address 0x%llx of %s",
				    (unsigned long long)q->address, q->module);
	if (s->replaced)
		return arena_printf("'%s'%s is a weak function that another one replaces: its "
				    "code never runs", q->function, at);
	if (q->line_kind == LINE_ABSOLUTE)
		at = arena_printf("%s at line %d", at, q->line);
	if (q->callee && s->looked_into)
		return arena_printf("no callee matches '%s' in functions that match '%s'%s in %s "
				    "(%s)", q->callee, q->function, at, q->module,
				    s->file ? s->file->path : "any module");
	if (q->label && s->looked_into)
		return arena_printf("no label matches '%s' in functions that match '%s'%s in %s "
				    "(%s)", q->label, q->function, at, q->module,
				    s->file ? s->file->path : "any module");
	return arena_printf("no %s matches '%s'%s in %s%s", what[q->kind], q->function, at,
			    q->module, where_sought(s));
}

/* ---- the interface ------------------------------------------------------------- */

/*
 * Searches by number: a linked address of vmlinux or a program, or an offset into a module's .text.
 */
static int search_number(struct search *s)
{
	uint64_t addr = s->q->address;

	for (size_t i = 0; !s->file->is_kernel && !s->file->is_program &&
	     i < s->file->sections.n; i++)
		if (!strcmp(s->file->sections.v[i].name, ".text"))
			addr += s->file->sections.v[i].addr;
	return search_address(s, addr);
}

/*
 * Does the query need DWARF?  BTF knows no source files and lines, and of functions only the
 * parameters.
 */
static bool needs_dwarf(const struct place_query *q)
{
	return !q->function || q->file || q->kind == PLACE_INLINE ||
	       (q->kind == PLACE_STATEMENT && q->line_kind != LINE_NONE);
}

/* Leaves a function to be found by its symbol at run time, where there is no debug information. */
static int search_symbol(struct search *s, const char *module)
{
	const struct place_query *q = s->q;
	enum debuginfo use = s->target->session->options.debuginfo;
	struct problem none = { .no_hint = s->why.no_hint };
	text_list names = { 0 };

	if (use == DEBUGINFO_DWARF || use == DEBUGINFO_BTF || s->one_of_many ||
	    needs_dwarf(q) || is_glob(q->function) || strchr(module, '/') ||
	    q->kind == PLACE_EXPORTED ||
	    (strcmp(module, "kernel") && !target_module_file(s->target, module)))
		return -1;
	if (target_function_names(s->target, module, q->function, &names, &none) == NAMES_ABSENT) {
		s->why = none;
		return -1;
	}
	if (!s->target->told && use != DEBUGINFO_NONE)
		diag(DIAG_WARNING, "%s; functions are found by their names when the script "
		     "runs, without variables", s->why.text);
	s->target->told = true;
	vec_push(&s->found, ((struct place){
		.module = intern(module), .function = q->function, .symbol = q->function,
		.section = arena_printf("%c%s", ST_BASE_SYMBOL, q->function),
		.is_entry = true, .ftrace = true, .by_symbol = true }));
	return 0;
}

/* Searches a program without DWARF, which has functions by symbol, and addresses. */
static int search_bare_program(struct search *s)
{
	if (!s->q->function) {
		if (!s->target->session->options.guru)
			s->nothing = no_instruction(s->file, s->q->address, s->q->address);
		if (!s->nothing)
			places_add(s, (struct place){ .function = "" }, s->q->address, 0);
		return 0;
	}
	if (by_name_alone(s->q)) {
		take_program_symbols(s, s->found.n);
		return 0;
	}
	s->why.text = arena_printf("'%s' has no debug information, which this needs: install its "
				   "-dbgsym or -debuginfo package, or set DEBUGINFOD_URLS "
				   "[man error::dwarf]",
				   s->file->path);
	return -1;
}

static int search_file(struct search *s, const char *module)
{
	s->file = target_file(s->target, module, &s->why);
	if (!s->file)
		return search_symbol(s, module);
	if (s->file->by_symbol && needs_dwarf(s->q)) {
		s->why.text = arena_printf("this needs the kernel's DWARF, but there is only BTF "
					   "(%s), which has no source files and lines; "
					   "install package linux-image-%s-dbg",
					   s->file->path, kernel_release(s->target->session->kernel));
		return -1;
	}
	if (!s->file->dw)
		return search_bare_program(s);
	if (!s->q->function)
		return search_number(s);
	if (s->q->kind == PLACE_STATEMENT && s->q->line_kind != LINE_NONE)
		return search_lines(s);
	return search_functions(s);
}

/*
 * Searches one of several modules.  One without debug information, or without a
 * match, is ignored.
 */
static void search_one_of(struct search *s, const char *module)
{
	size_t files = s->target->files.n, found = s->found.n;

	s->one_of_many = true;
	if (search_file(s, module))
		s->found.n = found;
	if (s->found.n == found && s->target->files.n > files)
		target_close_last(s->target);
	s->file = NULL;
}

static int search_modules(struct search *s)
{
	size_t n;
	const char *const *names = target_modules(s->target, &n);

	if (!is_glob(s->q->module) || strchr(s->q->module, '/'))
		return search_file(s, s->q->module);
	for (size_t i = 0; i < n; i++)
		if (match_glob(s->q->module, names[i]))
			search_one_of(s, names[i]);
	return s->found.n || !s->why.text ? 0 : -1;
}

int target_places(struct target *t, const struct place_query *q, struct place **out, size_t *n,
		  unsigned *forbidden, struct problem *why)
{
	struct search s = { .target = t, .q = q, .why.no_hint = why->no_hint };

	*out = NULL;
	*n = 0;
	*forbidden = 0;
	if (search_modules(&s) || s.found.n >= LIMIT_PLACES) {
		*why = s.why;
		return -1;
	}
	*forbidden = s.forbidden;
	if (!s.found.n) {
		why->text = nothing_found(&s);
		if (!why->no_hint && !s.forbidden)
			why->hint = hint_for(&s);
		return -1;
	}
	sort_places(&s);
	*out = s.found.v;
	*n = s.found.n;
	return 0;
}
