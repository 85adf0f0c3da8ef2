/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from the servers that DEBUGINFOD_URLS names: debuginfod.c. */
#ifndef STAP_DEBUGINFOD_H
#define STAP_DEBUGINFOD_H

#include <stddef.h>

/*
 * The path of the debug file with a build-id, fetched if need be; said is of WHAT.
 * NULL with *why: a phrase, itself NULL where no server is named.
 */
const char *debuginfod_fetch(const char *what, const void *id, size_t n, const char **why);

#endif
