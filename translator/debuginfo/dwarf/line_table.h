/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line programs of all units as one table by address, in the runtime's
 * format (runtime/abi/srcline.h).
 */
#ifndef STAP_LINE_TABLE_H
#define STAP_LINE_TABLE_H

#include "base/sbuf.h"
#include "debuginfo/internal.h"

/*
 * Writes the table of a section's code to OUT; if SECT is NULL, of all code of
 * a linked image.  Returns false if there are no lines, or no memory.
 */
bool line_table_write(struct dwfile *f, const struct section *sect, struct sbuf *out);

#endif
