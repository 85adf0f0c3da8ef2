// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds entries of procedure linkage tables (plt.h).  The file may be damaged or hostile. */
#include "plt.h"

#include <string.h>

#include "arch/plt.h"

#define ENTRY_MOST 16u		/* bytes of an entry */

bool plt_section(Elf *elf, const GElf_Shdr *sh)
{
	const char *name;
	size_t names;

	if (sh->sh_type != SHT_PROGBITS || elf_getshdrstrndx(elf, &names))
		return false;
	name = elf_strptr(elf, names, sh->sh_name);
	return name && (!strcmp(name, ".plt") || !strcmp(name, ".plt.sec") ||
			!strcmp(name, ".plt.got"));
}

/* Looks in one section of relocations for a word's symbol; NULL if it isn't there. */
static const char *relocated(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, uint64_t word)
{
	Elf_Scn *symbols = elf_getscn(elf, sh->sh_link);
	Elf_Data *d = elf_getdata(scn, NULL), *table = symbols ? elf_getdata(symbols, NULL) : NULL;
	size_t n = d && sh->sh_entsize ? d->d_size / sh->sh_entsize : 0;
	GElf_Shdr strings;
	GElf_Rela rela;
	GElf_Sym sym;

	if (!table || !gelf_getshdr(symbols, &strings))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name;

		if (!gelf_getrela(d, i, &rela) || rela.r_offset != word ||
		    !GELF_R_SYM(rela.r_info) ||
		    !gelf_getsym(table, GELF_R_SYM(rela.r_info), &sym))
			continue;
		name = elf_strptr(elf, strings.sh_link, sym.st_name);
		return name && *name ? name : NULL;
	}
	return NULL;
}

static const char *symbol_of(Elf *elf, uint64_t word)
{
	const char *name = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (!name && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_flags & SHF_ALLOC)
			name = relocated(elf, scn, &sh, word);
	return name;
}

static bool find_in_section(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, uint64_t address,
			    struct plt_entry *out)
{
	uint64_t size = sh->sh_entsize && sh->sh_entsize < ENTRY_MOST ? sh->sh_entsize : ENTRY_MOST;
	uint64_t at = (address - sh->sh_addr) / size * size, word;
	Elf_Data *d = elf_rawdata(scn, NULL);

	if (!d || !d->d_buf || at + size > d->d_size)
		return false;
	*out = (struct plt_entry){ .start = sh->sh_addr + at, .size = size };
	word = plt_slot_x86_64((const unsigned char *)d->d_buf + at, size, out->start);
	out->name = word ? symbol_of(elf, word) : NULL;
	return out->name;
}

bool plt_find(Elf *elf, uint64_t address, struct plt_entry *out)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && address - sh.sh_addr < sh.sh_size &&
		    plt_section(elf, &sh))
			return find_in_section(elf, scn, &sh, address, out);
	return false;
}
