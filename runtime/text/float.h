/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of IEEE 754 arithmetic have in common (float.c says how it is done). */
#ifndef STAP_FLOAT_H
#define STAP_FLOAT_H

#include "abi/data.h"

#define FP_SIGN (1ull << 63)
#define FP_INFINITY (0x7ffull << 52)
#define FP_QUIET (1ull << 51)

/* The number nearest to m times 2 to e, ties to even; sign is FP_SIGN or 0. */
u64 st_fp_pack(u64 sign, u64 m, int e);

#endif
