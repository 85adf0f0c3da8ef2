/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An index under construction: index_build.c collects, index_layout.c writes
 * the tables.
 */
#ifndef STAP_INDEX_BUILDER_H
#define STAP_INDEX_BUILDER_H

#include "base/table.h"
#include "debuginfo/dwarf/lines.h"
#include "debuginfo/dwarf/origins.h"
#include "debuginfo/dwarf/qualified.h"
#include "index_build.h"

/* The kinds of DIE that a name was seen as. */
enum {
	SEEN_STRUCT = 1, SEEN_UNION = 2, SEEN_ENUM = 4, SEEN_TYPEDEF = 8, SEEN_BASE = 16,
	SEEN_ENUMERATOR = 32, SEEN_FUNCTION = 64,
};

/* A set of strings, numbered in order of appearance.  The strings are not copied. */
struct strings {
	struct entry {
		const char *s;
		uint32_t hash;
		uint32_t seen;		/* SEEN_… bits */
		uint32_t renumbered;
	} *v;
	uint32_t n, room;
	struct table table;
};

/* Growing arrays in malloc'ed memory: they are large and short-lived. */
#define heap_vec(type) struct { type *v; size_t n, room; }

/* An inlined instance of the function whose abstract DIE is at 'origin'. */
struct seen_instance {
	uint64_t addr;
	uint32_t die, origin;
};

/* Everything collected so far, and the unit being walked. */
struct builder {
	struct dwfile *file;
	bool part;			/* some units only: skip inlined instances */
	struct strings names, paths;
	struct { const char *s; uint32_t id; } *cache;
	heap_vec(struct index_func) funcs;
	heap_vec(struct index_inline) inlines;
	heap_vec(struct seen_instance) instances;
	heap_vec(struct index_unit) units;
	heap_vec(struct index_die) types;
	heap_vec(struct index_die) variables;
	heap_vec(struct index_enumerator) enumerators;

	struct cu cu;
	struct lines lines;
	bool lines_read, lines_good;
	uint32_t *file_ids;		/* the unit's file number → path number + 1; 0: not known
					   yet */
	size_t file_ids_room;
	struct sbuf path;
	struct origins origins;
	bool scoped;			/* the unit's names are qualified */
	struct sbuf scope;		/* of the current DIEs: "ns::Class::", or empty */
	struct sbuf name;		/* a name being qualified */
	struct qualified qualified;
};

/* Return memory, or end the program with a message. */
void *index_must(void *p);
void *heap_grow(void *v, size_t *room, size_t size);

#define heap_push(a, x) do {							\
	if ((a)->n == (a)->room)						\
		(a)->v = heap_grow((a)->v, &(a)->room, sizeof(*(a)->v));	\
	(a)->v[(a)->n++] = (x);							\
} while (0)

/* Returns the index in malloc'ed memory; NULL if it is too large. */
struct index_header *index_lay_out(struct builder *b);

#endif
