// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats strings (sprintf(), and the texts of terms): piece by piece, each appended to the result as far
 * as there is room.  The kernel's bpf_snprintf() formats numbers; it would cut strings.
 */
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "gen.h"
#include "text/format.h"

/* The room of a number: 64 bits, or the widest field. */
enum { PIECE = 128, WIDTH_MOST = PIECE - 8 };

/* Where the values of a field's '*' are, behind the pieces. */
enum { WIDTH = STRING_BYTES + PIECE, PRECISION = WIDTH + 8, PIECES = PRECISION + 8 };

/* A directive that appends to the string at AT. */
struct field {
	const struct st_directive *d;
	unsigned at, room;
};

/*
 * Makes the operands of a helper that appends r2 bytes to the string at AT: r1, and r2, not more than there is room
 * for and below MOST.  Changes r3 and r7.
 */
static void pass_end(struct gen *g, unsigned at, unsigned room, unsigned most)
{
	unsigned fits = code_label(g->c), bounded = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, at);
	code_op(g->c, BPF_AND, R7, bits_of(room));
	code_number(g->c, R3, room - 1);
	code_op_reg(g->c, BPF_SUB, R3, R7);
	code_jump_if_reg(g->c, BPF_JLE, R2, R3, fits);
	code_op_reg(g->c, BPF_MOV, R2, R3);
	code_here(g->c, fits);
	code_jump_if(g->c, BPF_JLT, R2, most < room ? most : room, bounded);
	code_number(g->c, R2, 0);
	code_here(g->c, bounded);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	code_store(g->c, BPF_DW, R9, at, R1);
	pass_frame(g, R1, at + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R1, R7);
}

/* Appends r2 bytes of the string at FROM to the one at AT, both in the frame. */
static void append_bytes(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room)
{
	pass_end(g, at, room, from_room);
	pass_frame(g, R3, from + STRING_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Appends the string at FROM to the one at AT, both in the frame. */
void put_append(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room)
{
	code_load(g->c, BPF_DW, R2, R9, from);
	append_bytes(g, at, room, from, from_room);
}

/* Appends r2 bytes of the string at FROM, from byte r4 on, to the one at AT, both in the frame. */
void put_append_part(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room)
{
	pass_end(g, at, room, from_room);
	code_op(g->c, BPF_AND, R4, bits_of(from_room));
	pass_frame(g, R3, from + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R3, R4);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Returns where a format of the kernel's is in the texts, which have tables too: these end with any byte. */
static unsigned text_at(struct gen *g, const char *text)
{
	struct sbuf *all = &g->plan->texts;
	size_t n = strlen(text) + 1, at;

	for (at = 0; at + n <= all->len; at += strlen(all->s + at) + 1)
		if (!memcmp(all->s + at, text, n))
			return at;
	at = all->len;
	sbuf_add(all, text, n);
	return at;
}

/* Returns where in the frame pieces are made. */
unsigned piece_at(struct gen *g)
{
	if (!g->piece)
		g->piece = take(g, PIECES);
	return g->piece;
}

/* Appends text, in which "%%" is a percent sign. */
static void append_text(struct gen *g, unsigned at, unsigned room, const char *text, unsigned n)
{
	char *plain = arena_alloc(n + 1);
	unsigned len = 0, part;

	for (unsigned i = 0; i < n; i++, len++) {
		plain[len] = text[i];
		i += text[i] == '%';
	}
	for (; len; plain += part, len -= part) {
		part = len < PIECE - 1 ? len : PIECE - 1;
		put_text(g, piece_at(g), rounded(part + 1), arena_strndup(plain, part));
		put_append(g, at, room, piece_at(g), rounded(part + 1));
	}
}

/*
 * Makes the bytes of the string at AT, in the frame, of the word at FROM by a format of the kernel's.  r0 =
 * the length that the text has or would have, negative on an error.
 */
void put_kernels_text(struct gen *g, unsigned at, unsigned room, const char *format, unsigned from)
{
	pass_frame(g, R1, at + STRING_BYTES);
	code_number(g->c, R2, room);
	code_map_value(g->c, R3, BPF_TEXTS, text_at(g, format));
	pass_frame(g, R4, from);
	code_number(g->c, R5, 8);
	code_helper(g->c, BPF_FUNC_snprintf);
	code_op(g->c, BPF_SUB, R0, 1);	/* the NUL */
}

void skip_unless_made(struct gen *g)
{
	unsigned made = code_label(g->c);

	code_jump_if(g->c, BPF_JSGE, R0, 0, made);
	leave(g, WAY_SKIPPED, NULL);
	code_here(g->c, made);
}

void append_hex(struct gen *g, unsigned at, unsigned room, const char *separator)
{
	enum { ROOM = 32 };
	unsigned first = code_label(g->c), made = code_label(g->c), piece = piece_at(g);

	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R0);
	code_load(g->c, BPF_DW, R1, R9, at);
	code_jump_if(g->c, BPF_JEQ, R1, 0, first);
	put_kernels_text(g, piece, ROOM, arena_printf("%s0x%%lx", separator), FRAME_TEMPORARY);
	code_jump(g->c, made);
	code_here(g->c, first);
	put_kernels_text(g, piece, ROOM, "0x%lx", FRAME_TEMPORARY);
	code_here(g->c, made);
	skip_unless_made(g);
	code_store(g->c, BPF_DW, R9, piece, R0);
	put_append(g, at, room, piece, ROOM);
}

/* ---- fields ---------------------------------------------------------------------- */

/* r0 = an argument for '*': keeps it, where PART says, as a number that is not negative. */
static void keep_part(struct gen *g, unsigned part)
{
	unsigned positive = code_label(g->c);

	code_jump_if(g->c, BPF_JSGE, R0, 0, positive);
	code_number(g->c, R0, 0);
	code_here(g->c, positive);
	code_store(g->c, BPF_DW, R9, piece_at(g) + part, R0);
}

/* REG = the width or precision of a field */
static void load_part(struct gen *g, unsigned reg, bool kept, unsigned part, int number)
{
	if (kept)
		code_load(g->c, BPF_DW, reg, R9, piece_at(g) + part);
	else
		code_number(g->c, reg, number);
}

/* r2 = how many bytes of the string at FROM the field has.  Changes r1. */
static void load_shown(struct gen *g, const struct field *f, unsigned from)
{
	unsigned fits = code_label(g->c);

	code_load(g->c, BPF_DW, R2, R9, from);
	if (!f->d->precision_arg && f->d->precision < 0)
		return;
	load_part(g, R1, f->d->precision_arg, PRECISION, f->d->precision);
	code_jump_if_reg(g->c, BPF_JLE, R2, R1, fits);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_here(g->c, fits);
}

/* Appends as many of the byte FILL as the string at FROM is shorter than the field. */
static void append_fill(struct gen *g, const struct field *f, unsigned from, char fill)
{
	unsigned none = code_label(g->c);
	char *fills = arena_alloc(f->room);

	memset(fills, fill, f->room - 1);
	load_shown(g, f, from);
	load_part(g, R1, f->d->width_arg, WIDTH, f->d->width);
	code_jump_if_reg(g->c, BPF_JLE, R1, R2, none);
	code_op_reg(g->c, BPF_SUB, R1, R2);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	pass_end(g, f->at, f->room, f->room);
	code_map_value(g->c, R3, BPF_TEXTS, text_at(g, fills));
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_here(g->c, none);
}

/* Appends the string at FROM, cut and padded as the field says. */
static void append_padded(struct gen *g, const struct field *f, unsigned from, unsigned from_room, char fill)
{
	bool left = f->d->flags & ST_F_LEFT, wide = f->d->width_arg || f->d->width > 0;

	if (wide && !left)
		append_fill(g, f, from, fill);
	load_shown(g, f, from);
	append_bytes(g, f->at, f->room, from, from_room);
	if (wide && left)
		append_fill(g, f, from, ' ');
}

/* ---- numbers ----------------------------------------------------------------------- */

static bool has_prefix(const struct st_directive *d)
{
	return d->conversion == 'p' || d->flags & ST_F_ALT;
}

/* Is the kernel's format without the width, which is added behind it? */
static bool is_padded(const struct st_directive *d)
{
	return d->width_arg || d->width > WIDTH_MOST ||
	       (d->width > 0 && (has_prefix(d) || d->conversion == 'o' || d->conversion == 'c'));
}

/* Returns the kernel's format of a directive; NULL: it has none. */
static const char *kernels_format(const struct st_directive *d)
{
	static const char *const conversions[] = {
		['d'] = "lld", ['i'] = "lld", ['u'] = "llu", ['x'] = "llx", ['X'] = "llX", ['p'] = "llx",
	};
	const char *conversion = (unsigned char)d->conversion < sizeof(conversions) / sizeof(*conversions) ?
				 conversions[(unsigned char)d->conversion] : NULL;

	if (!conversion || (d->flags & ST_F_ALT && d->conversion != 'x'))
		return NULL;
	if (is_padded(d))
		return arena_printf("%s%%%s%s%s", has_prefix(d) ? "0x" : "", d->flags & ST_F_SIGN ? "+" : "",
				    d->flags & ST_F_SPACE ? " " : "", conversion);
	return arena_printf("%s%%%s%s%s%s%s%s", has_prefix(d) ? "0x" : "", d->flags & ST_F_ZERO ? "0" : "",
			    d->flags & ST_F_LEFT ? "-" : "", d->flags & ST_F_SIGN ? "+" : "",
			    d->flags & ST_F_SPACE ? " " : "", d->width > 0 ? arena_printf("%d", d->width) : "",
			    conversion);
}

/* Makes a piece of r0 by a format of the kernel's. */
static void put_kernels(struct gen *g, const char *format)
{
	unsigned piece = piece_at(g);

	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R0);
	put_kernels_text(g, piece, PIECE, format, FRAME_TEMPORARY);
	code_store(g->c, BPF_DW, R9, piece, R0);
}

/* A number in octal: digits end at OCTAL_END of a piece, from where they are copied to its beginning. */
enum { OCTAL_DIGITS = 22, OCTAL_END = STRING_BYTES + 64, OCTAL_COPIED = 24 };

/* Makes a piece of r0 in octal, with a 0 in front if it is to be PREFIXED. */
static void put_octal(struct gen *g, bool prefixed)
{
	unsigned piece = piece_at(g), counted = code_label(g->c), bounded = code_label(g->c);

	for (unsigned i = 0; i <= OCTAL_DIGITS; i++) {
		code_op_reg(g->c, BPF_MOV, R1, R0);
		if (i < OCTAL_DIGITS)
			code_op(g->c, BPF_RSH, R1, 3 * i);
		else
			code_number(g->c, R1, 0);
		code_op(g->c, BPF_AND, R1, 7);
		code_op(g->c, BPF_ADD, R1, '0');
		code_store(g->c, BPF_B, R9, piece + OCTAL_END - 1 - i, R1);
	}
	for (unsigned n = 1; n <= OCTAL_DIGITS; n++) {
		code_store_number(g->c, BPF_DW, R9, piece, n + prefixed);
		code_op(g->c, BPF_RSH, R0, 3);
		code_jump_if(g->c, BPF_JEQ, R0, 0, counted);
	}
	code_here(g->c, counted);
	code_load(g->c, BPF_DW, R1, R9, piece);
	code_jump_if(g->c, BPF_JLE, R1, OCTAL_DIGITS + 1, bounded);
	code_number(g->c, R1, 0);
	code_here(g->c, bounded);
	pass_frame(g, R3, piece + OCTAL_END);
	code_op_reg(g->c, BPF_SUB, R3, R1);
	pass_frame(g, R1, piece + STRING_BYTES);
	code_number(g->c, R2, OCTAL_COPIED);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Has a number a precision that is a constant, and nothing else but a width? */
static bool is_precise(const struct st_directive *d)
{
	return d->conversion && strchr("diuxX", d->conversion) && d->precision > 0 && d->precision < WIDTH_MOST &&
	       !d->precision_arg && !(d->flags & ~ST_F_LEFT);
}

/* Makes a piece of r0 with so many digits at least: zeroes up to a width, to which a sign adds one. */
static void put_digits(struct gen *g, const struct st_directive *d)
{
	bool is_signed = d->conversion == 'd' || d->conversion == 'i';
	unsigned positive = code_label(g->c), done = code_label(g->c);
	const char *conversion = is_signed ? "d" : arena_printf("%c", d->conversion);

	if (is_signed) {
		code_jump_if(g->c, BPF_JSGE, R0, 0, positive);
		put_kernels(g, arena_printf("%%0%dlld", d->precision + 1));
		code_jump(g->c, done);
	}
	code_here(g->c, positive);
	put_kernels(g, arena_printf("%%0%dll%s", d->precision, conversion));
	code_here(g->c, done);
}

/* Appends r0 as a directive says. */
static void append_number(struct gen *g, const struct field *f)
{
	const struct st_directive *d = f->d;
	const char *format = kernels_format(d);
	bool zeroes = d->flags & ST_F_ZERO && !(d->flags & ST_F_LEFT);
	unsigned piece = piece_at(g);

	if (is_precise(d)) {
		struct st_directive all = *d;

		put_digits(g, d);
		all.precision = -1;	/* of a string it is the most bytes */
		append_padded(g, &(struct field){ &all, f->at, f->room }, piece, PIECE, ' ');
		return;
	}
	if (d->conversion == 'c' && !(d->flags & ~ST_F_LEFT)) {
		code_op(g->c, BPF_AND, R0, 255);
		code_store(g->c, BPF_DW, R9, piece + STRING_BYTES, R0);
		code_store_number(g->c, BPF_DW, R9, piece, 1);
	} else if (d->conversion == 'o') {
		put_octal(g, d->flags & ST_F_ALT);
	} else if (format) {
		put_kernels(g, format);
	}
	/* A precision is digits; zeroes of a width come behind a sign or prefix. */
	if (d->precision >= 0 || d->precision_arg ||
	    (d->conversion != 'c' && d->conversion != 'o' && (!format || (zeroes && is_padded(d)))))
		refuse(g, "no sprintf with such a '%%%c'", d->conversion);
	else if (is_padded(d))
		append_padded(g, f, piece, PIECE, d->conversion == 'o' && zeroes ? '0' : ' ');
	else
		put_append(g, f->at, f->room, piece, PIECE);
}

/*
 * Formats, by FORMAT, what VALUE makes of each argument: it loads number I into r0, or returns where in the
 * frame string I is.
 */
void put_format(struct gen *g, unsigned at, unsigned room, const char *format,
		unsigned (*value)(void *arg, unsigned i, unsigned *room), void *arg)
{
	struct st_directive d;
	const struct field f = { &d, at, room };
	unsigned i = 0, from, from_room;

	clear_bytes(g, at, STRING_BYTES + room);
	while (st_format_next(&format, &d) && !g->why) {
		append_text(g, at, room, d.text, d.text_len);
		if (!d.conversion)
			continue;
		if (d.width_arg) {
			value(arg, i++, &from_room);
			keep_part(g, WIDTH);
		}
		if (d.precision_arg) {
			value(arg, i++, &from_room);
			keep_part(g, PRECISION);
		}
		from = value(arg, i++, &from_room);
		if (!st_conversion_is_string(d.conversion))
			append_number(g, &f);
		else if (d.conversion != 's')
			refuse(g, "no sprintf with '%%%c'", d.conversion);
		else
			append_padded(g, &f, from, from_room, ' ');
	}
}

struct operands {
	struct gen *g;
	const struct ir_op *tuple;
};

static unsigned operand_value(void *arg, unsigned i, unsigned *room)
{
	const struct operands *o = arg;
	const struct ir_operand *from = &o->tuple->args.v[i];

	if (from->type == IR_STRING) {
		*room = operand_room(o->g, from);
		return string_at(o->g, from);
	}
	load_word(o->g, R0, from);
	return 0;
}

/* FORMAT: its values are the operands of the tuple right before it. */
void put_sprintf(struct gen *g, const struct ir_op *op)
{
	struct operands o = { g, g->before };
	const char *format = op->format == IR_NO_CONSTANT ? op->text : g->probe->constants.v[op->format].text;

	if (op->n && (!g->before || g->before->code != IR_TUPLE_OF || g->before->result != op->args.v[0].index))
		refuse(g, "no sprintf of so many values");
	else if (op->result != IR_NO_VALUE)
		put_format(g, g->layout->values[op->result], g->layout->value_rooms[op->result], format,
			   operand_value, &o);
}
