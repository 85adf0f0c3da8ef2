/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which names does a file define?  Told from its raw tokens alone: no
 * preprocessor (both branches of a conditional count), no grammar.  So a name
 * may be told that the file turns out not to define for this target; never
 * the other way round.
 */
#ifndef STAP_SCAN_H
#define STAP_SCAN_H

#include "base/diag.h"
#include "lang.h"

/*
 * Calls FOUND for each function, global, alias (its whole dotted name) and, in
 * a macro file, macro; private ones are left out.  NAME is LEN bytes, gone
 * after the call.
 */
void scan_names(const struct source *src, bool macro_file,
		void (*found)(void *arg, enum lib_kind kind, const char *name, size_t len),
		void *arg);

#endif
