// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbol tables, ftrace sites and forbidden code.
 *
 * In vmlinux the ftrace sites are an array of addresses between
 * __start_mcount_loc and __stop_mcount_loc; functions marked NOKPROBE_SYMBOL
 * are one between __start_kprobe_blacklist and __stop_kprobe_blacklist; and
 * forbidden ranges of text lie between symbols of the linker script.  In a
 * module the arrays are sections whose contents are still relocations, and
 * forbidden text has sections of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "demangle.h"
#include "match.h"
#include "symbols.h"

/*
 * A site is at the entry, or at most this many bytes behind it, after a landing
 * pad and padding.
 */
#define SITE_REACH 16

/* Lookups before it pays to sort the table (by address) or to hash it (by name). */
#define LINEAR_LOOKUPS 8

struct func {
	uint64_t addr;
	uint32_t size, name;
};

struct range {
	uint64_t low, high;
};

/* Symbols of the linker script that delimit arrays and ranges. */
enum marker {
	START_SITES, STOP_SITES,
	START_BLACKLIST, STOP_BLACKLIST,
	FIRST_FORBIDDEN,	/* from here: pairs around forbidden text */
	START_KPROBES = FIRST_FORBIDDEN, END_KPROBES,
	START_NOINSTR, END_NOINSTR,
	START_ENTRY, END_ENTRY,
	START_INIT_TEXT, END_INIT_TEXT,
	START_INIT, END_INIT,
	MARKERS
};

static const char *const marker_names[MARKERS] = {
	[START_SITES] = "__start_mcount_loc", [STOP_SITES] = "__stop_mcount_loc",
	[START_BLACKLIST] = "__start_kprobe_blacklist",
	[STOP_BLACKLIST] = "__stop_kprobe_blacklist",
	[START_KPROBES] = "__kprobes_text_start", [END_KPROBES] = "__kprobes_text_end",
	[START_NOINSTR] = "__noinstr_text_start", [END_NOINSTR] = "__noinstr_text_end",
	[START_ENTRY] = "__entry_text_start", [END_ENTRY] = "__entry_text_end",
	[START_INIT_TEXT] = "_sinittext", [END_INIT_TEXT] = "_einittext",
	[START_INIT] = "__init_begin", [END_INIT] = "__init_end",
};

struct symbols {
	Elf_Data *table;
	const char *strings;
	size_t n, strings_size;
	struct func *funcs;
	size_t nfuncs;
	bool sorted;
	unsigned lookups;
	struct table by_name;		/* of 'funcs'; empty: not built yet */
	unsigned name_lookups;
	uint64_t markers[MARKERS];	/* 0: none */
	vec(uint64_t) sites;		/* ascending */
	bool have_sites;
	vec(struct range) forbidden;
	bool have_forbidden;
};

/* Returns the name at an offset of the string table, "" if outside. */
static const char *name_at(const struct symbols *s, uint32_t off)
{
	return off < s->strings_size ? s->strings + off : "";
}

/* Gives a symbol's address in the file's DWARF.  Returns false if it is not in memory. */
static bool address_of(const struct dwfile *f, const GElf_Sym *sym, uint64_t *addr)
{
	*addr = sym->st_value;
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS)
		return false;
	if (!f->dwfl)
		return true;
	for (size_t i = 0; i < f->sections.n; i++) {
		if (f->sections.v[i].index == sym->st_shndx) {
			*addr += f->sections.v[i].addr;
			return true;
		}
	}
	return false;
}

/* Uses the symbol table of a type in ELF.  Returns false if there is none. */
static bool find_table(struct symbols *s, Elf *elf, unsigned type)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *strings;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		strings = elf_getdata(elf_getscn(elf, sh.sh_link), NULL);
		s->table = elf_getdata(scn, NULL);
		if (!s->table || !strings || !strings->d_size || !strings->d_buf)
			return false;
		s->strings = strings->d_buf;
		s->strings_size = strings->d_size;
		if (s->strings[s->strings_size - 1])
			return false;
		s->n = s->table->d_size / sh.sh_entsize;
		return s->n > 0;
	}
	return false;
}

/*
 * Finds the symbol tables.  A stripped program without a debug file has its
 * exported symbols, and some distributions pack its functions' symbols into
 * .gnu_debugdata.
 */
static void find_tables(struct dwfile *f, struct symbols *s)
{
	Elf *mini;

	if (find_table(s, f->elf, SHT_SYMTAB) || !f->is_program)
		return;
	mini = program_mini_debuginfo(f);
	if (!mini || !find_table(s, mini, SHT_SYMTAB))
		find_table(s, f->elf, SHT_DYNSYM);
}

static void note_function(struct dwfile *f, struct symbols *s, const GElf_Sym *sym)
{
	struct func *fn = &s->funcs[s->nfuncs];

	if (!address_of(f, sym, &fn->addr))
		return;
	fn->size = sym->st_size;
	fn->name = sym->st_name;
	s->nfuncs++;
}

static void note_marker(struct symbols *s, const GElf_Sym *sym)
{
	const char *name = name_at(s, sym->st_name);

	if (name[0] != '_')
		return;
	for (int i = 0; i < MARKERS; i++)
		if (!strcmp(name, marker_names[i]))
			s->markers[i] = sym->st_value;
}

static struct symbols *symbols_of(struct dwfile *f)
{
	struct symbols *s = f->symbols;

	if (s)
		return s;
	s = f->symbols = arena_new(struct symbols);
	find_tables(f, s);
	s->funcs = arena_alloc((s->n + 1) * sizeof(*s->funcs));
	for (size_t i = 0; i < s->n; i++) {
		GElf_Sym sym;

		if (!gelf_getsym(s->table, i, &sym))
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			note_function(f, s, &sym);
		else if (f->is_kernel && GELF_ST_TYPE(sym.st_info) == STT_NOTYPE &&
			 GELF_ST_BIND(sym.st_info) != STB_LOCAL)
			note_marker(s, &sym);
	}
	return s;
}

bool symbol_address(struct dwfile *f, const char *name, uint64_t *addr)
{
	struct symbols *s = symbols_of(f);

	for (size_t i = 0; i < s->n; i++) {
		GElf_Sym sym;

		if (gelf_getsym(s->table, i, &sym) && !strcmp(name_at(s, sym.st_name), name) &&
		    address_of(f, &sym, addr))
			return true;
	}
	return false;
}

const char **data_symbols(struct dwfile *f, size_t *n)
{
	struct symbols *s = symbols_of(f);
	const char **names = arena_alloc((s->n + 1) * sizeof(*names));

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		GElf_Sym sym;

		if (gelf_getsym(s->table, i, &sym) && GELF_ST_TYPE(sym.st_info) == STT_OBJECT)
			names[(*n)++] = name_at(s, sym.st_name);
	}
	return names;
}

const char *data_symbol_at(struct dwfile *f, uint64_t addr, uint64_t *start)
{
	struct symbols *s = symbols_of(f);

	for (size_t i = 0; i < s->n; i++) {
		GElf_Sym sym;

		if (gelf_getsym(s->table, i, &sym) && GELF_ST_TYPE(sym.st_info) == STT_OBJECT &&
		    address_of(f, &sym, start) && addr >= *start && addr - *start < sym.st_size)
			return name_at(s, sym.st_name);
	}
	return NULL;
}

/* Hashes a name up to the first '.' or '@', so that clones and versions have its hash. */
static uint32_t hash_base(const char *name)
{
	return table_hash(name, strcspn(name, ".@"));
}

/* Does SUFFIX begin a default version, which a library's symbol may have: "free@@GLIBC_2.2.5"? */
static bool begins_version(const char *suffix)
{
	return suffix[0] == '@' && suffix[1] == '@';
}

static void hash_names(struct symbols *s)
{
	for (size_t i = 0; i < s->nfuncs; i++)
		table_add(&s->by_name, hash_base(name_at(s, s->funcs[i].name)), i);
}

typedef vec(struct func_symbol) func_symbols;

static void add_if_named(const struct symbols *s, const struct func *fn, const char *name,
			 func_symbols *found)
{
	const char *own = name_at(s, fn->name);
	size_t len = strlen(name);

	if (!strncmp(own, name, len) &&
	    (!own[len] || own[len] == '.' || begins_version(own + len)))
		vec_push(found, ((struct func_symbol){ own, fn->addr, fn->size, own }));
}

struct func_symbol *symbols_named(struct dwfile *f, const char *name, size_t *n)
{
	struct symbols *s = symbols_of(f);
	func_symbols found = { 0 };

	if (!s->by_name.n && s->name_lookups++ >= LINEAR_LOOKUPS)
		hash_names(s);
	if (s->by_name.n) {
		uint32_t hash = hash_base(name);

		table_for_each(&s->by_name, hash, i)
			add_if_named(s, &s->funcs[i], name, &found);
	} else {
		for (size_t i = 0; i < s->nfuncs; i++)
			add_if_named(s, &s->funcs[i], name, &found);
	}
	*n = found.n;
	return found.v;
}

static int by_address(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int by_symbol_address(const void *a, const void *b)
{
	const struct func_symbol *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

bool is_cold_part(const char *symbol)
{
	const char *suffix = strstr(symbol, ".cold");

	return suffix && suffix > symbol && (!suffix[5] || suffix[5] == '.');
}

/* Adds a symbol if the pattern matches the name that users know it by, or is its own name. */
static void add_if_matching(const struct symbols *s, const struct func *fn, const char *pattern,
			    bool literally, func_symbols *found)
{
	const char *name = name_at(s, fn->name), *readable = NULL;
	size_t base = strcspn(name, "@");

	if (begins_version(name + base))
		name = arena_strndup(name, base);
	if (is_cold_part(name) && strcmp(pattern, name))
		return;
	if (is_mangled(name) && may_demangle_to(name, pattern))
		readable = demangle(name);
	if (readable ? match_name(pattern, readable, literally) || !strcmp(pattern, name)
		     : literally ? !strcmp(pattern, name) : match_glob(pattern, name))
		vec_push(found, ((struct func_symbol){ name, fn->addr, fn->size,
						       readable ? readable : name }));
}

struct func_symbol *symbols_matching(struct dwfile *f, const char *pattern, size_t *n)
{
	struct symbols *s = symbols_of(f);
	func_symbols found = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < s->nfuncs; i++)
		add_if_matching(s, &s->funcs[i], pattern, true, &found);
	if (!found.n && is_glob(pattern))
		for (size_t i = 0; i < s->nfuncs; i++)
			add_if_matching(s, &s->funcs[i], pattern, false, &found);
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), by_symbol_address);
	for (size_t i = 0; i < found.n; i++)
		if (!kept || found.v[kept - 1].addr != found.v[i].addr)
			found.v[kept++] = found.v[i];
	*n = kept;
	return found.v;
}

bool has_mangled_symbols(struct dwfile *f)
{
	const struct symbols *s = symbols_of(f);

	for (size_t i = 0; f->is_program && i < s->nfuncs; i++)
		if (is_mangled(name_at(s, s->funcs[i].name)))
			return true;
	return false;
}

static const struct func *sorted_lookup(const struct symbols *s, uint64_t addr)
{
	size_t low = 0, high = s->nfuncs;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (s->funcs[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	/*
	 * Takes the first of several symbols at one address.  A symbol without a
	 * size, from assembler, extends to the next symbol.
	 */
	if (!low)
		return NULL;
	while (low > 1 && s->funcs[low - 2].addr == s->funcs[low - 1].addr)
		low--;
	return &s->funcs[low - 1];
}

static const struct func *linear_lookup(const struct symbols *s, uint64_t addr)
{
	const struct func *best = NULL;

	for (size_t i = 0; i < s->nfuncs; i++) {
		const struct func *fn = &s->funcs[i];

		if (fn->addr <= addr && (!best || fn->addr > best->addr))
			best = fn;
	}
	return best;
}

bool symbol_at(struct dwfile *f, uint64_t addr, struct func_symbol *out)
{
	struct symbols *s = symbols_of(f);
	const struct func *fn;

	if (!s->sorted && s->lookups++ >= LINEAR_LOOKUPS) {
		qsort(s->funcs, s->nfuncs, sizeof(*s->funcs), by_address);
		s->sorted = true;
		s->by_name = (struct table){};
	}
	fn = s->sorted ? sorted_lookup(s, addr) : linear_lookup(s, addr);
	if (!fn || (fn->size && addr - fn->addr >= fn->size))
		return false;
	*out = (struct func_symbol){ name_at(s, fn->name), fn->addr, fn->size,
				     name_at(s, fn->name) };
	return true;
}

/* ---- anchors ------------------------------------------------------------------ */

typedef vec(struct anchor) anchors;

static int by_offset(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool is_only(const struct symbols *s, const char *name)
{
	unsigned found = 0;

	for (size_t i = 0; i < s->n && found < 2; i++) {
		GElf_Sym sym;

		if (gelf_getsym(s->table, i, &sym))
			found += sym.st_shndx != SHN_UNDEF && !strcmp(name_at(s, sym.st_name), name);
	}
	return found == 1;
}

static void section_symbols(const struct symbols *s, const struct section *sect, anchors *out)
{
	for (size_t i = 0; i < s->n; i++) {
		GElf_Sym sym;
		int type;

		if (!gelf_getsym(s->table, i, &sym) || sym.st_shndx != sect->index)
			continue;
		type = GELF_ST_TYPE(sym.st_info);
		if ((type == STT_FUNC || type == STT_OBJECT) && *name_at(s, sym.st_name))
			vec_push(out, ((struct anchor){ name_at(s, sym.st_name),
							sym.st_value }));
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_offset);
}

size_t symbols_anchor(struct dwfile *f, const struct section *sect, struct anchor *out,
		      size_t max)
{
	const struct symbols *s = symbols_of(f);
	anchors all = { 0 };
	size_t n = 0, next = 0;

	section_symbols(s, sect, &all);
	for (size_t i = 0; i < max; i++) {
		size_t at = max > 1 ? i * (all.n - 1) / (max - 1) : 0;

		for (at = at < next ? next : at; at < all.n; at++)
			if (is_only(s, all.v[at].symbol))
				break;
		if (at >= all.n)
			break;
		out[n++] = all.v[at];
		next = at + 1;
	}
	return n;
}

bool has_symbols(struct dwfile *f)
{
	return symbols_of(f)->nfuncs > 0;
}

/* ---- arrays of addresses ---------------------------------------------------- */

typedef void (*address_fn)(struct dwfile *f, uint64_t addr);

/* Calls FN for the words of a linked file between two addresses; 0 is an empty slot. */
static void linked_addresses(struct dwfile *f, uint64_t start, uint64_t stop, address_fn fn)
{
	const struct section *sect = start ? dwfile_section(f, start) : NULL;
	unsigned word = f->arch->word;

	if (!sect || !sect->data || stop < start || stop - sect->addr > sect->size)
		return;
	for (uint64_t at = start; at + word <= stop; at += word) {
		struct cursor c = { sect->data + (at - sect->addr), sect->data + sect->size, false };
		uint64_t addr = cur_u(&c, word);

		if (addr)
			fn(f, addr);
	}
}

/* Calls FN for the addresses that relocations would put into a module's section. */
static void relocated_addresses(struct dwfile *f, const char *section, address_fn fn)
{
	struct symbols *s = symbols_of(f);
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(f->elf, scn))) {
		const struct section *sect = NULL;
		Elf_Data *d;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA)
			continue;
		for (size_t i = 0; i < f->sections.n && !sect; i++)
			if (f->sections.v[i].index == sh.sh_info &&
			    !strcmp(f->sections.v[i].name, section))
				sect = &f->sections.v[i];
		d = sect ? elf_getdata(scn, NULL) : NULL;
		for (size_t i = 0; d && sh.sh_entsize && i < d->d_size / sh.sh_entsize; i++) {
			GElf_Rela rela;
			GElf_Sym sym;
			uint64_t addr;

			if (s->table && gelf_getrela(d, i, &rela) &&
			    gelf_getsym(s->table, GELF_R_SYM(rela.r_info), &sym) &&
			    address_of(f, &sym, &addr))
				fn(f, addr + rela.r_addend);
		}
	}
}

static void add_site(struct dwfile *f, uint64_t addr)
{
	vec_push(&f->symbols->sites, addr);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_addresses(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (v[i - 1] > v[i]) {
			qsort(v, n, sizeof(*v), by_value);
			return;
		}
	}
}

static void read_sites(struct dwfile *f)
{
	struct symbols *s = f->symbols;

	if (f->dwfl) {
		relocated_addresses(f, "__mcount_loc", add_site);
		relocated_addresses(f, "__patchable_function_entries", add_site);
	} else {
		linked_addresses(f, s->markers[START_SITES], s->markers[STOP_SITES], add_site);
	}
	sort_addresses(s->sites.v, s->sites.n);
}

bool is_ftrace_site(struct dwfile *f, uint64_t entry, uint64_t size, uint64_t *past)
{
	struct symbols *s = symbols_of(f);
	size_t low = 0, high;

	if (!s->have_sites) {
		s->have_sites = true;
		read_sites(f);
	}
	for (high = s->sites.n; low < high;) {
		size_t mid = (low + high) / 2;

		if (s->sites.v[mid] < entry)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == s->sites.n || s->sites.v[low] - entry >= SITE_REACH ||
	    (size && s->sites.v[low] - entry >= size))
		return false;
	*past = s->sites.v[low] + f->arch->ftrace_site_size;
	return true;
}

/* ---- forbidden code ----------------------------------------------------------- */

static void forbid(struct dwfile *f, uint64_t low, uint64_t high)
{
	if (low < high)
		vec_push(&f->symbols->forbidden, ((struct range){ low, high }));
}

/* Forbids one byte; size_forbidden() extends it to the function, if there is a symbol. */
static void forbid_function(struct dwfile *f, uint64_t addr)
{
	forbid(f, addr, addr + 1);
}

/* Extends the one-byte ranges of forbid_function() to whole functions. */
static void size_forbidden(struct dwfile *f)
{
	struct symbols *s = f->symbols;

	for (size_t i = 0; i < s->nfuncs; i++) {
		size_t low = 0, high = s->forbidden.n;

		while (low < high) {
			size_t mid = (low + high) / 2;

			if (s->forbidden.v[mid].low < s->funcs[i].addr)
				low = mid + 1;
			else
				high = mid;
		}
		for (; low < s->forbidden.n && s->forbidden.v[low].low == s->funcs[i].addr; low++)
			if (s->funcs[i].size)
				s->forbidden.v[low].high = s->funcs[i].addr + s->funcs[i].size;
	}
}

static int by_low(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static void forbid_sections(struct dwfile *f)
{
	for (size_t i = 0; i < f->sections.n; i++) {
		const struct section *s = &f->sections.v[i];

		if (starts_with(s->name, ".kprobes.text") || starts_with(s->name, ".noinstr.text") ||
		    starts_with(s->name, ".entry.text") ||
		    (f->is_kernel && (starts_with(s->name, ".init.") ||
				      starts_with(s->name, ".exit."))))
			forbid(f, s->addr, s->addr + s->size);
	}
}

/* Sorts the ranges and joins those that overlap or touch. */
static void merge_forbidden(struct symbols *s)
{
	struct range *v = s->forbidden.v;
	size_t n = 0;

	if (s->forbidden.n)
		qsort(v, s->forbidden.n, sizeof(*v), by_low);
	for (size_t i = 0; i < s->forbidden.n; i++) {
		if (!n || v[i].low > v[n - 1].high)
			v[n++] = v[i];
		else if (v[i].high > v[n - 1].high)
			v[n - 1].high = v[i].high;
	}
	s->forbidden.n = n;
}

static void read_forbidden(struct dwfile *f)
{
	struct symbols *s = f->symbols;

	if (f->dwfl)
		relocated_addresses(f, "_kprobe_blacklist", forbid_function);
	else
		linked_addresses(f, s->markers[START_BLACKLIST], s->markers[STOP_BLACKLIST],
				 forbid_function);
	if (s->forbidden.n)
		qsort(s->forbidden.v, s->forbidden.n, sizeof(*s->forbidden.v), by_low);
	size_forbidden(f);
	for (int i = FIRST_FORBIDDEN; i < MARKERS; i += 2)
		forbid(f, s->markers[i], s->markers[i + 1]);
	forbid_sections(f);
	merge_forbidden(s);
}

bool is_any_forbidden(struct dwfile *f, uint64_t from, uint64_t to)
{
	struct symbols *s = symbols_of(f);
	size_t low = 0, high;

	if (!s->have_forbidden) {
		s->have_forbidden = true;
		read_forbidden(f);
	}
	for (high = s->forbidden.n; low < high;) {
		size_t mid = (low + high) / 2;

		if (s->forbidden.v[mid].high <= from)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->forbidden.n && s->forbidden.v[low].low < to;
}

bool is_forbidden(struct dwfile *f, uint64_t addr)
{
	return is_any_forbidden(f, addr, addr + 1);
}
