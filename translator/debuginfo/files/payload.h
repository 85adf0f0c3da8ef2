/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a compressed file: payload.c. */
#ifndef STAP_PAYLOAD_H
#define STAP_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

struct bytes {
	unsigned char *p;	/* malloc'ed */
	size_t n;
};

/*
 * The file at PATH: of a kernel image (vmlinuz) the ELF file in it, of what
 * gzip, xz, zstd or lz4 made what they made it of, of anything else itself.
 * False with *why, which is NULL where there is no such file.
 */
bool payload_read(const char *path, struct bytes *out, const char **why);

#endif
