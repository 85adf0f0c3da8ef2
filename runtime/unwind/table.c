// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes from a mapped image to the entry for an address: ELF header, program headers, .eh_frame_hdr.
 *
 * .eh_frame_hdr is a version, three encodings, a pointer to .eh_frame, and the number of entries;
 * then the entries, sorted: where a function begins, and where its FDE is.  All linkers write
 * both as signed 32-bit differences to the table's own address; nothing else is read here.
 */
#ifdef __KERNEL__
#include <linux/elf.h>
#else
#include <elf.h>
#endif

#include "internal.h"

#ifndef PT_GNU_EH_FRAME
#define PT_GNU_EH_FRAME 0x6474e550
#endif

#define ENTRY_BYTES 8ul

static bool read_header(struct st_unwind *u, unsigned long image, Elf64_Ehdr *eh)
{
	if (!st_unwind_read(u, eh, image, sizeof(*eh)))
		return st_unwind_stop(u, ST_UNWIND_UNREADABLE);
	return !memcmp(eh->e_ident, ELFMAG, SELFMAG) && eh->e_ident[EI_CLASS] == ELFCLASS64 &&
	       eh->e_ident[EI_DATA] == ELFDATA2LSB && eh->e_phentsize == sizeof(Elf64_Phdr);
}

/*
 * Finds the address and size of PT_GNU_EH_FRAME's segment.  The difference between addresses in
 * the file and in memory is that of the segment that begins at the file's first page.
 */
static bool find_segment(struct st_unwind *u, unsigned long image, unsigned long *at,
			 unsigned long *bytes)
{
	bool first = false, found = false;
	unsigned long bias = 0, headers;
	unsigned int i, n;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (!read_header(u, image, &eh))
		return false;
	headers = image + eh.e_phoff;
	n = eh.e_phnum < ST_UNWIND_HEADERS ? eh.e_phnum : ST_UNWIND_HEADERS;
	for (i = 0; i < n && !(first && found); i++) {
		if (!st_unwind_read(u, &ph, headers + i * sizeof(ph), sizeof(ph)))
			return st_unwind_stop(u, ST_UNWIND_UNREADABLE);
		if (ph.p_type == PT_LOAD && !first && ph.p_offset < 4096) {
			bias = image - (ph.p_vaddr - ph.p_offset);
			first = true;
		} else if (ph.p_type == PT_GNU_EH_FRAME) {
			*at = ph.p_vaddr;
			*bytes = ph.p_memsz;
			found = true;
		}
	}
	*at += bias;
	return first && found;
}

static void read_table(struct st_unwind *u, unsigned long image, struct st_unwind_table *t)
{
	unsigned long at = 0, bytes = 0;
	struct st_cursor c;
	u8 version, frame, count, entries;

	if (!find_segment(u, image, &at, &bytes))
		return;
	c = (struct st_cursor){ u, at, at + bytes, ST_UNWIND_GOES_ON };
	version = st_take(&c, 1);
	frame = st_take(&c, 1);
	count = st_take(&c, 1);
	entries = st_take(&c, 1);
	if (frame != ST_PE_OMIT)
		st_take_encoded(&c, frame);
	t->count = count == ST_PE_UDATA4 ? st_take(&c, 4) : 0;
	t->entries = c.at;
	if (c.bad == ST_UNWIND_UNREADABLE)
		u->end = ST_UNWIND_UNREADABLE;
	else if (!c.bad && version == 1 && entries == (ST_PE_DATAREL | ST_PE_SDATA4) &&
		 t->count && t->count <= (c.end - c.at) / ENTRY_BYTES)
		t->at = at;
}

const struct st_unwind_table *st_unwind_table(struct st_unwind *u,
					      const struct st_unwind_map *map)
{
	unsigned long hash = map->file / 64 + map->image / 4096;
	struct st_unwind_table *t = &u->tables[(hash ^ hash / 64) % ST_UNWIND_TABLES];

	if (t->file != map->file || t->image != map->image) {
		*t = (struct st_unwind_table){ .image = map->image };
		read_table(u, map->image, t);
		if (u->end)
			return NULL;
		t->file = map->file;
	}
	return t->at ? t : NULL;
}

/* Reads one of an entry's two differences. */
static bool read_difference(struct st_unwind *u, unsigned long at, int *value)
{
	return st_unwind_read(u, value, at, sizeof(*value)) ||
	       st_unwind_stop(u, ST_UNWIND_UNREADABLE);
}

unsigned long st_unwind_lookup(struct st_unwind *u, const struct st_unwind_table *t,
			       unsigned long pc)
{
	unsigned int low = 0, high = t->count;
	long wanted = pc - t->at;
	int at;

	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if (!read_difference(u, t->entries + middle * ENTRY_BYTES, &at))
			return 0;
		if (at <= wanted)
			low = middle;
		else
			high = middle;
	}
	if (!read_difference(u, t->entries + low * ENTRY_BYTES + 4, &at))
		return 0;
	return t->at + at;
}
