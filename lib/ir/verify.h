/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the verifier (ir.h).
 *
 * A program may be a file of somebody who wants verifying it to take long.  So the time is proportional
 * to the file's size: what many operations or probes name, a handler, a format or a tuple, is looked at
 * once, not once for each.
 */
#ifndef STAP_IR_VERIFY_H
#define STAP_IR_VERIFY_H

#include "base/table.h"
#include "ir/ir.h"

/* Bounds that no script meets: they keep what a file asks for within what an engine can allocate. */
enum { IR_SORTERS_MOST = 4096, IR_AREA_MOST = 65536 };

/*
 * tables.c: verifies what is around the bodies, before these are walked.  Returns NULL, or what is
 * wrong.
 */
const char *ir_verify_tables(const struct ir_program *p);

/* The formats that were read so far, by the addresses of their texts. */
struct ir_known_format {
	const char *text;
	const char *takes;
};
struct ir_formats {
	struct table by_text;
	vec(struct ir_known_format) known;
};

/*
 * formats.c: what a format (runtime/text/format.h) takes, and what values are: a letter for each, 's' a
 * string, 'w' a word, '*' neither.  "%s: %*d" takes "sww".  Interned, so what is equal has one address.
 */
const char *ir_format_takes(struct ir_formats *all, const char *format);
const char *ir_letters(const enum ir_type *types, size_t n);

/*
 * fetches.c: verifies a term with so many inputs: sorts, sizes, formats.  Returns NULL, or what is
 * wrong.
 */
const char *ir_verify_term(struct ir_formats *all, const struct term *t, size_t inputs);

#endif
