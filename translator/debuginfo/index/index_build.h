/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of an index, which index_build.c writes and index.c reads. */
#ifndef STAP_INDEX_BUILD_H
#define STAP_INDEX_BUILD_H

#include "index.h"

#define INDEX_MAGIC "stapidx\5"	/* the last byte is the version of the format */

/* The tables of an index. */
enum index_table {
	T_STRINGS,		/* strings, each and the last byte NUL */
	T_NAMES,		/* struct index_string, names of functions first */
	T_BUCKETS,		/* uint32_t: first name of a hash chain + 1; a power of two of
				   them */
	T_FUNC_FIRST,		/* uint32_t per function name + 1: bounds in T_FUNCS */
	T_FUNCS,
	T_INLINE_FIRST,		/* the same for T_INLINES */
	T_INLINES,
	T_INSTANCE_FIRST,	/* uint32_t per T_INLINES + 1: bounds in T_INSTANCES */
	T_INSTANCES,		/* struct index_instance, sorted by DIE for each inline */
	T_FILES,		/* uint32_t: offset of the path in T_STRINGS */
	T_UNITS,
	T_TYPES,		/* struct index_die, sorted by name */
	T_VARIABLES,		/* struct index_die, sorted by name */
	T_ENUMERATORS,		/* struct index_enumerator, sorted by name */
	T_COUNT
};

/* The beginning of an index file; the tables follow. */
struct index_header {
	char magic[8];
	char build_id[64];
	uint64_t size;		/* bytes of all, header included */
	uint64_t info_size;	/* size of the .debug_info it was built from */
	uint64_t checksum;	/* of everything behind the header */
	struct table_key key;	/* of the names' hashes, which choose their buckets */
	struct {
		uint32_t off, n;	/* aligned to 8 bytes; number of elements */
	} table[T_COUNT];
};

/* A name: its string in T_STRINGS. */
struct index_string {
	uint32_t off, next;	/* next of its hash chain + 1; 0: none */
};

/* A type or variable: its name, and its DIE in .debug_info. */
struct index_die {
	uint32_t name, die, unit;
	uint32_t tag;
};

/* An enumerator and its value. */
struct index_enumerator {
	int64_t value;
	uint32_t name, pad;
};

/* Bytes of one element of each table. */
extern const size_t index_element_size[T_COUNT];

uint64_t index_checksum(const void *p, size_t n);

/*
 * Walk all units of a file, or the N units at these offsets.  Return the index
 * in malloc'ed memory, or NULL with *WHY.
 */
struct index_header *index_build(struct dwfile *f, struct problem *why);
struct index_header *index_build_units(struct dwfile *f, const uint64_t *units, size_t n,
				       struct problem *why);

#endif
