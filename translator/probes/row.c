// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds fields to a row. */
#include "row.h"

#include "base/arena.h"

static struct row_field *add(struct row *row, const char *name, enum row_kind kind)
{
	vec_push(&row->fields, ((struct row_field){ .name = name, .kind = kind }));
	return &row->fields.v[row->fields.n - 1];
}

void row_number(struct row *row, const char *name, int64_t number)
{
	if (number)
		add(row, name, ROW_NUMBER)->number = number;
}

void row_address(struct row *row, const char *name, uint64_t address)
{
	if (address)
		add(row, name, ROW_ADDRESS)->number = address;
}

void row_constant(struct row *row, const char *name, const char *constant)
{
	add(row, name, ROW_CONSTANT)->text = constant;
}

void row_text(struct row *row, const char *name, const char *text)
{
	if (text)
		add(row, name, ROW_TEXT)->text = text;
}

void row_slice(struct row *row, const char *name, const char *text)
{
	add(row, name, ROW_SLICE)->text = text;
}

static void add_code(struct row *row, const char *name, enum row_kind kind, uint64_t offset,
		     const struct code_bytes *code)
{
	struct row_field *field = add(row, name, kind);

	vec_push(&field->codes, ((struct row_code){ offset, code }));
}

void row_code(struct row *row, const char *name, uint64_t offset, const struct code_bytes *code)
{
	add_code(row, name, ROW_CODE, offset, code);
}

void row_code_pointer(struct row *row, const char *name, uint64_t offset,
		      const struct code_bytes *code)
{
	add_code(row, name, ROW_CODE_POINTER, offset, code);
}

void row_codes(struct row *row, const char *name, const uint64_t *offsets,
	       const struct code_bytes *codes, size_t n)
{
	struct row_field *field;

	if (!n)
		return;
	field = add(row, name, ROW_CODES);
	for (size_t i = 0; i < n; i++)
		vec_push(&field->codes, ((struct row_code){ offsets[i], &codes[i] }));
}

struct row *row_record(struct row *row, const char *name)
{
	return add(row, name, ROW_RECORD)->record = arena_new(struct row);
}
