// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetches debug files from servers, through elfutils' libdebuginfod.
 *
 * The library is loaded on first use, because it brings a whole HTTP client
 * that few runs need.  It caches what it fetched, and that a server had
 * nothing, and gives up on a silent server after $DEBUGINFOD_TIMEOUT seconds
 * (90 by default).  Its progress callback stops the download after ^C.
 */
#include "debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "session.h"

#define LIBRARY "libdebuginfod.so.1"

/* The part of elfutils/debuginfod.h used here. */
struct client;
typedef int progress_fn(struct client *, long, long);

static struct {
	void *handle;
	struct client *(*begin)(void);
	void (*end)(struct client *);
	void (*set_progress)(struct client *, progress_fn *);
	int (*find)(struct client *, const unsigned char *, int, char **);
} lib;

static void symbol(const char *name, void *to)
{
	void *p = dlsym(lib.handle, name);

	memcpy(to, &p, sizeof(p));
}

static bool load(struct problem *why)
{
	if (!lib.handle) {
		lib.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (!lib.handle) {
			why->text = "DEBUGINFOD_URLS is set, but " LIBRARY " is missing: install "
			       "package libdebuginfod1";
			return false;
		}
		symbol("debuginfod_begin", &lib.begin);
		symbol("debuginfod_end", &lib.end);
		symbol("debuginfod_set_progressfn", &lib.set_progress);
		symbol("debuginfod_find_debuginfo", &lib.find);
	}
	if (lib.begin && lib.end && lib.set_progress && lib.find)
		return true;
	why->text = LIBRARY " lacks functions of elfutils' interface";
	return false;
}

/* Reported once the download takes time; files from the cache come at once. */
static const char *fetched;

static int progress(struct client *c, long done, long total)
{
	(void)c;
	if (fetched && (done || total))
		fprintf(stderr, "Downloading %s from %s\n", fetched, getenv("DEBUGINFOD_URLS"));
	if (done || total)
		fetched = NULL;
	return session_interrupted() != 0;
}

const char *debuginfod_fetch(const char *what, const void *id, size_t n, struct problem *why)
{
	const char *urls = getenv("DEBUGINFOD_URLS"), *path = NULL;
	struct client *c;
	char *found = NULL;
	int fd;

	why->text = NULL;
	if (!urls || !urls[strspn(urls, " ")] || !load(why))
		return NULL;
	c = lib.begin();
	if (!c) {
		why->text = "can't start a debuginfod client";
		return NULL;
	}
	fetched = arena_printf("the debug information of %s", what);
	lib.set_progress(c, progress);
	fd = lib.find(c, id, n, &found);
	lib.end(c);
	if (fd >= 0) {
		close(fd);
		path = arena_strdup(found);
	} else {
		why->text = arena_printf("debuginfod (%s) has none: %s", urls, strerror(-fd));
	}
	free(found);
	return path;
}
