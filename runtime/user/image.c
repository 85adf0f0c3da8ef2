// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the program headers of a mapped file, and the note with its build-id (image.h). */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "memory/space.h"
#include "image.h"

#define IMAGE_HEADERS 32	/* program headers looked at */
#define IMAGE_NOTES 16		/* notes of one segment */

#ifndef NT_GNU_BUILD_ID
#define NT_GNU_BUILD_ID 3
#endif

/* Looks for the build-id in the notes between two addresses. */
static void find_build_id(unsigned long at, unsigned long end,
			  struct st_image *image)
{
	struct {
		Elf64_Nhdr head;
		char name[4];
	} note;
	unsigned int i;

	for (i = 0; i < IMAGE_NOTES && at < end && !image->id_bytes; i++) {
		if (!st_space_read(&note, at, sizeof(note)))
			return;
		at += sizeof(note.head) + ALIGN((u64)note.head.n_namesz, 4);
		if (note.head.n_type == NT_GNU_BUILD_ID && note.head.n_namesz == 4 &&
		    !memcmp(note.name, "GNU", 4) && note.head.n_descsz <= sizeof(image->id) &&
		    st_space_read(image->id, at, note.head.n_descsz))
			image->id_bytes = note.head.n_descsz;
		at += ALIGN((u64)note.head.n_descsz, 4);
	}
}

bool st_image_read(unsigned long addr, struct st_image *image)
{
	unsigned long first = st_space_image(addr);
	bool based = false;
	unsigned int i;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	*image = (struct st_image){ 0 };
	if (!first || !st_space_read(&eh, first, sizeof(eh)) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_phentsize != sizeof(ph))
		return false;
	for (i = 0; i < min_t(unsigned int, eh.e_phnum, IMAGE_HEADERS); i++) {
		if (!st_space_read(&ph, first + eh.e_phoff + i * sizeof(ph), sizeof(ph)))
			return false;
		if (ph.p_type == PT_LOAD && !based && ph.p_offset < PAGE_SIZE) {
			image->bias = first - (ph.p_vaddr - ph.p_offset);
			based = true;
		} else if (ph.p_type == PT_NOTE && !image->id_bytes) {
			find_build_id(first + ph.p_offset,
				      first + ph.p_offset + ph.p_filesz, image);
		}
	}
	return based;
}
