// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the debug sections of an ELF file, and decompresses them. */
#include <string.h>

#include "debuginfo/internal.h"

static struct dwsect *sect_named(struct dwsects *s, const char *name, size_t len)
{
	const struct { const char *name; struct dwsect *sect; } table[] = {
		{ "debug_info", &s->info },
		{ "debug_abbrev", &s->abbrev },
		{ "debug_str", &s->str },
		{ "debug_line_str", &s->line_str },
		{ "debug_line", &s->line },
		{ "debug_str_offsets", &s->str_offsets },
		{ "debug_addr", &s->addr },
		{ "debug_ranges", &s->ranges },
		{ "debug_rnglists", &s->rnglists },
		{ "debug_loc", &s->loc },
		{ "debug_loclists", &s->loclists },
		{ "debug_aranges", &s->aranges },
		{ "debug_frame", &s->frame },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
			return table[i].sect;
	return NULL;
}

void dwsects_read(Elf *elf, const char *suffix, struct dwsects *out)
{
	size_t names, tail = strlen(suffix);
	Elf_Scn *scn = NULL;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		struct dwsect *s;
		const char *name;
		Elf_Data *d;
		GElf_Shdr sh;
		size_t len;
		bool old;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS ||
		    (sh.sh_flags & SHF_ALLOC) || !(name = elf_strptr(elf, names, sh.sh_name)))
			continue;
		old = strncmp(name, ".zdebug_", 8) == 0;
		len = strlen(name) - old;
		if (len < tail || strcmp(name + old + len - tail, suffix))
			continue;
		s = sect_named(out, name + 1 + old, len - 1 - tail);
		if (!s || ((sh.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0))
			continue;
		if (old)
			elf_compress_gnu(scn, 0, 0);	/* fails if libdw has done it */
		d = elf_getdata(scn, NULL);
		if (d && d->d_buf)
			*s = (struct dwsect){ d->d_buf, d->d_size };
	}
}
