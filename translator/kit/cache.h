/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache: results by what they were made from, below $SYSTEMTAP_DIR/cache.
 *
 * A key is a hash (base/hash.h) of everything that decides the result.  Entries are
 * written aside, synced and renamed, so that one that is there is whole.
 */
#ifndef STAP_KIT_CACHE_H
#define STAP_KIT_CACHE_H

struct session;

/* Path of an entry, in the arena, if the cache has it whole; else NULL. */
const char *cache_get(struct session *s, const char *key, const char *suffix);

/* Puts a file in the cache: written aside, synced, renamed.  Its path there, or
 * NULL (no cache, full disk: a warning, the caller keeps its own file). */
const char *cache_put(struct session *s, const char *key, const char *suffix,
		      const char *from_path);

/* $home/cache, made on first use; NULL when there is none to be had (disabled; a
 * warning was given when it can't be made). */
const char *cache_dir(struct session *s);

/* A lock in that directory, held until the descriptor is closed; -1: not to be had. */
int cache_lock(const char *dir, const char *name);

/* A small file of the cache's own: written aside and renamed.  0, or -1 with errno. */
int cache_write(const char *dir, const char *name, const char *text);

/* Prunes the cache to its limit: least recently used first. */
void cache_prune(struct session *s);

/* --clean-cache. */
int cache_clean(struct session *s);

#endif
