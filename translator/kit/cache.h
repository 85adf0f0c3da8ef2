/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache: results, found by a hash of everything they were made from.  It
 * lies in $SYSTEMTAP_DIR/cache.
 *
 *	key = hash of kit, C file, module name …;
 *	path = cache_get(s, key, ".ko");
 *	if (!path)
 *		path = cache_put(s, key, ".ko", build(…));
 *
 * A new entry is written under another name, synced and renamed, so an entry that exists is
 * complete. session_cache_dir() says where all this lies, and ensures that no other user can write
 * there; entries that others could have written once count as absent (base/trust.h).
 */
#ifndef STAP_KIT_CACHE_H
#define STAP_KIT_CACHE_H

#include <stddef.h>

struct sbuf;
struct session;

/*
 * Returns the path of an entry, in the arena, if it exists and its checksum is
 * right; else NULL.
 */
const char *cache_get(struct session *s, const char *key, const char *suffix);

/*
 * Copies a file into the cache.  Returns its path there; or NULL if there is no
 * cache, or after a warning if it can't be written.
 */
const char *cache_put(struct session *s, const char *key, const char *suffix,
		      const char *from_path);

/* Likewise with bytes.  Failing is no error, because the next run makes them again. */
void cache_put_bytes(struct session *s, const char *key, const char *suffix, const void *p, size_t n);

/*
 * Locks a file of the directory until the returned descriptor is closed.
 * Returns -1 if that fails.
 */
int cache_lock(const char *dir, const char *name);

/*
 * Keeps a kit's directory from being pruned until the returned descriptor is
 * closed.  Returns -1 if there is no such directory or it is being removed.
 */
int cache_hold(const char *dir);

/* Appends a small file of the cache to TO.  Returns 0, or -1 with errno set. */
int cache_read(const char *dir, const char *name, struct sbuf *to);

/*
 * Writes a small file of the cache under another name, and renames it.  Returns
 * 0, or -1 with errno set.
 */
int cache_write(const char *dir, const char *name, const char *text);

/* Removes entries, the least recently used first, until the cache is within its limit. */
void cache_prune(struct session *s);

/* --clean-cache: removes all entries.  Returns 0, or -1 after a message. */
int cache_clean(struct session *s);

#endif
