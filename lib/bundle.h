/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a bundle (stap --bundle): the modules of a script for several kernels, or its
 * intermediate program (stap --runtime=user), and the loader in front of them, in one program that
 * needs nothing else.
 *
 *	| stap-bundle | module | module … | struct bundle_entry for each | struct bundle_end |
 *
 * stap writes it; the program reads itself, and loads the module that is for the running kernel, or
 * runs the intermediate program, which is alone and in a module's place:
 *
 *	struct bundle b;
 *	const char *why = bundle_open(&b, image, size);
 *
 *	for (unsigned int i = 0; !why && i < b.modules; i++) {
 *		struct bundle_entry e = bundle_entry(&b, i);
 *		… image + e.offset, e.size …
 *	}
 *
 * The digest finds what happened to the file on its way.  It is no signature: who runs a bundle trusts
 * the one who made it, as with any program.  Modules in it that are signed stay so.  Numbers are in the
 * machine's byte order, as in the modules.
 */
#ifndef STAP_BUNDLE_H
#define STAP_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

#define BUNDLE_MAGIC "stap bundle v1\n"

/* The most modules of one bundle. */
enum { BUNDLE_MODULES_MOST = 64 };

enum bundle_kind { BUNDLE_MODULE, BUNDLE_PROGRAM };

/* Where a module lies in the file, in bytes. */
struct bundle_entry {
	uint64_t offset, size;
	uint64_t kind;			/* enum bundle_kind */
};

/* The end of the file. */
struct bundle_end {
	uint64_t modules;
	uint64_t size;			/* of the whole file, with this */
	char magic[sizeof(BUNDLE_MAGIC)];
	uint8_t digest[SHA256_BYTES];	/* of all that is in front of it */
};

/* A bundle in memory, checked.  The image is the caller's. */
struct bundle {
	const char *image;
	unsigned int modules;
	size_t entries;			/* where their table begins */
	bool is_program;		/* the only one is an intermediate program */
};

/* Fills in the digest of the struct bundle_end that an image of SIZE bytes ends with. */
void bundle_seal(char *image, size_t size);

/* Checks an image of SIZE bytes.  Returns NULL, or what is wrong with it. */
const char *bundle_open(struct bundle *b, const char *image, size_t size);

/* Returns where module I is; it lies within the image. */
struct bundle_entry bundle_entry(const struct bundle *b, unsigned int i);

#endif
