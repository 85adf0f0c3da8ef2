/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An intermediate program as a file, which one program writes and another runs:
 *
 *	struct sbuf file = { 0 };
 *
 *	why = ir_write(&file, program);
 *	…
 *	program = ir_read(file.s, file.len, &why);
 *	if (!program)
 *		die("hits.stpi: %s", why);		"it is damaged"
 *
 * The file has a head (what it is, the version, a check sum and the length of the rest) and the program,
 * without pointers.  A program that is read again is the same, but for the C of embedded functions, which
 * only the module's engine takes.
 *
 * A reader believes nothing: it bounds each number by what is left of the file, and returns only a
 * program that ir_verify() accepts.  It takes time and memory in proportion to the file's size.  It refuses a file of another version, because only the same
 * version's stap writes files for it.
 */
#ifndef STAP_IR_FILE_H
#define STAP_IR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sbuf.h"

struct ir_program;

/* Appends the file to OUT.  Returns NULL, or why it can't be read again: regions are nested too deeply. */
const char *ir_write(struct sbuf *out, const struct ir_program *p);

/* Returns the program in N bytes of a file, in the arena; NULL with *WHY set. */
struct ir_program *ir_read(const void *bytes, size_t n, const char **why);

/* Returns the checksum that the head of a file has of the N bytes behind it. */
uint32_t ir_checksum(const void *bytes, size_t n);

/* Do the bytes begin like such a file? */
bool ir_is_file(const void *bytes, size_t n);

#endif
