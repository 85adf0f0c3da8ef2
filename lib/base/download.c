// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls libdebuginfod (download.h). */
#include "download.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static download_progress told;

static void symbol(const char *name, void *to)
{
	void *p = dlsym(lib.handle, name);

	memcpy(to, &p, sizeof(p));
}

static int load(void)
{
	if (!lib.handle) {
		lib.handle = dlopen(DOWNLOAD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (!lib.handle)
			return -ELIBACC;
		symbol("debuginfod_begin", &lib.begin);
		symbol("debuginfod_end", &lib.end);
		symbol("debuginfod_set_progressfn", &lib.set_progress);
		symbol("debuginfod_find_debuginfo", &lib.find);
	}
	return lib.begin && lib.end && lib.set_progress && lib.find ? 0 : -ELIBBAD;
}

static int progress(struct client *c, long done, long total)
{
	(void)c;
	return told(done, total);
}

bool download_possible(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

int download_debug_file(const void *id, size_t n, download_progress each, char **path)
{
	int fd = load();
	struct client *c = fd ? NULL : lib.begin();

	if (fd)
		return fd;
	if (!c)
		return -ENOMEM;
	told = each;
	lib.set_progress(c, progress);
	fd = lib.find(c, id, n, path);
	lib.end(c);
	return fd;
}
