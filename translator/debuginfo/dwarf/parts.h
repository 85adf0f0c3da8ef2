/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a file's debug information in other files. */
#ifndef STAP_PARTS_H
#define STAP_PARTS_H

#include "debuginfo/internal.h"
#include "join.h"

/*
 * Split units (split.c): does the file have any?  join_split() joins those it
 * finds and warns about the others; false with *WHY if it finds none.
 */
bool is_split(const struct dwfile *f);
bool join_split(struct dwfile *f, struct joint *j, struct problem *why);

/*
 * dwz (altlink.c): does the file have a common file?  join_common() joins it;
 * false with *WHY.
 */
bool has_common_file(const struct dwfile *f);
bool join_common(struct dwfile *f, struct joint *j, struct problem *why);

#endif
