/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the unit that an address belongs to, by .debug_aranges. */
#ifndef STAP_ARANGES_H
#define STAP_ARANGES_H

#include "debuginfo/internal.h"

/*
 * Finds the units of N addresses in one pass: units[i] is the offset of
 * addrs[i]'s unit in .debug_info, or ARANGES_NONE.  Compilers may leave out the
 * section, or units in it.
 */
#define ARANGES_NONE (~(uint64_t)0)
void aranges_find(const struct dwfile *f, const uint64_t *addrs, uint64_t *units, size_t n);

#endif
