// SPDX-License-Identifier: GPL-2.0-or-later
/* Fetches debug files for the translator (base/download.h); ^C stops a download. */
#include "debuginfod.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/download.h"
#include "session.h"

/* Reported once the download takes time; files from the cache come at once. */
static const char *fetched;

static bool progress(long done, long total)
{
	if (fetched && (done || total))
		fprintf(stderr, "Downloading %s from %s\n", fetched, getenv("DEBUGINFOD_URLS"));
	if (done || total)
		fetched = NULL;
	return session_interrupted() != 0;
}

static const char *reason(int error)
{
	if (error == ELIBACC)
		return "DEBUGINFOD_URLS is set, but " DOWNLOAD_LIBRARY " is missing: install "
		       "package libdebuginfod1";
	if (error == ELIBBAD)
		return DOWNLOAD_LIBRARY " lacks functions of elfutils' interface";
	if (error == ENOMEM)
		return "can't start a debuginfod client";
	return arena_printf("debuginfod (%s) has none: %s", getenv("DEBUGINFOD_URLS"),
			    strerror(error));
}

const char *debuginfod_fetch(const char *what, const void *id, size_t n, struct problem *why)
{
	const char *path = NULL;
	char *found = NULL;
	int fd;

	why->text = NULL;
	if (!download_possible())
		return NULL;
	fetched = arena_printf("the debug information of %s", what);
	fd = download_debug_file(id, n, progress, &found);
	if (fd >= 0) {
		close(fd);
		path = arena_strdup(found);
	} else {
		why->text = reason(-fd);
	}
	free(found);
	return path;
}
