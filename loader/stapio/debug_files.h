/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens debug files for the namer, which can't, and which nobody believes: only regular files below
 * /usr/lib/debug, where the machine's owner puts them, and what the servers of debuginfod have.  Beside a
 * program anybody may have put anything, a file system that never answers for instance.
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

/* Returns the descriptor of a debug file of PROGRAM, a path; -1: there is none.  KEY has N bytes and a NUL
 * behind them. */
int debug_file_find(enum debug_file how, const char *program, const char *key, size_t n,
		    download_progress progress);

#endif
