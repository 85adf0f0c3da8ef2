/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name index of a file's DWARF: finds functions, types and variables by
 * name.
 *
 * One walk over all units collects the functions, their inlined instances,
 * types, file-scope variables and enumerators.  The result is one block of
 * memory without pointers.  The cache keeps it under the file's build-id and, because a
 * program's owner can forge that, the file's identity; later runs map it.  A mapped index
 * is checked (size, format, checksum) and built again if it is wrong; numbers in it are
 * bounds-checked where they are used.
 *
 *	index_lookup(ix, "vfs_read", &name);
 *	fn = index_funcs(ix, name, &n);		n functions: fn[i].addr, fn[i].die, …
 *
 * Offsets of DIEs and units are in .debug_info; addresses are the file's DWARF's.  What the
 * functions return is part of the index.
 */
#ifndef STAP_INDEX_H
#define STAP_INDEX_H

#include "debuginfo/internal.h"

/* A function with code of its own. */
struct index_func {
	uint64_t addr;
	uint32_t die, unit;	/* offset of the DIE, number of the unit */
	uint32_t name, file, line;	/* see index_name(), index_path(); line of the
					   declaration */
	uint32_t external;
};

/* A function that was inlined somewhere: its abstract DIE. */
struct index_inline {
	uint32_t die, unit;
	uint32_t name, file, line;
};

/* One inlined instance. */
struct index_instance {
	uint64_t addr;
	uint32_t die, pad;
};

/* A compilation unit: its offset, and the number of its source file. */
struct index_unit {
	uint32_t off, file;
};

#define INDEX_NO_FILE 0		/* the file is unknown */

struct hash;

/* Hashes what results that the cache keeps of the file's DWARF depend on. */
void hash_debug_file(struct hash *h, const struct dwfile *f);

/* Returns the file's index, built if the cache has none; NULL with *WHY. */
struct index *index_open(struct dwfile *f, struct problem *why);

/*
 * Builds an index of the units at these offsets only, without inlined
 * instances.  It is not cached; call index_close().
 */
struct index *index_of_units(struct dwfile *f, const uint64_t *units, size_t n,
			     struct problem *why);

/* Frees an index; names and paths from it become invalid. */
void index_close(struct index *ix);

/*
 * The names of functions are numbered from 0 to index_names() - 1.
 * index_lookup() returns false for an unknown name.
 */
size_t index_names(const struct index *ix);
const char *index_name(const struct index *ix, uint32_t name);
bool index_lookup(const struct index *ix, const char *name, uint32_t *out);

/* Return the functions of a name, and the inlined functions of that name; N may be 0. */
const struct index_func *index_funcs(const struct index *ix, uint32_t name, size_t *n);
const struct index_inline *index_inlines(const struct index *ix, uint32_t name, size_t *n);

/* Returns the instances of an element of index_inlines(). */
const struct index_instance *index_instances(const struct index *ix,
					     const struct index_inline *in, size_t *n);

/* Paths as users see them, numbered from 0 (INDEX_NO_FILE, NULL) to index_files() - 1. */
size_t index_files(const struct index *ix);
const char *index_path(const struct index *ix, uint32_t file);

size_t index_units(const struct index *ix);
const struct index_unit *index_unit(const struct index *ix, uint32_t unit);

#endif
