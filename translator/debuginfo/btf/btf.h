/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where BTF is to be had: btf.c. */
#ifndef STAP_TARGET_BTF_H
#define STAP_TARGET_BTF_H

#include "debuginfo/internal.h"

/*
 * The kernel's or a module's BTF as a debug file whose places are named, not
 * addressed (by_symbol).  NULL with *why: where was looked.
 */
struct dwfile *btf_open(struct target *t, const char *module, const char **why);

#endif
