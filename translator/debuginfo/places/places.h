/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search for places, shared by places.c and statements.c. */
#ifndef STAP_PLACES_H
#define STAP_PLACES_H

#include "debuginfo/index/index.h"

struct search {
	struct target *target;
	const struct place_query *q;
	struct dwfile *file;		/* being searched */
	bool one_of_many;		/* modules: most will have nothing */
	struct index *ix;		/* its index, or a part of it */
	unsigned char *verdicts;	/* of each of the index's files: unknown, yes, no */
	uint32_t *spans;		/* of each: the declaration nearest the asked line */
	unsigned char *units;		/* of each of its units: to be searched for lines */
	vec(struct place) found;
	bool looked_into;		/* functions, for labels or what they call */
	unsigned forbidden;
	bool replaced;			/* a weak function, by another of its name */
	const char *why;
	const char *sourceless;		/* a file whose lines' text was wanted, and isn't here */
	const char *nothing;		/* why nothing was found, when more is known */
};

/*
 * Adds the place at an address of the current file's DWARF, unless it is no
 * code or forbidden.  The caller has set function, file, line, is_entry and
 * is_inline; die is the scope's, 0 for none.
 */
void places_add(struct search *s, struct place p, uint64_t pc, Dwarf_Off die);

/* Statements by line in the units of the index whose number is set in 'units';
 * the statement at an address of the file's DWARF.  -1 with s->why. */
int search_statements(struct search *s, const unsigned char *units);
int search_address(struct search *s, uint64_t addr);

#endif
