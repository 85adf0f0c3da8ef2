/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by float.c, which explains it, and float_text.c. */
#ifndef STAP_FLOAT_H
#define STAP_FLOAT_H

#include "port/port.h"

#define FP_SIGN (1ull << 63)
#define FP_INFINITY (0x7ffull << 52)
#define FP_QUIET (1ull << 51)

/* Rounds m * 2^e to the nearest number, ties to even; sign is FP_SIGN or 0. */
u64 st_fp_pack(u64 sign, u64 m, int e);

#endif
