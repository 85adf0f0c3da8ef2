// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads procedure linkage tables. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/files/elf_file.h"
#include "debuginfo/internal.h"

/* Entries begin at multiples of this many bytes; longer ones have 16. */
#define ALIGNMENT 8
#define ENTRY_SIZE 16

/* A word that the dynamic linker sets to a symbol's address. */
struct slot {
	uint64_t address;
	const char *name;
};

struct reader {
	struct elf_file file;
	const struct arch *arch;
	vec(struct slot) slots;		/* by address */
	plt_list *out;
};

/* ---- slots ------------------------------------------------------------- */

static void read_relocations(struct reader *r, Elf_Scn *scn, const GElf_Shdr *sh)
{
	GElf_Shdr table, *symbols = gelf_getshdr(elf_getscn(r->file.elf, sh->sh_link), &table);
	Elf_Data *names = symbols ? elf_getdata(elf_getscn(r->file.elf, sh->sh_link), NULL) : NULL;
	Elf_Data *d = elf_getdata(scn, NULL);
	size_t n = d && sh->sh_entsize ? d->d_size / sh->sh_entsize : 0;

	for (size_t i = 0; names && i < n; i++) {
		const char *name;
		GElf_Rela rela;
		GElf_Sym sym;

		if (!gelf_getrela(d, i, &rela) || !GELF_R_SYM(rela.r_info) ||
		    !gelf_getsym(names, GELF_R_SYM(rela.r_info), &sym))
			continue;
		name = elf_strptr(r->file.elf, table.sh_link, sym.st_name);
		if (name && *name)
			vec_push(&r->slots, ((struct slot){ rela.r_offset, name }));
	}
}

static int compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* ---- entries ----------------------------------------------------------- */

static void add_entry(struct reader *r, const unsigned char *code, size_t n, uint64_t address)
{
	struct slot key = { .address = r->arch->plt_slot(code, n, address) };
	struct plt_entry e = { .addr = address };
	const struct slot *s;

	if (!key.address)
		return;
	s = bsearch(&key, r->slots.v, r->slots.n, sizeof(key), compare_slots);
	if (!s || !elf_file_offset(&r->file, address, 1, PF_X, &e.offset))
		return;
	e.name = intern(s->name);
	vec_push(r->out, e);
}

static void read_entries(struct reader *r, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_rawdata(scn, NULL);
	const unsigned char *code = d ? d->d_buf : NULL;

	for (size_t at = 0; code && at < d->d_size; at += ALIGNMENT) {
		size_t left = d->d_size - at;

		add_entry(r, code + at, left < ENTRY_SIZE ? left : ENTRY_SIZE, sh->sh_addr + at);
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct plt_entry *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void read_all(struct reader *r)
{
	static const char *const tables[] = { ".plt", ".plt.sec", ".plt.got" };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(r->file.elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA &&
		    (sh.sh_flags & SHF_ALLOC) && elf_file_take(&r->file, &sh))
			read_relocations(r, scn, &sh);
	if (!r->slots.n)
		return;
	qsort(r->slots.v, r->slots.n, sizeof(*r->slots.v), compare_slots);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (scn = NULL; (scn = elf_file_section(&r->file, tables[i], scn, &sh));)
			if (sh.sh_type == SHT_PROGBITS && elf_file_take(&r->file, &sh))
				read_entries(r, scn, &sh);
}

bool target_plt(struct target *t, const char *path, plt_list *out, struct problem *why)
{
	struct reader r = { .arch = t->arch, .out = out };
	size_t first = out->n;

	if (!elf_file_open(path, t->arch, &r.file, why))
		return false;
	read_all(&r);
	elf_file_close(&r.file);
	if (out->n > first)
		qsort(out->v + first, out->n - first, sizeof(*out->v), compare_entries);
	return true;
}
