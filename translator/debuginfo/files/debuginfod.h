/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from the servers in $DEBUGINFOD_URLS. */
#ifndef STAP_DEBUGINFOD_H
#define STAP_DEBUGINFOD_H

#include <stddef.h>

#include "base/problem.h"

/*
 * Returns the path of the debug file with a build-id of N bytes, downloaded if
 * need be.  WHAT names it for the progress message.  Returns NULL with *WHY, a
 * phrase; that is NULL if no server is configured.
 */
const char *debuginfod_fetch(const char *what, const void *id, size_t n, struct problem *why);

#endif
