/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the names that a file defines from its raw tokens: no preprocessor, so
 * both branches of a conditional count, and no grammar.  It may report a name
 * that the file doesn't define for this target, but misses none.
 */
#ifndef STAP_SCAN_H
#define STAP_SCAN_H

#include "base/diag.h"
#include "lang.h"

/*
 * Calls FOUND for each function, global and alias of a source (an alias's whole
 * dotted name), and for each macro of a macro file.  Private ones are left out.
 * NAME has LEN bytes and is valid during the call.
 */
void scan_names(const struct source *src, bool macro_file,
		void (*found)(void *arg, enum lib_kind kind, const char *name, size_t len),
		void *arg);

#endif
