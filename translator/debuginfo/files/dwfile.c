// SPDX-License-Identifier: GPL-2.0-or-later
/* What an open debug file has besides its DIEs: sections, frames, packed symbols; and its pages. */
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "debuginfo/internal.h"
#include "elf_file.h"
#include "payload.h"

void dwfile_drop_pages(const struct dwfile *f)
{
	if (f->map)
		madvise(f->map, f->map_size, MADV_DONTNEED);
}

const struct section *dwfile_section(const struct dwfile *f, uint64_t addr)
{
	size_t low = 0, high = f->sections.n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct section *s = &f->sections.v[mid];

		if (addr < s->addr)
			high = mid;
		else if (addr - s->addr >= s->size)
			low = mid + 1;
		else
			return s;
	}
	return NULL;
}

Dwarf_Frame *dwfile_frame(struct dwfile *f, uint64_t addr)
{
	Dwarf_CFI *cfi = f->dw ? dwarf_getcfi(f->dw) : NULL;
	Dwarf_Frame *frame;

	if (cfi && dwarf_cfi_addrframe(cfi, addr, &frame) == 0)
		return frame;
	if (!f->eh_frame)
		f->eh_frame = dwarf_getcfi_elf(f->own ? f->own : f->elf);
	if (f->eh_frame && dwarf_cfi_addrframe(f->eh_frame, addr, &frame) == 0)
		return frame;
	return NULL;
}

Elf *program_mini_debuginfo(struct dwfile *f)
{
	Elf_Scn *scn = NULL;
	struct bytes bytes;
	size_t names;
	GElf_Shdr sh;

	if (f->mini || elf_getshdrstrndx(f->elf, &names))
		return f->mini;
	while ((scn = elf_nextscn(f->elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(f->elf, names, sh.sh_name)
							  : NULL;
		Elf_Data *data = name && !strcmp(name, ".gnu_debugdata") ? elf_rawdata(scn, NULL)
									 : NULL;

		if (!data || !payload_unpack(data->d_buf, data->d_size, &bytes))
			continue;
		f->mini_bytes = bytes.p;
		f->mini = elf_memory((char *)bytes.p, bytes.n);
		break;
	}
	return f->mini;
}
