// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes an ELF file in memory, so that libdw can read DWARF that stap
 * generated.
 */
#include "elf_write.h"

#include <string.h>

static void align(struct sbuf *out)
{
	static const char zero[8];

	sbuf_add(out, zero, -out->len % 8);
}

static void write_header(struct sbuf *out, const struct arch *arch, uint64_t headers, size_t n)
{
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = arch->elf_machine, .e_version = EV_CURRENT,
		.e_shoff = headers, .e_ehsize = sizeof(eh), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = n, .e_shstrndx = n - 1,
	};

	memcpy(out->s, &eh, sizeof(eh));
}

static void write_section(struct sbuf *headers, const struct elf_section *s, uint32_t name,
			  uint64_t at)
{
	Elf64_Shdr sh = s->sh;

	sh.sh_name = name;
	sh.sh_offset = at;
	if (!sh.sh_type)
		sh.sh_type = SHT_PROGBITS;
	if (!sh.sh_addralign)
		sh.sh_addralign = 1;
	if (s->data)
		sh.sh_size = s->data->len;
	sbuf_add(headers, (const char *)&sh, sizeof(sh));
}

void elf_write(const struct arch *arch, const struct elf_section *v, size_t n, struct sbuf *out)
{
	static const Elf64_Shdr none;
	static const Elf64_Ehdr room;
	struct sbuf names = { 0 }, headers = { 0 };
	const struct elf_section last = { ".shstrtab", &names, { .sh_type = SHT_STRTAB } };

	sbuf_add(&names, "", 1);
	sbuf_add(&headers, (const char *)&none, sizeof(none));
	sbuf_add(out, (const char *)&room, sizeof(room));
	for (size_t i = 0; i <= n; i++) {
		const struct elf_section *s = i < n ? &v[i] : &last;
		uint32_t name = names.len;
		uint64_t at;

		sbuf_add(&names, s->name, strlen(s->name) + 1);
		align(out);
		at = out->len;
		if (s->data)
			sbuf_add(out, sbuf_str(s->data), s->data->len);
		write_section(&headers, s, name, at);
	}
	align(out);
	write_header(out, arch, out->len, n + 2);
	sbuf_add(out, headers.s, headers.len);
	sbuf_free(&names);
	sbuf_free(&headers);
}
