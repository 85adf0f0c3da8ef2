// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads .debug_aranges: the address ranges of each unit's code and data. */
#include "aranges.h"

/* Reads one set.  Returns false at the end and on damage. */
static bool one_set(const struct dwfile *f, struct cursor *c, const uint64_t *addrs,
		    uint64_t *units, size_t n)
{
	const unsigned char *start = c->p;
	unsigned off_size = 4, addr_size, segment_size;
	uint64_t length = cur_u(c, 4), unit;
	struct cursor set;

	if (length == 0xffffffff) {
		off_size = 8;
		length = cur_u(c, 8);
	}
	set = *c;
	cur_skip(c, length);
	if (c->bad)
		return false;
	set.end = c->p;
	cur_skip(&set, 2);
	unit = cur_u(&set, off_size);
	addr_size = cur_u(&set, 1);
	segment_size = cur_u(&set, 1);
	if (set.bad || (addr_size != 8 && addr_size != 4) || segment_size ||
	    unit >= f->sects.info.n)
		return true;	/* unreadable: skip it */
	while ((set.p - start) % (2 * addr_size))
		cur_skip(&set, 1);
	while (set.p < set.end && !set.bad) {
		uint64_t low = cur_u(&set, addr_size), size = cur_u(&set, addr_size);

		for (size_t i = 0; i < n; i++)
			if (addrs[i] >= low && addrs[i] - low < size)
				units[i] = unit;
	}
	return true;
}

void aranges_find(const struct dwfile *f, const uint64_t *addrs, uint64_t *units, size_t n)
{
	struct cursor c = sect_at(&f->sects.aranges, 0);

	for (size_t i = 0; i < n; i++)
		units[i] = ARANGES_NONE;
	while (c.p < c.end && one_set(f, &c, addrs, units, n))
		;
}
