// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tracepoints in an ELF file.  A tracepoint NAME is an object
 * __tracepoint_NAME.  Most have a trace event, an object event_NAME (struct
 * trace_event_call), which tells the tracepoint's system: its third word points
 * to the event's class, whose first word points to the system's name.  In a
 * linked file these pointers are in the data, in a relocatable one in the
 * relocations.
 */
#include "events.h"

#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/dwarf/dwread.h"

#define TRACEPOINT_PREFIX "__tracepoint_"
#define EVENT_PREFIX "event_"

/* The word of an event that points to its class. */
#define CLASS_WORD 2

/* A position in a section's contents. */
struct spot {
	size_t section;
	uint64_t offset;
};

/* An event's name, and its object. */
struct named_spot {
	const char *name;
	struct spot spot;
};

typedef vec(struct named_spot) spot_list;

struct reader {
	Elf *elf;
	bool relocatable;
	unsigned word;
	Elf_Data *symbols;
	size_t nsymbols;
	const char *strings;
	size_t strings_size;
	spot_list events;		/* sorted by name */
};

static bool find_symbols(struct reader *r)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(r->elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *strings;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB || !sh.sh_entsize)
			continue;
		strings = elf_getdata(elf_getscn(r->elf, sh.sh_link), NULL);
		r->symbols = elf_getdata(scn, NULL);
		if (!r->symbols || !strings || !strings->d_buf || !strings->d_size)
			return false;
		r->strings = strings->d_buf;
		r->strings_size = strings->d_size;
		r->nsymbols = r->symbols->d_size / sh.sh_entsize;
		return !r->strings[r->strings_size - 1];
	}
	return false;
}

/* ---- pointers ----------------------------------------------------------- */

/* Returns a section's contents from a position on; empty and bad if outside. */
static struct cursor data_at(const struct reader *r, struct spot at)
{
	Elf_Scn *scn = elf_getscn(r->elf, at.section);
	Elf_Data *d = scn ? elf_rawdata(scn, NULL) : NULL;
	const unsigned char *p = d ? d->d_buf : NULL;

	if (!p || at.offset >= d->d_size)
		return (struct cursor){ .bad = true };
	return (struct cursor){ p + at.offset, p + d->d_size, false };
}

static bool spot_of_address(const struct reader *r, uint64_t addr, struct spot *out)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(r->elf, scn))) {
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_ALLOC) && sh.sh_addr &&
		    addr - sh.sh_addr < sh.sh_size) {
			*out = (struct spot){ elf_ndxscn(scn), addr - sh.sh_addr };
			return true;
		}
	}
	return false;
}

/* Finds a symbol's object.  Returns false if it is not in this file. */
static bool spot_of_symbol(const struct reader *r, const GElf_Sym *sym, struct spot *out)
{
	GElf_Shdr sh;
	Elf_Scn *scn;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	*out = (struct spot){ sym->st_shndx, sym->st_value };
	if (r->relocatable)
		return true;
	scn = elf_getscn(r->elf, sym->st_shndx);
	if (!scn || !gelf_getshdr(scn, &sh))
		return false;
	out->offset -= sh.sh_addr;
	return true;
}

static bool relocated_by(const struct reader *r, Elf_Data *relocations, size_t entsize,
			 uint64_t offset, struct spot *out)
{
	for (size_t i = 0; i < relocations->d_size / entsize; i++) {
		GElf_Rela rela;
		GElf_Sym sym;

		if (!gelf_getrela(relocations, i, &rela) || rela.r_offset != offset)
			continue;
		if (!gelf_getsym(r->symbols, GELF_R_SYM(rela.r_info), &sym) ||
		    !spot_of_symbol(r, &sym, out))
			return false;
		out->offset += rela.r_addend;
		return true;
	}
	return false;
}

static bool relocated_pointer(const struct reader *r, struct spot at, struct spot *out)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(r->elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *d;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA || sh.sh_info != at.section ||
		    !sh.sh_entsize)
			continue;
		d = elf_getdata(scn, NULL);
		if (d && relocated_by(r, d, sh.sh_entsize, at.offset, out))
			return true;
	}
	return false;
}

static bool pointer_at(const struct reader *r, struct spot at, struct spot *out)
{
	struct cursor c;
	uint64_t addr;

	if (r->relocatable)
		return relocated_pointer(r, at, out);
	c = data_at(r, at);
	addr = cur_u(&c, r->word);
	return !c.bad && spot_of_address(r, addr, out);
}

/* ---- systems ------------------------------------------------------------ */

/*
 * Returns the string at a position, or NULL if its characters can't be in a system's name;
 * then the structure was no event.
 */
static const char *system_name_at(const struct reader *r, struct spot at)
{
	struct cursor c = data_at(r, at);
	const char *name = c.bad ? NULL : cur_string(&c);

	if (!name || !*name)
		return NULL;
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-.", *p))
			return NULL;
	return arena_strdup(name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named_spot *)a)->name, ((const struct named_spot *)b)->name);
}

static const char *system_of(const struct reader *r, const char *name)
{
	struct named_spot key = { .name = name };
	const struct named_spot *e = NULL;
	struct spot at;

	if (r->events.n)
		e = bsearch(&key, r->events.v, r->events.n, sizeof(key), by_name);
	if (!e)
		return NULL;
	at = e->spot;
	at.offset += CLASS_WORD * r->word;
	return pointer_at(r, at, &at) && pointer_at(r, at, &at) ? system_name_at(r, at) : NULL;
}

/* ---- symbols ------------------------------------------------------------ */

static const char *after_prefix(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) ? NULL : name + n;
}

static void read_symbols(struct reader *r, event_list *out)
{
	for (size_t i = 0; i < r->nsymbols; i++) {
		const char *symbol, *point, *event;
		GElf_Sym sym;
		struct spot at;

		if (!gelf_getsym(r->symbols, i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_OBJECT ||
		    sym.st_name >= r->strings_size)
			continue;
		symbol = r->strings + sym.st_name;
		point = after_prefix(symbol, TRACEPOINT_PREFIX);
		event = after_prefix(symbol, EVENT_PREFIX);
		if ((!point && !event) || !spot_of_symbol(r, &sym, &at))
			continue;
		if (point)
			vec_push(out, (struct event){ .name = arena_strdup(point) });
		else
			vec_push(&r->events, ((struct named_spot){ event, at }));
	}
}

void events_read(Elf *elf, event_list *out)
{
	struct reader r = { .elf = elf };
	size_t first = out->n;
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh) || !find_symbols(&r))
		return;
	r.relocatable = eh.e_type == ET_REL;
	r.word = eh.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	read_symbols(&r, out);
	if (r.events.n)
		qsort(r.events.v, r.events.n, sizeof(*r.events.v), by_name);
	for (size_t i = first; i < out->n; i++)
		out->v[i].system = system_of(&r, out->v[i].name);
}
