/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of source files that debug information names.
 *
 * A kernel's source is looked for where it was built, where its headers lie,
 * and where distributions unpack it.
 */
#ifndef STAP_TARGET_SOURCE_H
#define STAP_TARGET_SOURCE_H

#include "debuginfo/internal.h"

/* A line, from 1, of a file as users see it ("fs/open.c"), without its newline;
 * NULL: not in the file, or no such file here. */
const char *source_line(struct dwfile *f, const char *file, int line);

/* How many lines it has; 0: it isn't here. */
int source_lines(struct dwfile *f, const char *file);

/* Where it was looked for, as a list for a message. */
const char *source_places(struct dwfile *f, const char *file);

/* A text without blanks and tabs. */
const char *source_squeeze(const char *text);

#endif
