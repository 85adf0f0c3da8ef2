// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Joins dwz's common file (.gnu_debugaltlink).
 *
 * dwz moves descriptions and strings that several files share, types above all,
 * to a common file, as partial units.  The section names that file and its
 * build-id.  A file of that name with another build-id would give wrong answers
 * to everything, so it is refused.
 */
#include <string.h>
#include <unistd.h>
#include <elfutils/libdwelf.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/sbuf.h"
#include "debuginfo/files/debugfiles.h"
#include "parts.h"

struct link {
	const char *name;
	const void *id;
	size_t id_size;
};

static bool read_link(const struct dwfile *f, struct link *out)
{
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dw, &out->name, &out->id);

	out->id_size = n > 0 ? n : 0;
	return n > 0;
}

bool has_common_file(const struct dwfile *f)
{
	struct link link;

	return f->dw && read_link(f, &link);
}

struct common {
	int fd;
	Elf *elf;
	struct dwsects sects;
};

static void close_common(struct common *c)
{
	if (c->elf)
		elf_end(c->elf);
	if (c->fd >= 0)
		close(c->fd);
}

static bool open_common(struct common *c, const char *path, const struct link *link,
			struct problem *why)
{
	const void *id;

	*c = (struct common){ .fd = debug_file_open(path) };
	if (c->fd < 0)
		return false;
	c->elf = elf_begin(c->fd, ELF_C_READ_MMAP, NULL);
	if (!c->elf || elf_kind(c->elf) != ELF_K_ELF) {
		why->text = arena_printf("'%s' is not an ELF file", path);
	} else if (dwelf_elf_gnu_build_id(c->elf, &id) != (ssize_t)link->id_size ||
		   memcmp(id, link->id, link->id_size)) {
		why->text = arena_printf("'%s' is from another build: its build-id is not %s", path,
				    build_id_text(link->id, link->id_size));
	} else {
		dwsects_read(c->elf, "", &c->sects);
		if (c->sects.info.n)
			return true;
		why->text = arena_printf("'%s' has no debug information", path);
	}
	close_common(c);
	return false;
}

/*
 * Looks for the common file relative to the file itself (links resolved), then
 * by its build-id.
 */
static bool find_common(const struct dwfile *f, const struct link *link, struct common *c,
			struct problem *why)
{
	const char *dir = path_directory(path_absolute(f->path));
	const char *paths[] = {
		*link->name == '/' ? link->name : arena_printf("%s/%s", dir, link->name),
		build_id_path(f->path, link->id, link->id_size),
	};
	bool found = false;

	why->text = NULL;
	for (size_t i = 0; !found && i < sizeof(paths) / sizeof(*paths); i++)
		found = open_common(c, paths[i], link, why);
	if (!found && !why->text)
		why->text = arena_printf("neither '%s' nor '%s' exists", paths[0], paths[1]);
	return found;
}

static bool join_all(struct joint *j, struct join_part *p)
{
	struct cu cu;

	for (uint64_t off = 0; off < p->from->info.n; off = cu.end)
		if (!cu_header(&cu, p->from, off) || !join_unit(j, p, off))
			return false;
	return true;
}

static void append(struct sbuf *to, const struct dwsect *from)
{
	if (from->n)
		sbuf_add(to, (const char *)from->p, from->n);
}

bool join_common(struct dwfile *f, struct joint *j, struct problem *why)
{
	struct join_part own = { .from = &f->sects }, part = { 0 };
	struct link link;
	struct common c;
	bool good;

	if (!read_link(f, &link) || !find_common(f, &link, &c, why)) {
		why->text = arena_printf("'%s' has part of its debug information in another file "
				    "(dwz), and %s", f->path, why->text);
		return false;
	}
	own.alt_info = f->sects.info.n;
	own.alt_str = j->str.len;
	part = (struct join_part){ .from = &c.sects, .str = j->str.len, .line = j->line.len,
				   .line_str = j->line_str.len };
	append(&j->str, &c.sects.str);
	append(&j->line_str, &c.sects.line_str);
	append(&j->line, &c.sects.line);
	/* the units are copied again, adapted, in their order */
	j->info.len = j->abbrev.len = 0;
	good = join_all(j, &own) && join_all(j, &part);
	close_common(&c);
	if (!good)
		why->text = arena_printf("the debug information of '%s' is damaged", f->path);
	return good;
}
