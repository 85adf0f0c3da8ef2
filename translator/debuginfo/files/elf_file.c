// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens programs' ELF files, and answers from their headers. */
#include "elf_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/regular.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_DATA ELFDATA2LSB
#else
#define HOST_DATA ELFDATA2MSB
#endif

/* ---- opening ----------------------------------------------------------- */

/* Is it a linked file for ARCH?  Fills in OUT. */
static bool check_header(const struct arch *arch, struct elf_file *out, struct problem *why)
{
	GElf_Ehdr eh;
	size_t size;

	if (elf_kind(out->elf) != ELF_K_ELF || !gelf_getehdr(out->elf, &eh) ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)) {
		why->text = arena_printf("'%s' is not a program or library", out->path);
		return false;
	}
	if (eh.e_ident[EI_DATA] != HOST_DATA ||
	    (eh.e_machine != arch->elf_machine &&
	     (!arch->elf_machine32 || eh.e_machine != arch->elf_machine32))) {
		why->text = arena_printf("'%s' is not for architecture %s", out->path, arch->name);
		return false;
	}
	out->word = eh.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	out->is_relocated = eh.e_type == ET_DYN;
	out->left = elf_rawfile(out->elf, &size) ? size : 0;
	return true;
}

bool elf_file_open(const char *path, const struct arch *arch, struct elf_file *out,
		   struct problem *why)
{
	*out = (struct elf_file){ .path = path };
	guard_reading(path);
	elf_version(EV_CURRENT);
	out->fd = regular_open(path);
	if (out->fd < 0 && errno != EINVAL) {
		why->text = arena_printf("cannot open '%s': %s", path, strerror(errno));
		elf_file_close(out);
		return false;
	}
	if (out->fd >= 0)
		out->elf = elf_begin(out->fd, ELF_C_READ_MMAP, NULL);
	if (check_header(arch, out, why))
		return true;
	elf_file_close(out);
	return false;
}

void elf_file_close(struct elf_file *f)
{
	if (f->elf)
		elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	f->elf = NULL;
	f->fd = -1;
}

bool elf_file_take(struct elf_file *f, const GElf_Shdr *sh)
{
	if (sh->sh_size > f->left)
		return false;
	f->left -= sh->sh_size;
	return true;
}

/* ---- addresses and sections -------------------------------------------- */

bool elf_file_offset(const struct elf_file *f, uint64_t address, unsigned n, unsigned flags,
		     uint64_t *offset)
{
	size_t count;

	if (elf_getphdrnum(f->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(f->elf, i, &ph) || ph.p_type != PT_LOAD ||
		    (ph.p_flags & flags) != flags || ph.p_filesz < n ||
		    address - ph.p_vaddr > ph.p_filesz - n)
			continue;
		*offset = ph.p_offset + (address - ph.p_vaddr);
		return *offset <= INT64_MAX;
	}
	return false;
}

Elf_Scn *elf_file_section(const struct elf_file *f, const char *name, Elf_Scn *after,
			  GElf_Shdr *out)
{
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return NULL;
	while ((after = elf_nextscn(f->elf, after))) {
		const char *own;

		if (!gelf_getshdr(after, out))
			continue;
		own = elf_strptr(f->elf, names, out->sh_name);
		if (own && !strcmp(own, name))
			return after;
	}
	return NULL;
}

/* ---- symbols ----------------------------------------------------------- */

/* Is it NAME, or a version of it: "stderr@GLIBC_2.2.5"? */
static bool is_named(const char *symbol, const char *name, size_t len)
{
	return symbol && !strncmp(symbol, name, len) && (!symbol[len] || symbol[len] == '@');
}

/* Returns how many different addresses the table has for NAME; *OUT is one of them. */
static unsigned find_in(const struct elf_file *f, Elf_Scn *table, const GElf_Shdr *sh,
			const char *name, GElf_Sym *out)
{
	Elf_Data *d = elf_getdata(table, NULL);
	size_t n = d && sh->sh_entsize ? d->d_size / sh->sh_entsize : 0, len = strlen(name);
	unsigned found = 0;

	for (size_t i = 1; i < n && found < 2; i++) {
		GElf_Sym sym;

		if (!gelf_getsym(d, i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(sym.st_info) == STT_FILE ||
		    !is_named(elf_strptr(f->elf, sh->sh_link, sym.st_name), name, len))
			continue;
		if (!found || sym.st_value != out->st_value)
			found++;
		*out = sym;
	}
	return found;
}

bool elf_file_symbol(const struct elf_file *f, const char *name, GElf_Sym *out,
		     struct problem *why)
{
	static const char *const tables[] = { ".symtab", ".dynsym" };

	for (size_t i = 0; i < 2; i++) {
		GElf_Shdr sh;
		Elf_Scn *table = elf_file_section(f, tables[i], NULL, &sh);
		unsigned found = table ? find_in(f, table, &sh, name, out) : 0;

		if (found > 1)
			why->text = arena_printf("'%s' has several symbols '%s'", f->path, name);
		if (found)
			return found == 1;
	}
	why->text = arena_printf("'%s' has no symbol '%s'", f->path, name);
	return false;
}
