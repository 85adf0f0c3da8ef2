/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the names that a file defines from its raw tokens, without preprocessor
 * and grammar.  So both branches of a conditional count, and it may report a name
 * that the file doesn't define for this target, but misses none.  An alias whose
 * name is made by macros is reported as a pattern, "nfs.proc*.*.return" for
 * "probe nfs.proc@{version}.@{name}.return"; behind a macro's result, which may
 * have dots in it, nothing is known: "nfs.*" for "probe nfs.@place.return".
 * An alias that is defined by a macro of a macro file is not found.  Its file must
 * define another alias beside it by itself, as syscall.NAME beside syscall.NAME.return.
 */
#ifndef STAP_SCAN_H
#define STAP_SCAN_H

#include "base/diag.h"
#include "lang.h"

/*
 * Calls FOUND for each function, global and alias of a source (an alias's whole
 * dotted name), and for each macro of a macro file.  Private ones are left out.
 * NAME has LEN bytes and is valid during the call.  Returns false if the tokens
 * show that the source has errors, on account of which names may be missing.
 */
bool scan_names(const struct source *src, bool macro_file,
		void (*found)(void *arg, enum lib_kind kind, const char *name, size_t len),
		void *arg);

#endif
