/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of x86-64 code: how long they are, and which of them return.
 *
 *	for (at = 0; at < n; at += size)
 *		size = decode_x86_64(code + at, n - at, &returns);
 *
 * Zydis decodes them.  Bytes that are no instruction, or the beginning of one, have size 0.
 */
#ifndef STAP_DECODE_H
#define STAP_DECODE_H

#include <stdbool.h>
#include <stddef.h>

size_t decode_x86_64(const unsigned char *code, size_t n, bool *returns);

#endif
