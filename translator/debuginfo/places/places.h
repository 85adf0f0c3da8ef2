/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search for places, shared by the files of this folder. */
#ifndef STAP_PLACES_H
#define STAP_PLACES_H

#include "debuginfo/index/index.h"

/* The state of target_places(). */
struct search {
	struct target *target;
	const struct place_query *q;
	struct dwfile *file;		/* the file being searched */
	bool one_of_many;		/* one of several modules; most will have no match */
	struct index *ix;		/* the file's index, or one of some units */
	unsigned char *verdicts;	/* by path number: unknown, yes, no */
	uint32_t *spans;		/* by path number: the declaration nearest to the line
					   asked for */
	unsigned char *units;		/* by unit: search its lines */
	vec(struct place) found;
	bool looked_into;		/* functions matched, and were searched for labels or
					   callees */
	unsigned forbidden;
	bool replaced;			/* a match was a weak function that another replaced */
	struct problem why;
	const char *sourceless;		/* a source file that was needed but not found */
	const char *nothing;		/* a better reason than "no match", or NULL */
};

/*
 * Adds the place at an address of the current file's DWARF, unless it is no
 * code or forbidden.  The caller has set P's function, file, line, is_entry and
 * is_inline.  DIE is the scope's, 0 for none.
 */
void places_add(struct search *s, struct place p, uint64_t pc, Dwarf_Off die);

/* Are N places as many as a probe point may match?  If so, s->why says it. */
bool places_full(struct search *s, size_t n);

/*
 * Search the units for statements by line; search for the statement at an
 * address of the file's DWARF.  Return 0, or -1 with s->why.
 */
int search_statements(struct search *s, const unsigned char *units);
int search_address(struct search *s, uint64_t addr);

#endif
