/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256 for programs that are not to be linked with libcrypto, such as a bundle, which would
 * triple in size.  Other programs use hash.h.
 */
#ifndef STAP_BASE_SHA256_H
#define STAP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

/* Computes the digest of SIZE bytes. */
void sha256(const void *data, size_t size, uint8_t digest[SHA256_BYTES]);

#endif
