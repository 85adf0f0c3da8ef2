/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256, to name a result after everything it is made from.  Cache entries
 * are named so: equal inputs find the entry, any changed input misses it.
 *
 *	struct hash *h = hash_new();
 *
 *	hash_string(h, release);
 *	hash_file(h, path);
 *	return hash_hex(h);
 */
#ifndef STAP_BASE_HASH_H
#define STAP_BASE_HASH_H

#include <stddef.h>

/* A hash being computed.  It lives in the arena; hash_hex() ends it. */
struct hash;
struct hash *hash_new(void);
void hash_bytes(struct hash *h, const void *p, size_t n);
void hash_string(struct hash *h, const char *s);	/* and its length, so "ab","c" differs
							   from "a","bc" */
int hash_file(struct hash *h, const char *path);	/* contents and length; -1 if it can't be
							   read */
void hash_identity(struct hash *h, int fd);		/* which file is open, and when it was last
							   changed: its owner can't forge that */
void hash_path_identity(struct hash *h, const char *path);	/* likewise, and its path; nothing
								   more if there is no such file */
const char *hash_hex(struct hash *h);			/* returns 64 digits in the arena, and
							   ends H */

#endif
