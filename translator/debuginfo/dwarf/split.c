// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Split debug information: -gsplit-dwarf, CONFIG_DEBUG_INFO_SPLIT.
 *
 * The linker sees only a skeleton of each unit.  It has the addresses, and the
 * name of a .dwo file beside the object file with everything else; the two have
 * a common id. dwp packs the .dwo files of a program into one .dwp.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "debuginfo/files/debugfiles.h"
#include "parts.h"
#include "session.h"

enum { WARNINGS_MAX = 3 };	/* missing files to name; more are counted */

/* ---- skeletons ----------------------------------------------------------- */

static void note_attribute(struct skeleton *s, unsigned attr, const struct value *v)
{
	switch (attr) {
	case DW_AT_dwo_name: case DW_AT_GNU_dwo_name:
		s->name = v->str;
		break;
	case DW_AT_GNU_dwo_id:
		s->id = v->u;
		break;
	case DW_AT_GNU_ranges_base:
		s->ranges_base = v->u;
		break;
	}
}

/* Reads a unit's own DIE as a skeleton.  Returns false if it is none. */
static bool skeleton_of(const struct cu *cu, struct skeleton *s)
{
	struct cursor c = sect_at(&cu->sects->info, cu->first), id;
	const struct abbrev *a = cu_abbrev(cu, cur_uleb(&c));

	*s = (struct skeleton){
		.off = cu->off, .comp_dir = cu->comp_dir, .low_pc = cu->low_pc,
		.addr_base = cu->addr_base, .stmt_list = cu->stmt_list, .has_lines = cu->has_lines,
	};
	for (uint32_t i = 0; a && i < a->n; i++) {
		struct value v;

		form_read(cu, &c, &cu->specs[a->first + i], &v);
		note_attribute(s, cu->specs[a->first + i].attr, &v);
	}
	if (cu->version >= 5) {
		id = sect_at(&cu->sects->info, cu->first - 8);
		s->id = cur_u(&id, 8);
	}
	return s->name && !c.bad;
}

typedef vec(struct skeleton) skeleton_list;

/* Collects a file's skeleton units in OUT, or with OUT NULL returns whether there is one. */
static bool find_skeletons(const struct dwfile *f, skeleton_list *out)
{
	struct cu cu = { 0 };
	struct skeleton s;
	bool found = false;

	for (uint64_t off = 0; off < f->sects.info.n && !(found && !out); off = cu.end) {
		if (!cu_open(&cu, &f->sects, off))
			break;
		if (!skeleton_of(&cu, &s))
			continue;
		found = true;
		if (out)
			vec_push(out, s);
	}
	cu_release(&cu);
	return found;
}

/*
 * GCC writes an address table (.debug_addr) only for split units, so files
 * without one need no walk.
 */
bool is_split(const struct dwfile *f)
{
	return f->sects.addr.n && find_skeletons(f, NULL);
}

/* ---- files --------------------------------------------------------------- */

struct dwo_file {
	int fd;
	Elf *elf;
	struct dwsects sects;
};

static void close_file(struct dwo_file *o)
{
	if (o->elf)
		elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
}

static bool open_file(struct dwo_file *o, const char *path)
{
	*o = (struct dwo_file){ .fd = debug_file_open(path) };
	if (o->fd < 0)
		return false;
	o->elf = elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	if (o->elf && elf_kind(o->elf) == ELF_K_ELF)
		dwsects_read(o->elf, ".dwo", &o->sects);
	return true;
}

/* Finds the compilation unit with an id. */
static bool find_unit(const struct dwsects *sects, uint64_t id, uint64_t *out, unsigned *version)
{
	struct cu cu = { 0 };
	struct skeleton s;
	bool found = false;

	for (uint64_t off = 0; off < sects->info.n && !found; off = cu.end) {
		if (!cu_open(&cu, sects, off))
			break;
		skeleton_of(&cu, &s);
		*out = off;
		*version = cu.version;
		found = !cu.type_unit && s.id == id;
	}
	cu_release(&cu);
	return found;
}

static bool join_it(struct joint *j, const struct dwsects *from, const struct skeleton *s,
		    uint64_t *at, struct problem *why, const char *path)
{
	struct join_part part = { .from = from, .skeleton = s };
	unsigned version;
	uint64_t off;

	if (!from->info.n || !from->abbrev.n) {
		why->text = arena_printf("'%s' has no split debug information that can be read", path);
		return false;
	}
	if (!find_unit(from, s->id, &off, &version)) {
		why->text = arena_printf("'%s' is from another build: it has no unit with the id "
				    "%016" PRIx64, path, s->id);
		return false;
	}
	join_tables(j, &part, version);
	*at = j->info.len;
	if (join_unit(j, &part, off))
		return true;
	why->text = arena_printf("'%s' is damaged", path);
	return false;
}

/*
 * Looks for a .dwo where it was made, beside the file, and in the kernel's
 * build directory.
 */
static bool join_dwo(struct dwfile *f, struct joint *j, const struct skeleton *s, uint64_t *at,
		     struct problem *why)
{
	const char *base = strrchr(s->name, '/') ? strrchr(s->name, '/') + 1 : s->name;
	const char *dir = path_directory(f->path), *build = kernel_build(f->target->session->kernel);
	const char *paths[] = {
		*s->name == '/' || !s->comp_dir ? s->name
						: arena_printf("%s/%s", s->comp_dir, s->name),
		*s->name == '/' ? NULL : arena_printf("%s/%s", dir, s->name),
		arena_printf("%s/%s", dir, base),
		*s->name == '/' || !build ? NULL : arena_printf("%s/%s", build, s->name),
	};
	struct dwo_file o;

	why->text = NULL;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		bool good;

		if (!paths[i] || !open_file(&o, paths[i]))
			continue;
		good = join_it(j, &o.sects, s, at, why, paths[i]);
		close_file(&o);
		if (good)
			return true;
	}
	if (!why->text)
		why->text = arena_printf("there is no '%s'", paths[0]);
	return false;
}

/* ---- packages ------------------------------------------------------------ */

/*
 * The section numbers of a package's index: DWARF 5, 7.3.5.3.  Older elfutils
 * don't name them.
 */
enum { SECT_INFO = 1, SECT_ABBREV = 3, SECT_LOCLISTS = 5, SECT_STR_OFFSETS = 6, SECT_RNGLISTS = 8 };

static struct dwsect *column(struct dwsects *s, uint64_t kind, unsigned version)
{
	switch (kind) {
	case SECT_INFO:
		return &s->info;
	case SECT_ABBREV:
		return &s->abbrev;
	case SECT_LOCLISTS:		/* in version 2: .debug_loc */
		return version < 5 ? &s->loc : &s->loclists;
	case SECT_STR_OFFSETS:
		return &s->str_offsets;
	case SECT_RNGLISTS:
		return version < 5 ? NULL : &s->rnglists;
	default:
		return NULL;
	}
}

static const struct dwsect *package_index(Elf *elf, struct dwsect *out)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name;
		Elf_Data *d;

		if (!gelf_getshdr(scn, &sh) || !(name = elf_strptr(elf, names, sh.sh_name)) ||
		    strcmp(name, ".debug_cu_index"))
			continue;
		d = elf_rawdata(scn, NULL);
		if (!d || !d->d_buf)
			return NULL;
		*out = (struct dwsect){ d->d_buf, d->d_size };
		return out;
	}
	return NULL;
}

/* Finds one unit's share of each of a package's sections. */
static bool packed_unit(const struct dwo_file *o, uint64_t id, struct dwsects *out)
{
	struct dwsect ix;
	const struct dwsect *s = o->elf ? package_index(o->elf, &ix) : NULL;
	struct cursor c = sect_at(s ? s : &(struct dwsect){ 0 }, 0);
	unsigned version = cur_u(&c, 2);
	uint64_t columns, units, slots, table, row = 0;
	bool bad = false;

	cur_skip(&c, 2);
	columns = cur_u(&c, 4);
	units = cur_u(&c, 4);
	slots = cur_u(&c, 4);
	if (c.bad || slots > ix.n || columns > 16 || units > slots)
		return false;
	for (uint64_t i = 0; i < slots && !row && !bad; i++)
		if (sect_entry(s, 16, i, 8, &bad) == id)
			row = sect_entry(s, 16 + slots * 8, i, 4, &bad);
	if (bad || !row || row > units)
		return false;
	*out = (struct dwsects){ .str = o->sects.str };
	table = 16 + slots * 12;
	for (uint64_t i = 0; i < columns; i++) {
		uint64_t kind = sect_entry(s, table, i, 4, &bad);
		uint64_t off = sect_entry(s, table, columns * row + i, 4, &bad);
		uint64_t size = sect_entry(s, table, columns * (units + row) + i, 4, &bad);
		struct dwsects whole = o->sects;
		struct dwsect *to = column(out, kind, version), *from = column(&whole, kind, version);

		if (bad || (from && (off > from->n || size > from->n - off)))
			return false;
		if (from)
			*to = (struct dwsect){ from->p + off, size };
	}
	return true;
}

static bool join_packed(const struct dwo_file *o, const char *path, struct joint *j,
			const struct skeleton *s, uint64_t *at, struct problem *why)
{
	struct dwsects unit;

	return packed_unit(o, s->id, &unit) && join_it(j, &unit, s, at, why, path);
}

/* ---- all of them --------------------------------------------------------- */

/* Redirects the address ranges of the skeleton at FROM to the joined unit at TO. */
static void move_aranges(struct joint *j, uint64_t from, uint64_t to)
{
	const struct dwsect s = { (const unsigned char *)sbuf_str(&j->aranges), j->aranges.len };
	struct cursor c = sect_at(&s, 0);

	while (c.p < c.end && !c.bad) {
		uint64_t length = cur_u(&c, 4);
		struct cursor set = c;

		cur_skip(&c, length);
		cur_skip(&set, 2);
		if (!c.bad && cur_u(&set, 4) == from && !set.bad)
			join_put(&j->aranges, set.p - 4 - s.p, to);
	}
}

/* Names the first few files that are missing. */
static void warn_missing(const struct dwfile *f, const text_list *why, size_t total)
{
	for (size_t i = 0; i < why->n && i < WARNINGS_MAX; i++)
		diag(DIAG_WARNING, "%s: its unit is missing from the debug information of '%s'",
		     why->v[i], f->path);
	if (why->n > WARNINGS_MAX)
		diag(DIAG_WARNING, "%zu of the %zu split units of '%s' are missing", why->n,
		     total, f->path);
}

bool join_split(struct dwfile *f, struct joint *j, struct problem *why)
{
	const char *package = arena_printf("%s.dwp", f->path);
	skeleton_list list = { 0 };
	text_list missing = { 0 };
	struct dwo_file dwp;
	bool packed;

	find_skeletons(f, &list);
	packed = open_file(&dwp, package);
	for (size_t i = 0; i < list.n; i++) {
		const struct skeleton *s = &list.v[i];
		uint64_t at;

		why->text = NULL;
		if ((packed && join_packed(&dwp, package, j, s, &at, why)) ||
		    join_dwo(f, j, s, &at, why))
			move_aranges(j, s->off, at);
		else
			vec_push(&missing, why->text);
	}
	close_file(&dwp);
	if (missing.n < list.n) {
		warn_missing(f, &missing, list.n);
		return true;
	}
	why->text = arena_printf("the debug information of '%s' is split (-gsplit-dwarf), and %s",
			    f->path, missing.v[0]);
	return false;
}
