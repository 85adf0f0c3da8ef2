/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens debug files for the namer, whose sandbox forbids open().  The namer may have been taken over by a
 * hostile program, so it gets only regular files below /usr/lib/debug, which root installs, and files from
 * debuginfod servers.  A debug file beside the program itself is ignored: any user may have put it there,
 * in a FUSE mount that never answers, for example.
 *
 *	DEBUG_BUILD_ID	1a2b…		/usr/lib/debug/.build-id/1a/2b….debug
 *	DEBUG_LINK	prog.debug	of /usr/bin/prog: /usr/lib/debug/usr/bin/prog.debug
 *			/usr/lib/debug/.dwz/x86_64-linux-gnu/prog.debug		itself
 *			../../.dwz/prog-1.0	/usr/lib/debug/.dwz/prog-1.0
 *	DEBUG_SERVERS	1a2b…		$DEBUGINFOD_URLS
 */
#ifndef STAP_DEBUG_FILES_H
#define STAP_DEBUG_FILES_H

#include <stddef.h>

#include "base/download.h"
#include "binary.h"

/* Opens the debug file of PROGRAM, a path, in the way HOW.  KEY, a build-id or a name, has N bytes and a
 * NUL behind them.  Returns the descriptor, or -1 if there is no such file. */
int debug_file_find(enum debug_file how, const char *program, const char *key, size_t n,
		    download_progress progress);

#endif
