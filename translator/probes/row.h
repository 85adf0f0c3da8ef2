/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place's row: what the family's half in the runtime is told about the place, as data.
 *
 * A family's row() adds fields; the backend decides what a row looks like.  For
 * timer.ms(10).randomize(5)
 *
 *	row_number(out, "interval", 10000000);
 *	row_number(out, "random", 5000000);
 *
 * becomes, in the module's C, ".interval = 10000000, .random = 5000000".  A field that is
 * 0 or NULL is left out.  Names and constants are the runtime's (runtime/abi/stap_script.h).  Texts
 * are not copied; fields lie in the arena.
 */
#ifndef STAP_ROW_H
#define STAP_ROW_H

#include <stdint.h>

#include "base/vec.h"
#include "program/program.h"

/* An instruction in a program's file: its offset, and the code there. */
struct row_code {
	uint64_t offset;
	const struct code_bytes *code;
};

/* A field: the runtime's name for it, and a value of some kind. 'kind' says which members count. */
struct row_field {
	const char *name;
	enum row_kind {
		ROW_NUMBER,		/* number */
		ROW_ADDRESS,		/* number, unsigned: for people in hexadecimal */
		ROW_CONSTANT,		/* text: the name of one */
		ROW_TEXT,		/* text */
		ROW_SLICE,		/* text, with its length */
		ROW_CODE,		/* codes.v[0]: an instruction */
		ROW_CODE_POINTER,	/* the same behind a pointer */
		ROW_CODES,		/* codes: an array; and field "nNAME", their number */
		ROW_RECORD,		/* record */
	} kind;
	int64_t number;
	const char *text;
	vec(struct row_code) codes;
	struct row *record;
};

/* A row: its fields, in the order in which they were added. */
struct row {
	vec(struct row_field) fields;
	const char *pp;			/* pp(), if it isn't the site's */
};

void row_number(struct row *row, const char *name, int64_t number);
void row_address(struct row *row, const char *name, uint64_t address);
void row_constant(struct row *row, const char *name, const char *constant);
void row_text(struct row *row, const char *name, const char *text);
void row_slice(struct row *row, const char *name, const char *text);
void row_code(struct row *row, const char *name, uint64_t offset, const struct code_bytes *code);
void row_code_pointer(struct row *row, const char *name, uint64_t offset,
		      const struct code_bytes *code);

/* Adds N instructions at these offsets, and their number; adds nothing if N is 0. */
void row_codes(struct row *row, const char *name, const uint64_t *offsets,
	       const struct code_bytes *codes, size_t n);

/* Adds a record to the row, and returns it for its own fields. */
struct row *row_record(struct row *row, const char *name);

#endif
