/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bases: the origins of the addresses in the script's module.
 *
 * KASLR and module loading decide at run time where code lies, so the generated
 * code says "0x1240 bytes from base 1".  debuginfo/ numbers the bases as it
 * finds places and variables; pass 2 keeps their table (struct program), pass 3
 * writes it out, and the runtime fills in the addresses.
 *
 * A script that probes vfs_read, and ext4_readdir in a module, has two bases:
 *
 *	0	"kernel", ""		the image: offsets are link addresses of vmlinux
 *	1	"ext4", ".text"		anchors "ext4_free_group_clusters" at 0x12c0, …
 */
#ifndef STAP_BASES_H
#define STAP_BASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/bounds.h"
#include "base/vec.h"

/*
 * A symbol whose name is unique in its module, and its offset in its section.
 * Its run-time address minus the offset is the section's run-time address.
 */
struct anchor {
	const char *symbol;
	uint64_t offset;
};

#define MOST_ANCHORS 3

/* The kernel's image, a section of a module, or a symbol of either. */
struct base {
	const char *module;		/* "kernel", "ext4" */
	const char *section;		/* "": the kernel's image; ".text": a module's section;
					   ST_BASE_SYMBOL and a name: that symbol */
	/* The runtime finds a module's section by these when the module is loaded. */
	struct anchor anchors[MOST_ANCHORS];	/* by offset */
	size_t nanchors;
	const char *build_id;		/* the module's, in hex; NULL: it has none */
};

typedef vec(struct base) base_list;

/* A variable or function of the kernel's own, which the runtime uses. */
struct kernel_variable {
	unsigned base;
	uint64_t address;		/* from the base */
};

/*
 * A program or shared library that the script probes or reads variables of.  Its
 * linked addresses are 'distance' above the offsets of its code in the file.
 */
struct program_file {
	const char *path;
	const char *build_id;		/* in hex; NULL: it has none, or any will do */
	uint64_t size;			/* bytes, of a file without a build-id; 0: any */
	unsigned owner;			/* user */
	const char *identity;		/* if only that file will do (base/regular.h); else NULL */
	bool awaited;			/* nothing was there */
	uint64_t distance;
	unsigned goid;			/* in Go: offset of "goid" in a goroutine's struct; 0:
					   unknown */
	bool read;			/* all these are known */
};

typedef vec(struct program_file) program_file_list;

/* The code that begins at a place in a program: up to its segment's end. */
struct code_bytes {
	unsigned n;
	unsigned char p[ST_CODE_BYTES];
};

/* A table of source lines by address (runtime/abi/srcline.h), for one section of code. */
struct line_table {
	unsigned base;			/* of its addresses */
	const char *path;		/* the file that holds it */
};

typedef vec(struct line_table) line_table_list;

#endif
