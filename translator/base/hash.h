/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256: the name of what a result is made from.
 *
 *	struct hash *h = hash_new();
 *	hash_string(h, release);
 *	hash_file(h, path);
 *	return hash_hex(h);
 */
#ifndef STAP_BASE_HASH_H
#define STAP_BASE_HASH_H

#include <stddef.h>

/* A running SHA-256. */
struct hash;
struct hash *hash_new(void);
void hash_bytes(struct hash *h, const void *p, size_t n);
void hash_string(struct hash *h, const char *s);	/* with its length: no ambiguity */
int hash_file(struct hash *h, const char *path);	/* contents; -1 unreadable */
const char *hash_hex(struct hash *h);			/* ends it; 64 digits, arena */

#endif
