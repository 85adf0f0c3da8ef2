/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a function in C, C++ or Rust leaves its result.
 *
 * A result of up to two words is in registers.  A word of floating-point numbers alone is in
 * the next vector register, any other in the next register for integers:
 *
 *	struct { double x; long n; }	x in xmm0, n in rax
 *	struct { float x, y; int n; }	x and y in xmm0, n in rax
 *
 * Larger results, and objects of C++ that have to be copied by their class's code, are in
 * the caller's memory.  Source: the System V psABI for AMD64, "The Classification Algorithm".
 *
 * Rust's own functions follow no written rule; what its compilers leave elsewhere than C's, such
 * as two numbers that share a word, isn't found.
 */
#ifndef STAP_C_RESULT_H
#define STAP_C_RESULT_H

#include "object.h"

/* Finds the result of a function that returns T.  Returns false if it isn't in registers. */
bool c_result(struct view *v, const struct ctype *t, struct object *out);

#endif
