// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug files from servers, through elfutils' libdebuginfod.
 *
 * The library is loaded when it is first needed: it brings a whole HTTP client, and
 * few runs have a use for it.  It keeps what it has fetched, and that there was
 * nothing, and gives up on a server that is silent for DEBUGINFOD_TIMEOUT seconds
 * (90 by default).  It asks on the way whether to go on: not after ^C.
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

/* What is used of it, as elfutils/debuginfod.h has it. */
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

static bool load(const char **why)
{
	if (!lib.handle) {
		lib.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (!lib.handle) {
			*why = "DEBUGINFOD_URLS is set, but " LIBRARY " is not there: install "
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
	*why = LIBRARY " has not the functions it should have";
	return false;
}

/* Said once it takes some time: what was fetched before is there at once. */
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

const char *debuginfod_fetch(const char *what, const void *id, size_t n, const char **why)
{
	const char *urls = getenv("DEBUGINFOD_URLS"), *path = NULL;
	struct client *c;
	char *found = NULL;
	int fd;

	*why = NULL;
	if (!urls || !urls[strspn(urls, " ")] || !load(why))
		return NULL;
	c = lib.begin();
	if (!c) {
		*why = "debuginfod can't be asked";
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
		*why = arena_printf("debuginfod (%s) has none: %s", urls, strerror(-fd));
	}
	free(found);
	return path;
}
