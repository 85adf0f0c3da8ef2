/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries that units refer to in other units: what dwz has found to be the same in
 * several, what link-time optimisation has inlined.
 */
#ifndef STAP_ORIGINS_H
#define STAP_ORIGINS_H

#include "dwread.h"
#include "lines.h"

/* The unit looked into last; all zero at first. */
struct origins {
	const struct dwsects *sects;
	uint64_t *units;		/* where each begins */
	size_t nunits, room;
	struct cu cu;
	bool open, lines_read, lines_good;
	struct lines lines;
};

/* The DIE at an offset, whatever unit has it. */
bool origins_read(struct origins *o, const struct dwsects *sects, uint64_t off, struct die *d);

/* The path of a file number of the DIE read last. */
bool origins_path(struct origins *o, unsigned file, struct sbuf *out);

void origins_release(struct origins *o);

#endif
