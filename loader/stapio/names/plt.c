// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds PLT entries (plt.h).  The file may be damaged or hostile.  A thousand sections of it may overlap,
 * so LIMIT_PLT bounds the work for all sections together.
 */
#include "plt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arch/plt.h"
#include "base/limits.h"

#define ENTRY_MOST 16u		/* bytes of an entry */
#define ENTRY_LEAST 8u

/* A GOT word, and the symbol whose address the dynamic linker writes to it. */
struct word {
	uint64_t address;
	size_t number;			/* its relocation's in the file; the first for an address counts */
	const char *name;
};

struct words {
	struct word *p;
	size_t n, room, seen;
};

/* ---- relocations ---- */

static bool has_room(void **p, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 256;
	void *bigger;

	if (n < *room)
		return true;
	bigger = realloc(*p, more * size);
	if (!bigger)
		return false;
	*p = bigger;
	*room = more;
	return true;
}

static void add_words(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct words *w)
{
	Elf_Scn *symbols = elf_getscn(elf, sh->sh_link);
	Elf_Data *d = elf_getdata(scn, NULL), *table = symbols ? elf_getdata(symbols, NULL) : NULL;
	size_t n = d && sh->sh_entsize ? d->d_size / sh->sh_entsize : 0;
	GElf_Shdr strings;
	GElf_Rela rela;
	GElf_Sym sym;

	if (!table || !gelf_getshdr(symbols, &strings))
		return;
	for (size_t i = 0; i < n && w->seen < LIMIT_PLT; i++, w->seen++) {
		const char *name;

		if (!gelf_getrela(d, i, &rela) || !GELF_R_SYM(rela.r_info) ||
		    !gelf_getsym(table, GELF_R_SYM(rela.r_info), &sym))
			continue;
		name = elf_strptr(elf, strings.sh_link, sym.st_name);
		if (name && *name && has_room((void **)&w->p, w->n, &w->room, sizeof(*w->p))) {
			w->p[w->n] = (struct word){ rela.r_offset, w->n, name };
			w->n++;
		}
	}
}

static int compare_words(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void read_words(Elf *elf, struct words *w)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)) && w->seen < LIMIT_PLT)
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_flags & SHF_ALLOC)
			add_words(elf, scn, &sh, w);
	if (w->n)
		qsort(w->p, w->n, sizeof(*w->p), compare_words);
}

static const char *name_of(const struct words *w, uint64_t address)
{
	size_t low = 0, high = w->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (w->p[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->n && w->p[low].address == address ? w->p[low].name : NULL;
}

/* ---- entries ---- */

static bool has_entries(Elf *elf, const GElf_Shdr *sh)
{
	const char *name;
	size_t names;

	if (sh->sh_type != SHT_PROGBITS || elf_getshdrstrndx(elf, &names))
		return false;
	name = elf_strptr(elf, names, sh->sh_name);
	return name && (!strcmp(name, ".plt") || !strcmp(name, ".plt.sec") ||
			!strcmp(name, ".plt.got"));
}

static void add_entries(Elf_Scn *scn, const GElf_Shdr *sh, const struct words *w, struct plt *out,
			size_t *room, size_t *seen)
{
	bool small = sh->sh_entsize >= ENTRY_LEAST && sh->sh_entsize < ENTRY_MOST;
	size_t size = small ? sh->sh_entsize : ENTRY_MOST;
	Elf_Data *d = elf_rawdata(scn, NULL);

	if (!d || !d->d_buf)
		return;
	for (size_t i = 0; i + size <= d->d_size && *seen < LIMIT_PLT; i += size, ++*seen) {
		struct plt_entry e = { .start = sh->sh_addr + i, .size = size };
		uint64_t word = plt_slot_x86_64((const unsigned char *)d->d_buf + i, size, e.start);

		e.name = word ? name_of(w, word) : NULL;
		if (e.name && has_room((void **)&out->entries, out->n, room, sizeof(e)))
			out->entries[out->n++] = e;
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct plt_entry *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void plt_read(Elf *elf, struct plt *out)
{
	struct words words = { 0 };
	size_t room = 0, seen = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	read_words(elf, &words);
	while (words.n && (scn = elf_nextscn(elf, scn)) && seen < LIMIT_PLT)
		if (gelf_getshdr(scn, &sh) && has_entries(elf, &sh))
			add_entries(scn, &sh, &words, out, &room, &seen);
	if (out->n)
		qsort(out->entries, out->n, sizeof(*out->entries), compare_entries);
	free(words.p);
}

const struct plt_entry *plt_find(const struct plt *p, uint64_t address)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (p->entries[middle].start + p->entries[middle].size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->n && address >= p->entries[low].start ? &p->entries[low] : NULL;
}
