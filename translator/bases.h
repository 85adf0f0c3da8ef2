/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What addresses in the module to be made are relative to.
 *
 * Where code of the kernel really lies is known when the script is run; the
 * script says "so many bytes from base 3".  debuginfo/ numbers the bases while
 * places and variables are found, pass 2 keeps their table (struct program),
 * pass 3 writes it, and the runtime fills in the addresses.
 *
 * For example, of a script that probes vfs_read and ext4_readdir, where the latter
 * is in a module that may be loaded later:
 *
 *	0	"kernel", ""		the image: offsets are link addresses of vmlinux
 *	1	"ext4", ".text"		anchors "ext4_free_group_clusters" at 0x12c0, …
 */
#ifndef STAP_BASES_H
#define STAP_BASES_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* A symbol that no other of its module shares its name with, and how far it lies from
 * the beginning of a section. */
struct anchor {
	const char *symbol;
	uint64_t offset;
};

#define MOST_ANCHORS 3

struct base {
	const char *module;		/* "kernel", "ext4" */
	const char *section;		/* of a module; "": the kernel's image; a symbol, of the
					   kernel too: ST_BASE_SYMBOL and its name */
	/* Of a module's section: by what it is found when the module is loaded later. */
	struct anchor anchors[MOST_ANCHORS];	/* by offset */
	size_t nanchors;
	const char *build_id;		/* the module's, in hex; NULL: it has none */
};

typedef vec(struct base) base_list;

/* A table of source lines by address (runtime/abi/srcline.h), of one section of code. */
struct line_table {
	unsigned base;
	const char *path;		/* the file it is in */
};

typedef vec(struct line_table) line_table_list;

#endif
