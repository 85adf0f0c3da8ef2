/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DIEs that a unit refers to in other units: descriptions that dwz shares
 * between units, and functions that link-time optimisation inlined across
 * units.
 */
#ifndef STAP_ORIGINS_H
#define STAP_ORIGINS_H

#include "dwread.h"
#include "lines.h"

/* Access to other units.  Zeroed at first; it keeps the last unit open. */
struct origins {
	const struct dwsects *sects;
	uint64_t *units;		/* offsets of all units, ascending */
	size_t nunits, room;
	struct cu cu;
	bool open, lines_read, lines_good;
	struct lines lines;
};

/* Reads the DIE at an offset, whichever unit has it.  Returns false on damage. */
bool origins_read(struct origins *o, const struct dwsects *sects, uint64_t off, struct die *d);

/* Gives the path of a file number of the DIE read last. */
bool origins_path(struct origins *o, unsigned file, struct sbuf *out);

void origins_release(struct origins *o);

#endif
