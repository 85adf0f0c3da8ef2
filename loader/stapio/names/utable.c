// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes tables of symbols (utable.h).  The file may be damaged or hostile. */
#define _GNU_SOURCE
#include "utable.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/stap_script.h"
#include "abi/utable.h"
#include "base/limits.h"
#include "binary.h"
#include "plt.h"

/* A growing array of bytes. */
struct bytes {
	char *p;
	size_t n, room;
	bool failed;			/* there was no memory, or too much was added */
};

/* A table that is being made. */
struct making {
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;			/* what libdwfl adds to the file's addresses */
	struct bytes symbols, lines, chars;
	const char *last_source;	/* the file name that was added last, and where */
	u32 last_at;
};

/* Adds N bytes; returns their offset. */
static size_t add(struct bytes *b, const void *p, size_t n)
{
	size_t at = b->n, room = b->room ? b->room : 4096;

	while (room < at + n)
		room *= 2;
	if (room > ST_UTABLE_MOST)
		b->failed = true;
	if (!b->failed && room > b->room) {
		char *bigger = realloc(b->p, room);

		b->failed = !bigger;
		if (bigger) {
			b->p = bigger;
			b->room = room;
		}
	}
	if (b->failed)
		return 0;
	memcpy(b->p + at, p, n);
	b->n += n;
	return at;
}

/* Adds a name and its NUL; returns its offset. */
static u32 add_name(struct bytes *chars, const char *name)
{
	size_t at = add(chars, name, strnlen(name, LIMIT_SHOWN));

	add(chars, "", 1);
	return at;
}

/* Translates an address of the file's code to its offset in the file. */
static bool offset_of(Elf *elf, uint64_t address, u32 *offset)
{
	GElf_Phdr ph;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) ||
		    address - ph.p_vaddr >= ph.p_filesz)
			continue;
		*offset = address - ph.p_vaddr + ph.p_offset;
		return address - ph.p_vaddr + ph.p_offset < UINT32_MAX;
	}
	return false;
}

/* ---- symbols ---- */

/* A symbol and its rank.  Of several symbols at one address, the table gets the one of the highest rank. */
struct candidate {
	struct st_usymbol symbol;
	u32 rank;
};

static void add_symbol(struct making *m, uint64_t address, uint64_t size, const char *name,
		       const char *suffix, u32 rank)
{
	struct candidate c = { .rank = rank, .symbol.size = size > UINT32_MAX ? UINT32_MAX : size };
	char *text;

	if (!offset_of(m->elf, address, &c.symbol.offset))
		return;
	text = shown_name(name, suffix);
	if (!text)
		return;
	c.symbol.name = add_name(&m->chars, text);
	add(&m->symbols, &c, sizeof(c));
	free(text);
}

static u32 rank_of(const GElf_Sym *sym)
{
	int bind = GELF_ST_BIND(sym->st_info);

	return (sym->st_size ? 4 : 0) + (bind == STB_GLOBAL ? 2 : bind == STB_WEAK ? 1 : 0);
}

static void add_symbols(struct making *m)
{
	int n = dwfl_module_getsymtab(m->module);

	for (int i = 1; i < n && !m->symbols.failed && !m->chars.failed; i++) {
		GElf_Addr address;
		GElf_Sym sym;
		const char *name = dwfl_module_getsym_info(m->module, i, &sym, &address, NULL,
							   NULL, NULL);
		int type = GELF_ST_TYPE(sym.st_info);

		if (name && *name && sym.st_shndx != SHN_UNDEF &&
		    (type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC))
			add_symbol(m, address - m->bias, sym.st_size, name, "", rank_of(&sym));
	}
}

static void add_plt(struct making *m, const struct plt *plt)
{
	for (size_t i = 0; i < plt->n && !m->symbols.failed && !m->chars.failed; i++) {
		const struct plt_entry *e = &plt->entries[i];

		add_symbol(m, e->start, e->size, e->name, "@plt", 7);
	}
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->symbol.offset != y->symbol.offset)
		return x->symbol.offset < y->symbol.offset ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return x->symbol.name < y->symbol.name ? -1 : x->symbol.name > y->symbol.name;
}

/* Sorts the symbols and copies one for each address to OUT; returns how many.  A symbol without a size
 * gets the distance to the next one. */
static u32 choose_symbols(struct bytes *b, struct st_usymbol *out)
{
	struct candidate *c = (struct candidate *)b->p;
	size_t n = b->n / sizeof(*c), kept = 0;

	if (n)
		qsort(c, n, sizeof(*c), compare_candidates);
	for (size_t i = 0; i < n; i++)
		if (!i || c[i].symbol.offset != out[kept - 1].offset)
			out[kept++] = c[i].symbol;
	for (size_t i = 0; i + 1 < kept; i++)
		if (!out[i].size)
			out[i].size = out[i + 1].offset - out[i].offset;
	return kept;
}

/* ---- lines ---- */

static u32 source_at(struct making *m, const char *source)
{
	if (source != m->last_source) {
		m->last_at = add_name(&m->chars, source);
		m->last_source = source;
	}
	return m->last_at;
}

static void add_line(struct making *m, Dwarf_Line *line, Dwarf_Addr bias)
{
	struct st_uline row = { .file = ST_UTABLE_NONE };
	const char *source = dwarf_linesrc(line, NULL, NULL);
	Dwarf_Addr address;
	bool end = false;
	int number;

	if (dwarf_lineaddr(line, &address) || dwarf_lineendsequence(line, &end) ||
	    dwarf_lineno(line, &number))
		return;
	address += bias - m->bias;
	/* The address that ends a sequence may lie behind the end of the code, so look up the byte before. */
	if (!offset_of(m->elf, end ? address - 1 : address, &row.offset))
		return;
	row.offset += end;
	row.line = number;
	if (!end && source)
		row.file = source_at(m, source);
	add(&m->lines, &row, sizeof(row));
}

static void add_lines(struct making *m)
{
	Dwarf_Die *cu = NULL;
	Dwarf_Lines *lines;
	Dwarf_Addr bias;
	size_t n;

	while ((cu = dwfl_module_nextcu(m->module, cu, &bias)) && !m->lines.failed && !m->chars.failed) {
		if (dwarf_getsrclines(cu, &lines, &n))
			continue;
		for (size_t i = 0; i < n; i++)
			add_line(m, dwarf_onesrcline(lines, i), bias);
	}
}

/* Sorts by offset; at the same offset, the end of a sequence comes before the beginning of the next. */
static int compare_lines(const void *a, const void *b)
{
	const struct st_uline *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (y->file == ST_UTABLE_NONE) - (x->file == ST_UTABLE_NONE);
}

/* ---- the table ---- */

static bool write_all(int fd, const void *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done <= 0)
			return false;
		p = (const char *)p + done;
		n -= done;
	}
	return true;
}

/* Writes the table from the file's beginning, because a namer that died may have written a part of one. */
static bool write_table(struct making *m, int to)
{
	struct st_usymbol *symbols = malloc(m->symbols.n + 1);
	struct st_utable head = { .magic = ST_UTABLE_MAGIC, .nchars = m->chars.n,
				  .nlines = m->lines.n / sizeof(struct st_uline) };
	bool written;

	if (!symbols || lseek(to, 0, SEEK_SET)) {
		free(symbols);
		return false;
	}
	head.nsymbols = choose_symbols(&m->symbols, symbols);
	if (head.nlines)
		qsort(m->lines.p, head.nlines, sizeof(struct st_uline), compare_lines);
	written = sizeof(head) + head.nsymbols * sizeof(*symbols) + m->lines.n + m->chars.n <=
			  ST_UTABLE_MOST &&
		  write_all(to, &head, sizeof(head)) &&
		  write_all(to, symbols, head.nsymbols * sizeof(*symbols)) &&
		  write_all(to, m->lines.p, m->lines.n) &&
		  write_all(to, m->chars.p, m->chars.n);
	free(symbols);
	return written;
}

bool utable_write(Dwfl_Module *module, const struct plt *plt, unsigned int asks, int to)
{
	struct making m = { .module = module };
	bool written = false;

	m.elf = dwfl_module_getelf(module, &m.bias);
	if (!m.elf)
		return false;
	if (asks & ST_ASKS_SYMBOLS) {
		add_symbols(&m);
		add_plt(&m, plt);
	}
	if (asks & ST_ASKS_LINES)
		add_lines(&m);
	if (m.chars.n && !m.symbols.failed && !m.lines.failed && !m.chars.failed)
		written = write_table(&m, to);
	free(m.symbols.p);
	free(m.lines.p);
	free(m.chars.p);
	return written;
}
