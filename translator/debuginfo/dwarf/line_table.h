/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line programs of many units as one table by address, in the form the runtime reads
 * (runtime/abi/srcline.h).
 */
#ifndef STAP_LINE_TABLE_H
#define STAP_LINE_TABLE_H

#include "base/sbuf.h"
#include "debuginfo/internal.h"

/*
 * Puts the table of a section's code into OUT; of all code of the file where SECT is
 * NULL (an image, whose addresses are relative to one base).  False when there is none.
 */
bool line_table_write(struct dwfile *f, const struct section *sect, struct sbuf *out);

#endif
