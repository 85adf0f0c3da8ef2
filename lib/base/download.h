/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches debug files from the servers in $DEBUGINFOD_URLS, through elfutils' libdebuginfod.
 *
 * The library is loaded on first use, because it brings a whole HTTP client that few runs need.  It caches
 * what it fetched, and that a server had nothing, and gives up on a silent server after
 * $DEBUGINFOD_TIMEOUT seconds (90 by default).
 *
 * The loader's programs use this too: it needs nothing else of this room.
 */
#ifndef STAP_BASE_DOWNLOAD_H
#define STAP_BASE_DOWNLOAD_H

#include <stdbool.h>
#include <stddef.h>

#define DOWNLOAD_LIBRARY "libdebuginfod.so.1"

/* Called now and then with the bytes that came, and all that will, if known; true: give up. */
typedef bool (*download_progress)(long done, long total);

/* Are servers configured? */
bool download_possible(void);

/* Fetches the debug file with a build-id of N bytes.  Returns its descriptor, with *PATH allocated by
 * malloc(); or -errno: -ELIBACC if the library is missing, -ELIBBAD if it lacks functions. */
int download_debug_file(const void *id, size_t n, download_progress progress, char **path);

#endif
