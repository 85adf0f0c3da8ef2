/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompresses files. */
#ifndef STAP_PAYLOAD_H
#define STAP_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"

/* A buffer; the owner calls free(p). */
struct bytes {
	unsigned char *p;	/* malloc'ed */
	size_t n;
};

/*
 * Reads the file at PATH into OUT.  Extracts the ELF file from a kernel image
 * (vmlinuz), and decompresses a file that gzip, xz, zstd or lz4 compressed.
 * Returns false with *WHY, which is NULL if there is no such file.
 */
bool payload_read(const char *path, struct bytes *out, struct problem *why);

/*
 * Decompresses N bytes in memory.  Returns false if they are damaged, or packed in none of
 * these ways.
 */
bool payload_unpack(const void *p, size_t n, struct bytes *out);

#endif
