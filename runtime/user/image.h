/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the ELF headers of a mapped file say about it. */
#ifndef STAP_USER_IMAGE_H
#define STAP_USER_IMAGE_H

#include <linux/types.h>

#define ST_BUILD_ID_MOST 32		/* bytes */

/* A mapped file, by its headers: build-id, and how far from its linked addresses it lies. */
struct st_image {
	unsigned long bias;		/* addresses in memory minus those in the file */
	unsigned int id_bytes;		/* of the build-id; 0: it has none */
	unsigned char id[ST_BUILD_ID_MOST];
};

/*
 * Reads the headers of the file that is mapped at an address. Returns false if there is none, or it
 * is not an ELF file, or can't be read.
 */
bool st_image_read(unsigned long addr, struct st_image *image);

#endif
