/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which unit an address belongs to, by .debug_aranges. */
#ifndef STAP_ARANGES_H
#define STAP_ARANGES_H

#include "debuginfo/internal.h"

/*
 * Unit offsets for N addresses, found in one pass: units[i] for addrs[i], or
 * ARANGES_NONE.  Compilers may leave the section, or units in it, out.
 */
#define ARANGES_NONE (~(uint64_t)0)
void aranges_find(const struct dwfile *f, const uint64_t *addrs, uint64_t *units, size_t n);

#endif
