/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of source files that debug information names.
 *
 * A kernel's source is looked for where it was compiled, under /lib/modules,
 * where its headers are, and where distributions put it.
 */
#ifndef STAP_TARGET_SOURCE_H
#define STAP_TARGET_SOURCE_H

#include "debuginfo/internal.h"

/*
 * Returns a line, from 1, of a file named as users see it ("fs/open.c"),
 * without its newline.  NULL if the line or the file doesn't exist.
 */
const char *source_line(struct dwfile *f, const char *file, int line);

/* Returns the number of lines; 0 if the file doesn't exist here. */
int source_lines(struct dwfile *f, const char *file);

/* Returns the paths where a file is looked for, as a list for a message. */
const char *source_places(struct dwfile *f, const char *file);

/* Removes blanks and tabs from a text. */
const char *source_squeeze(const char *text);

#endif
