// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and reads the unwind tables (unwind_tables.h). The file may be damaged or hostile. */
#include "unwind_tables.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define HEADERS_MOST 32			/* program headers, as many as the module looks at */
#define BRING_MOST (4 << 20)		/* bytes, as many as the module reads in for a missing page */
#define RELATIVE_4 0x1b			/* DW_EH_PE_pcrel | DW_EH_PE_sdata4, which all linkers write */

bool find_program_header(int fd, unsigned int type, Elf64_Phdr *ph)
{
	Elf64_Ehdr eh;

	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof(*ph))
		return false;
	for (unsigned int i = 0; i < eh.e_phnum && i < HEADERS_MOST; i++) {
		if (pread(fd, ph, sizeof(*ph), eh.e_phoff + i * sizeof(*ph)) != sizeof(*ph))
			return false;
		if (ph->p_type == type)
			return true;
	}
	return false;
}

/*
 * .eh_frame_hdr begins with a version, three encodings, and the distance of .eh_frame to that word:
 * negative where the linker (gold) puts .eh_frame first.
 */
off_t unwind_tables_begin(int fd)
{
	struct { uint8_t version, frame, count, entries; int32_t distance; } head;
	Elf64_Phdr ph;
	off_t at;

	if (!find_program_header(fd, PT_GNU_EH_FRAME, &ph) || ph.p_offset > INT64_MAX - BRING_MOST ||
	    pread(fd, &head, sizeof(head), ph.p_offset) != sizeof(head) || head.version != 1)
		return -1;
	at = ph.p_offset;
	if (head.frame == RELATIVE_4 && head.distance < 0)
		at += 4 + (off_t)head.distance;
	return at < 0 ? 0 : at;
}

void unwind_tables_bring(int fd)
{
	static char piece[128 << 10];
	off_t at = unwind_tables_begin(fd), end = at + BRING_MOST;
	ssize_t n = 1;

	for (; at >= 0 && at < end && n > 0; at += n)
		n = pread(fd, piece, sizeof(piece), at);
}
