// SPDX-License-Identifier: GPL-2.0-or-later
/* Joins the parts of a file's debug information into one image: see join.h. */
#include "parts.h"

#include "base/arena.h"
#include "debuginfo/files/elf_write.h"

/* Returns the directory of compilation of the first unit that has one. */
static const char *first_directory(const struct dwsects *sects)
{
	const char *dir = NULL;
	struct cu cu = { 0 };

	for (uint64_t off = 0; !dir && cu_open(&cu, sects, off); off = cu.end)
		dir = cu.comp_dir;
	cu_release(&cu);
	return dir;
}

/* Replaces the file's own DWARF by the image. */
static bool take(struct dwfile *f, struct joint *j, struct problem *why)
{
	const struct elf_section sections[] = {
		{ ".debug_info", &j->info, { 0 } },
		{ ".debug_abbrev", &j->abbrev, { 0 } },
		{ ".debug_str", &j->str, { 0 } },
		{ ".debug_line_str", &j->line_str, { 0 } },
		{ ".debug_line", &j->line, { 0 } },
		{ ".debug_str_offsets", &j->str_offsets, { 0 } },
		{ ".debug_addr", &j->addr, { 0 } },
		{ ".debug_ranges", &j->ranges, { 0 } },
		{ ".debug_rnglists", &j->rnglists, { 0 } },
		{ ".debug_loc", &j->loc, { 0 } },
		{ ".debug_loclists", &j->loclists, { 0 } },
		{ ".debug_aranges", &j->aranges, { 0 } },
		{ ".debug_frame", &j->frame, { 0 } },
	};
	Dwarf *dw = NULL;
	Elf *elf;

	elf_write(f->arch, sections, sizeof(sections) / sizeof(*sections), &f->image);
	elf = elf_memory(f->image.s, f->image.len);
	if (elf)
		dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dw) {
		why->text = arena_printf("cannot join the debug information of '%s': %s",
				    f->path, elf ? dwarf_errmsg(-1) : elf_errmsg(-1));
		elf_end(elf);
		return false;
	}
	f->first = f->dw;
	f->dw = dw;
	f->joined = elf;
	f->map = NULL;
	f->sects = (struct dwsects){ 0 };
	dwsects_read(elf, "", &f->sects);
	f->sects.comp_dir = first_directory(&f->sects);
	return true;
}

bool dwfile_complete(struct dwfile *f, struct problem *why)
{
	bool common = has_common_file(f), good;
	struct joint j = { 0 };

	if (!common && !is_split(f))
		return true;
	join_sections(&j, &f->sects);
	good = (common ? join_common(f, &j, why) : join_split(f, &j, why)) && take(f, &j, why);
	join_free(&j);
	return good;
}
