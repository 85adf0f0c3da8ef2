// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a DIE in libdw, and drops the pages that libdw reads on the way to it. */
#include "debuginfo/internal.h"
#include "dwread.h"

/* Bytes of .debug_info that libdw is led through between two drops of pages. */
#define REACH_STEP (8u << 20)

bool dwfile_die(struct dwfile *f, Dwarf_Off off, Dwarf_Die *out)
{
	struct cu cu;
	uint64_t next;

	if (!f->dw || off >= f->sects.info.n)
		return false;
	while (f->map && f->reached + REACH_STEP < off) {
		for (next = f->reached; next < f->reached + REACH_STEP; next = cu.end) {
			if (!cu_header(&cu, &f->sects, next))
				return false;
		}
		if (!dwarf_offdie(f->dw, cu.first, out))
			return false;
		f->reached = next;
		dwfile_drop_pages(f);
	}
	return dwarf_offdie(f->dw, off, out) != NULL;
}
