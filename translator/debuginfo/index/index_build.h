/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of an index (index.c reads, index_build.c makes). */
#ifndef STAP_INDEX_BUILD_H
#define STAP_INDEX_BUILD_H

#include "index.h"

#define INDEX_MAGIC "stapidx\3"	/* the last byte counts changes of the format */

enum index_table {
	T_STRINGS,		/* bytes; every string ends with NUL, so does the table */
	T_NAMES,		/* struct index_string, those of functions first */
	T_BUCKETS,		/* uint32_t: first name of a hash chain + 1; a power of two */
	T_FUNC_FIRST,		/* uint32_t [names of functions + 1], into T_FUNCS */
	T_FUNCS,
	T_INLINE_FIRST,		/* likewise, into T_INLINES */
	T_INLINES,
	T_INSTANCE_FIRST,	/* uint32_t [T_INLINES + 1], into T_INSTANCES */
	T_INSTANCES,		/* struct index_instance, of each by DIE */
	T_FILES,		/* uint32_t: offset of the path in T_STRINGS */
	T_UNITS,
	T_TYPES,		/* struct index_die, by name */
	T_VARIABLES,		/* struct index_die, by name */
	T_ENUMERATORS,		/* struct index_enumerator, by name */
	T_COUNT
};

struct index_header {
	char magic[8];
	char build_id[64];
	uint64_t size;		/* of all, header included */
	uint64_t info_size;	/* of the .debug_info it was made from */
	uint64_t checksum;	/* of what follows the header */
	struct {
		uint32_t off, n;	/* 8-byte aligned; number of elements */
	} table[T_COUNT];
};

struct index_string {
	uint32_t off, next;	/* next + 1 in its hash chain, or 0 */
};

struct index_die {
	uint32_t name, die, unit;
	uint32_t tag;
};

struct index_enumerator {
	int64_t value;
	uint32_t name, pad;
};

extern const size_t index_element_size[T_COUNT];

uint64_t index_checksum(const void *p, size_t n);

/* Walks the file's DWARF, or N units of it; the index in malloc'ed memory, or
 * NULL and *why. */
struct index_header *index_build(struct dwfile *f, const char **why);
struct index_header *index_build_units(struct dwfile *f, const uint64_t *units, size_t n,
				       const char **why);

#endif
