/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the running program is.  In a build tree the programs lie beside each
 * other; installed, each has its place:
 *
 *	char path[PATH_MAX];
 *	const char *vm = self_beside("stap-vm", path) ? path : STAP_BINDIR "/stap-vm";
 */
#ifndef STAP_BASE_SELF_H
#define STAP_BASE_SELF_H

#include <limits.h>
#include <stdbool.h>

/* Executes the running program again, whatever its file is called by now. */
#define SELF_EXE "/proc/self/exe"

/* Sets PATH to the running program's file.  Returns false, and "", if that isn't known. */
bool self_path(char path[PATH_MAX]);

/* Sets PATH to the file NAME in that file's directory.  Returns false if there is none. */
bool self_beside(const char *name, char path[PATH_MAX]);

#endif
