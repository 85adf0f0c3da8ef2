// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads files with libdwfl (binary.h). */
#define _GNU_SOURCE
#include "binary.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/printable.h"
#include "plt.h"
#include "utable.h"

struct binary {
	Dwfl *dwfl;
	Dwfl_Module *module;
	debug_file_open open;
	bool has_plt;			/* plt was read */
	struct plt plt;
};

/* ---- debug files ---- */

/*
 * Opens the debug file by build-id, else by its debug link, else on debuginfod servers.  libdwfl also calls
 * this for the file that dwz shares between debug files; the build-id is then the shared file's.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const struct binary *b = *data;
	const unsigned char *id;
	GElf_Addr address;
	int n = dwfl_module_build_id(module, &id, &address), fd = -1;

	(void)name, (void)base, (void)file, (void)crc;
	if (n > 0)
		fd = b->open(DEBUG_BUILD_ID, id, n);
	if (fd < 0 && link)
		fd = b->open(DEBUG_LINK, link, strnlen(link, LIMIT_SHOWN));
	if (fd < 0 && n > 0)
		fd = b->open(DEBUG_SERVERS, id, n);
	if (fd >= 0)
		*found = strdup("debug file");
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* ---- a file ---- */

struct binary *binary_open(int fd, debug_file_open open)
{
	struct binary *b = calloc(1, sizeof(*b));
	void **data;

	if (b) {
		b->open = open;
		b->dwfl = dwfl_begin(&callbacks);
	}
	if (b && b->dwfl)
		b->module = dwfl_report_offline(b->dwfl, "file", "file", fd);
	if (b && b->module) {
		dwfl_module_info(b->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = b;
		dwfl_report_end(b->dwfl, NULL, NULL);
		return b;
	}
	close(fd);
	binary_close(b);
	return NULL;
}

void binary_close(struct binary *b)
{
	if (!b)
		return;
	dwfl_end(b->dwfl);
	free(b->plt.entries);
	free(b);
}

static const struct plt *plt_of(struct binary *b, Elf *elf)
{
	if (!b->has_plt)
		plt_read(elf, &b->plt);
	b->has_plt = true;
	return &b->plt;
}

/* ---- names ---- */

static char *shown(const char *text, const char *suffix)
{
	char *copy = printable(text, strnlen(text, LIMIT_SHOWN), ""), *whole = NULL;

	if (copy && asprintf(&whole, "%.*s%s", LIMIT_SHOWN, copy, suffix) < 0)
		whole = NULL;
	free(copy);
	return whole;
}

char *shown_name(const char *name, const char *suffix)
{
	size_t n = strnlen(name, LIMIT_SYMBOL + 1);
	char *symbol = strndup(name, n > LIMIT_SYMBOL ? n : strcspn(name, "@"));
	char *demangled = symbol && n <= LIMIT_SYMBOL ?
			  cplus_demangle(symbol, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO) : NULL;
	char *text = symbol ? shown(demangled ? demangled : symbol, suffix) : NULL;

	free(demangled);
	free(symbol);
	return text;
}

/* Translates an offset in the file to its address, by the program headers. */
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

/* Finds the symbol at OUT->in_file.  BIAS is what libdwfl adds to the file's own addresses. */
static void find_symbol(struct binary *b, Elf *elf, GElf_Addr bias, struct binary_names *out)
{
	const struct plt_entry *entry = plt_find(plt_of(b, elf), out->in_file);
	const char *name;
	GElf_Sym sym;
	GElf_Off offset;

	if (entry) {
		out->name = shown_name(entry->name, "@plt");
		out->offset = out->in_file - entry->start;
		out->size = entry->size;
		return;
	}
	name = dwfl_module_addrinfo(b->module, out->in_file + bias, &offset, &sym, NULL, NULL, NULL);
	if (!name)
		return;
	out->name = shown_name(name, "");
	out->offset = offset;
	out->size = sym.st_size;
}

static void find_lines(struct binary *b, Dwarf_Addr address, struct binary_names *out)
{
	out->nplaces = inlined_find(b->module, address, out->places);
	for (unsigned int i = 0; i < out->nplaces; i++) {
		struct place *p = &out->places[i];

		if (p->function)
			p->function = shown_name(p->function, "");
		p->source = shown(p->source, "");
	}
}

bool binary_find(struct binary *b, uint64_t offset, bool lines, struct binary_names *out)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(b->module, &bias);

	*out = (struct binary_names){ 0 };
	if (!address_of(elf, offset, &out->in_file))
		return false;
	find_symbol(b, elf, bias, out);
	if (lines)
		find_lines(b, out->in_file + bias, out);
	return true;
}

void binary_names_free(struct binary_names *n)
{
	for (unsigned int i = 0; i < n->nplaces; i++) {
		free((char *)n->places[i].function);
		free((char *)n->places[i].source);
	}
	free(n->name);
}

bool binary_table(struct binary *b, unsigned int asks, int to)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(b->module, &bias);

	return elf && utable_write(b->module, plt_of(b, elf), asks, to);
}
