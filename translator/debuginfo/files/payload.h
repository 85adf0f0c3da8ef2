/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompresses files. */
#ifndef STAP_PAYLOAD_H
#define STAP_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

/* A buffer; the owner calls free(p). */
struct bytes {
	unsigned char *p;	/* malloc'ed */
	size_t n;
};

/*
 * Reads the file at PATH: of a kernel image (vmlinuz) the ELF file in it, of a
 * file compressed by gzip, xz, zstd or lz4 its contents, any other file as it
 * is.  Returns false with *WHY, which is NULL if there is no such file.
 */
bool payload_read(const char *path, struct bytes *out, const char **why);

#endif
