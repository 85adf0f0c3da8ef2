// SPDX-License-Identifier: GPL-2.0-or-later
/* DIEs of other units: see origins.h. */
#include "origins.h"

#include <stdlib.h>
#include <string.h>

static bool note_unit(struct origins *o, uint64_t off)
{
	if (o->nunits == o->room) {
		size_t room = o->room ? o->room * 2 : 1024;
		void *v = realloc(o->units, room * sizeof(*o->units));

		if (!v)
			return false;
		o->units = v;
		o->room = room;
	}
	o->units[o->nunits++] = off;
	return true;
}

static void find_units(struct origins *o, const struct dwsects *sects)
{
	struct cu cu;

	o->sects = sects;
	for (uint64_t off = 0; cu_header(&cu, sects, off) && note_unit(o, off); off = cu.end)
		;
}

static bool open_unit(struct origins *o, uint64_t off)
{
	size_t low = 0, high = o->nunits;

	if (o->open && off >= o->cu.first && off < o->cu.end)
		return true;
	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (o->units[mid] <= off)
			low = mid;
		else
			high = mid;
	}
	o->lines_read = false;
	o->open = o->nunits && cu_open(&o->cu, o->sects, o->units[low]);
	return o->open;
}

bool origins_read(struct origins *o, const struct dwsects *sects, uint64_t off, struct die *d)
{
	if (!o->sects)
		find_units(o, sects);
	return open_unit(o, off) && die_read(&o->cu, off, d);
}

bool origins_path(struct origins *o, unsigned file, struct sbuf *out)
{
	if (!o->lines_read) {
		o->lines_read = true;
		o->lines_good = lines_open(&o->lines, &o->cu);
	}
	return o->lines_good && lines_path(&o->lines, file, out);
}

void origins_release(struct origins *o)
{
	cu_release(&o->cu);
	lines_release(&o->lines);
	free(o->units);
	memset(o, 0, sizeof(*o));
}
