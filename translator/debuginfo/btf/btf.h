/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and opens BTF, the kernel's compact type information. */
#ifndef STAP_TARGET_BTF_H
#define STAP_TARGET_BTF_H

#include "debuginfo/internal.h"

/*
 * Opens the kernel's or a module's BTF as a debug file whose places have names
 * instead of addresses (by_symbol).  Returns NULL with *WHY, which says where
 * it was looked for.
 */
struct dwfile *btf_open(struct target *t, const char *module, struct problem *why);

#endif
