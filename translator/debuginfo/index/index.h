/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name index of a file's DWARF: what is called NAME, and where.
 *
 * One walk over every unit finds all functions, where they were inlined, types,
 * file-scope variables and enumerators.  The result is one block of memory
 * without pointers, so that it can be written to the cache under the file's
 * build-id and mapped the next time.  A mapped index is checked whole (size,
 * format, checksum) and built again if anything is wrong with it; every number
 * in it is bounds-checked where it is used.
 */
#ifndef STAP_INDEX_H
#define STAP_INDEX_H

#include "debuginfo/internal.h"

/* A function with code of its own. */
struct index_func {
	uint64_t addr;
	uint32_t die, unit;
	uint32_t name, file, line;
	uint32_t external;
};

/* The abstract DIE of a function with inlined instances somewhere. */
struct index_inline {
	uint32_t die, unit;
	uint32_t name, file, line;
};

/* One place where it was inlined. */
struct index_instance {
	uint64_t addr;
	uint32_t die, pad;
};

/* A compilation unit: its offset in .debug_info, and its source file. */
struct index_unit {
	uint32_t off, file;
};

#define INDEX_NO_FILE 0		/* file number 0: not known */

/* The file's index, made if need be, opened once; NULL with *why. */
struct index *index_open(struct dwfile *f, const char **why);

/* An index of some units only (their offsets in .debug_info), without what is inlined
 * in them; not kept. */
struct index *index_of_units(struct dwfile *f, const uint64_t *units, size_t n,
			     const char **why);

/* Gives its memory back; names and paths from it are gone. */
void index_close(struct index *ix);

/* Names that functions have are numbered 0 … index_names() - 1. */
size_t index_names(const struct index *ix);
const char *index_name(const struct index *ix, uint32_t name);
bool index_lookup(const struct index *ix, const char *name, uint32_t *out);

const struct index_func *index_funcs(const struct index *ix, uint32_t name, size_t *n);
const struct index_inline *index_inlines(const struct index *ix, uint32_t name, size_t *n);

/* Of one that index_inlines() gave. */
const struct index_instance *index_instances(const struct index *ix,
					     const struct index_inline *in, size_t *n);

/* Paths as the user sees them, numbered 0 (not known: NULL) … index_files() - 1. */
size_t index_files(const struct index *ix);
const char *index_path(const struct index *ix, uint32_t file);

size_t index_units(const struct index *ix);
const struct index_unit *index_unit(const struct index *ix, uint32_t unit);

#endif
