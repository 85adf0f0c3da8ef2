// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Object files: imported symbols, sections, and the module's name.
 *
 * The kit's module has a name of the maximum length.  A module's name is in two
 * places: in struct module (section .gnu.linkonce.this_module) and in .modinfo
 * ("name=…").  A new name is written over both and padded with zeroes, so no
 * section changes size or moves.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* ---- undefined symbols ---- */

typedef vec(const char *) names;

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void undefined_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, names *to)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 1; i < n; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, i, &sym) || sym.st_shndx != SHN_UNDEF)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && *name)
			vec_push(to, name);
	}
}

static int read_undefined(Elf *elf, struct sbuf *out)
{
	names list = {};

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return -1;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			undefined_in(elf, scn, &sh, &list);
	}
	if (list.n)
		qsort(list.v, list.n, sizeof(*list.v), by_name);
	for (size_t i = 0; i < list.n; i++)
		sbuf_printf(out, "%s\n", list.v[i]);
	return 0;
}

static Elf *open_elf(int fd)
{
	elf_version(EV_CURRENT);
	return elf_begin(fd, ELF_C_READ, NULL);
}

int elf_undefined(const char *path, struct sbuf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	Elf *elf = open_elf(fd);
	int failed = read_undefined(elf, out);

	elf_end(elf);
	close(fd);
	return failed;
}

/* ---- a section's contents ---- */

static int read_section(Elf *elf, const char *name, struct sbuf *out)
{
	size_t names_section;

	if (!elf || elf_getshdrstrndx(elf, &names_section))
		return -1;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		const char *own;
		Elf_Data *data;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh))
			continue;
		own = elf_strptr(elf, names_section, sh.sh_name);
		data = own && !strcmp(own, name) ? elf_rawdata(scn, NULL) : NULL;
		if (data && data->d_buf) {
			sbuf_add(out, data->d_buf, data->d_size);
			return 0;
		}
	}
	return -1;
}

int elf_section(const char *path, const char *name, struct sbuf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	Elf *elf = open_elf(fd);
	int failed = read_section(elf, name, out);

	elf_end(elf);
	close(fd);
	return failed;
}

/* ---- the module's name ---- */

/* Overwrites the LEN bytes of the old name at file offset AT. */
static int overwrite(int fd, off_t at, const char *name, size_t len)
{
	char bytes[sizeof(KIT_NAME)] = {};

	memcpy(bytes, name, strlen(name));
	return pwrite(fd, bytes, len, at) == (ssize_t)len ? 0 : -1;
}

/*
 * Replaces the old name where PREFIX stands before it in a section.  Returns
 * how often.
 */
static int rename_in_section(int fd, Elf_Scn *scn, const GElf_Shdr *sh, const char *prefix,
			     const char *old, const char *name)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	size_t plen = strlen(prefix), size = strlen(old) + 1, len = plen + size;
	int n = 0;

	for (size_t i = 0; data && data->d_buf && i + len <= data->d_size; i++) {
		const char *p = (const char *)data->d_buf + i;

		if (memcmp(p, prefix, plen) || memcmp(p + plen, old, size))
			continue;
		if (overwrite(fd, sh->sh_offset + i + plen, name, size - 1))
			return -1;
		n++;
	}
	return n;
}

static int rename_module(int fd, Elf *elf, const char *old, const char *name)
{
	size_t names_section;
	int in_module = 0, in_info = 0;

	if (!elf || elf_getshdrstrndx(elf, &names_section))
		return -1;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr sh;
		const char *section;

		if (!gelf_getshdr(scn, &sh))
			return -1;
		section = elf_strptr(elf, names_section, sh.sh_name);
		if (section && !strcmp(section, ".gnu.linkonce.this_module"))
			in_module += rename_in_section(fd, scn, &sh, "", old, name);
		else if (section && !strcmp(section, ".modinfo"))
			in_info += rename_in_section(fd, scn, &sh, "name=", old, name);
	}
	return in_module == 1 && in_info == 1 ? 0 : -1;
}

int elf_rename(const char *path, const char *old, const char *name)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -1;
	Elf *elf = strlen(name) <= strlen(old) && strlen(old) < sizeof(KIT_NAME) ? open_elf(fd) : NULL;
	int failed = rename_module(fd, elf, old, name);

	elf_end(elf);
	close(fd);
	return failed;
}
