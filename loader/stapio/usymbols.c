// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding names with libdwfl (usymbols.h).  It searches a file's symbols one after the other, so
 * what it found is remembered: a profile meets the same addresses again and again.
 */
#include "usymbols.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/transport.h"

#define FILES 65536u
#define FOUND 16384u		/* addresses remembered */

/* A file; without a module no more is known than its path. */
struct file {
	bool asked;
	char *path;			/* NULL: it could not be opened */
	Dwfl *dwfl;
	Dwfl_Module *module;
};

/* An address that was looked up. */
struct found {
	unsigned int file, behind;
	uint64_t offset;
	char *name;			/* symbol.name; or NULL */
	struct usymbol symbol;
};

struct usymbols {
	int trace;
	struct file files[FILES];
	struct found found[FOUND];
};

/* ---- debug files ---- */

/* Opens DIRECTORY's debug file LINK, in PREFIX if that isn't empty; -1 if there is none. */
static int open_linked(const char *prefix, const char *directory, size_t length,
		       const char *between, const char *link)
{
	char path[4096];

	if ((size_t)snprintf(path, sizeof(path), "%s%.*s%s%s", prefix, (int)length, directory,
			     between, link) >= sizeof(path))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * Finds a file's debug file by build-id, else by its debug link.  libdwfl's own function loads
 * the client of debuginfod, which takes half a second; it is used where that has servers to ask.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	const char *servers = getenv("DEBUGINFOD_URLS");
	int fd;

	if (servers && *servers)
		return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc,
						    found);
	fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);
	if (fd >= 0 || !link || !slash)
		return fd;
	fd = open_linked("", file, slash - file, "/", link);
	if (fd < 0)
		fd = open_linked("", file, slash - file, "/.debug/", link);
	return fd < 0 ? open_linked("/usr/lib/debug", file, slash - file, "/", link) : fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct usymbols *usymbols_new(int trace)
{
	struct usymbols *u = calloc(1, sizeof(*u));

	if (u)
		u->trace = trace;
	return u;
}

void usymbols_free(struct usymbols *u)
{
	if (!u)
		return;
	for (unsigned int i = 0; i < FOUND; i++)
		free(u->found[i].name);
	for (unsigned int i = 0; i < FILES; i++) {
		dwfl_end(u->files[i].dwfl);
		free(u->files[i].path);
	}
	free(u);
}

/* ---- files ---- */

/* The path of an open file, as it was mapped. */
static char *path_of(int fd)
{
	static const char deleted[] = " (deleted)";
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return NULL;
	path[n] = '\0';
	n -= strlen(deleted);
	if (n > 0 && !strcmp(path + n, deleted))
		path[n] = '\0';
	return strdup(path);
}

/* The vdso is the same in all processes: a file with that of ours. */
static int open_vdso(void)
{
	const GElf_Ehdr *eh = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = eh ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	size_t bytes = eh ? eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize : 0;

	if (fd >= 0 && write(fd, eh, bytes) != (ssize_t)bytes) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* The module may still be about to store the file: it is asked a few times. */
static int open_file(struct usymbols *u, unsigned int number)
{
	int fd;

	if (number == ST_FILE_VDSO)
		return open_vdso();
	for (int tries = 0; tries < 3; tries++) {
		fd = ioctl(u->trace, ST_TRACE_OPEN, (unsigned long)number);
		if (fd >= 0 || errno != ENOENT)
			break;
		usleep(100);
	}
	return fd;
}

static void load_file(struct usymbols *u, struct file *f, unsigned int number)
{
	int fd = open_file(u, number);

	f->asked = true;
	if (fd < 0)
		return;
	f->path = number == ST_FILE_VDSO ? strdup("vdso") : path_of(fd);
	f->dwfl = f->path ? dwfl_begin(&callbacks) : NULL;
	if (f->dwfl)
		f->module = dwfl_report_offline(f->dwfl, f->path, f->path, fd);
	if (f->module)
		dwfl_report_end(f->dwfl, NULL, NULL);
	else
		close(fd);
}

/* ---- addresses ---- */

/* Translates an offset in the file to the address that its program headers give it. */
static bool address_of(Elf *elf, uint64_t offset, uint64_t *address)
{
	GElf_Phdr ph;
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD ||
		    offset - ph.p_offset >= ph.p_filesz)
			continue;
		*address = offset - ph.p_offset + ph.p_vaddr;
		return true;
	}
	return false;
}

/* A copy of a symbol's name, demangled, and without "@@GLIBC_2.34". */
static char *readable(const char *name)
{
	char *copy = strndup(name, strcspn(name, "@"));
	char *demangled = copy ? cplus_demangle(copy, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO) : NULL;

	if (!demangled)
		return copy;
	free(copy);
	return demangled;
}

static void find_symbol(struct file *f, struct found *to, uint64_t address)
{
	const char *name;
	GElf_Sym sym;
	GElf_Off offset;

	name = dwfl_module_addrinfo(f->module, address, &offset, &sym, NULL, NULL, NULL);
	if (!name)
		return;
	to->name = readable(name);
	to->symbol.name = to->name;
	to->symbol.offset = offset + to->behind;
	to->symbol.size = sym.st_size;
}

static void look_up(struct usymbols *u, struct found *to)
{
	struct file *f = &u->files[to->file];
	struct usymbol *s = &to->symbol;
	uint64_t address;
	GElf_Addr bias;
	Dwfl_Line *line;

	*s = (struct usymbol){ .in_file = to->offset + to->behind };
	if (to->file && !f->asked)
		load_file(u, f, to->file);
	s->file = f->path;
	if (!f->module || !address_of(dwfl_module_getelf(f->module, &bias), to->offset, &address))
		return;
	s->in_file = address + to->behind;
	find_symbol(f, to, address + bias);
	line = dwfl_module_getsrc(f->module, address + bias);
	if (line)
		s->source = dwfl_lineinfo(line, NULL, &s->line, NULL, NULL, NULL);
}

void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   struct usymbol *out)
{
	uint64_t hash = (offset * 0x9e3779b97f4a7c15u ^ file * 0x9e3779b1u) >> 16;
	struct found *f = &u->found[hash % FOUND];

	file %= FILES;
	if (f->file != file || f->offset != offset || f->behind != behind) {
		free(f->name);
		*f = (struct found){ .file = file, .offset = offset, .behind = behind };
		look_up(u, f);
	}
	*out = f->symbol;
}
