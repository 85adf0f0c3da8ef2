/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other files a file's debug information is in, for parts.c. */
#ifndef STAP_PARTS_H
#define STAP_PARTS_H

#include "debuginfo/internal.h"
#include "join.h"

/* Has it split units?  Joins those whose files are there, warns of the others; false
 * with *why when none is. */
bool is_split(const struct dwfile *f);
bool join_split(struct dwfile *f, struct joint *j, const char **why);

/* Has dwz moved part of it to another file?  Joins that; false with *why. */
bool has_common_file(const struct dwfile *f);
bool join_common(struct dwfile *f, struct joint *j, const char **why);

#endif
