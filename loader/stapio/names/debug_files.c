// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds debug files (debug_files.h). */
#define _GNU_SOURCE
#include "debug_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/regular.h"

#define ROOT "/usr/lib/debug"
#define BUILD_ID_MOST 64

static int open_below(const char *directory, size_t length, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), ROOT "%.*s/%s", (int)length, directory, name) >=
		    sizeof(path) ||
	    strstr(path, "/../"))
		return -1;
	return regular_open(path);
}

static int by_build_id(const char *id, size_t n)
{
	char name[2 * BUILD_ID_MOST + sizeof("/.debug")], *to = name;

	if (n < 2 || n > BUILD_ID_MOST)
		return -1;
	for (size_t i = 0; i < n; i++)
		to += sprintf(to, i == 1 ? "/%02x" : "%02x", (unsigned char)id[i]);
	strcpy(to, ".debug");
	return open_below("/.build-id", strlen("/.build-id"), name);
}

static int by_link(const char *program, const char *link)
{
	const char *name = strrchr(link, '/'), *slash = strrchr(program, '/');
	int fd = -1;

	if (!strncmp(link, ROOT "/", strlen(ROOT "/")))
		return open_below("", 0, link + strlen(ROOT "/"));
	name = name ? name + 1 : link;
	if (!*name || !strcmp(name, "..") || !strcmp(name, "."))
		return -1;
	if (slash)
		fd = open_below(program, slash - program, name);
	return fd < 0 ? open_below("/.dwz", strlen("/.dwz"), name) : fd;
}

static int from_servers(const char *id, size_t n, download_progress progress)
{
	char *path = NULL;
	int fd = n && download_possible() ? download_debug_file(id, n, progress, &path) : -1;

	free(path);
	return fd;
}

int debug_file_find(enum debug_file how, const char *program, const char *key, size_t n,
		    download_progress progress)
{
	if (how == DEBUG_BUILD_ID)
		return by_build_id(key, n);
	if (how == DEBUG_LINK)
		return by_link(program, key);
	return how == DEBUG_SERVERS ? from_servers(key, n, progress) : -1;
}
