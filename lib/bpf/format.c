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

/* Appends the string at FROM to the one at AT, both in the frame. */
void put_append(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room)
{
	unsigned fits = code_label(g->c), bounded = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, at);
	code_op(g->c, BPF_AND, R7, bits_of(room));
	code_load(g->c, BPF_DW, R2, R9, from);
	code_number(g->c, R3, room - 1);
	code_op_reg(g->c, BPF_SUB, R3, R7);
	code_jump_if_reg(g->c, BPF_JLE, R2, R3, fits);
	code_op_reg(g->c, BPF_MOV, R2, R3);
	code_here(g->c, fits);
	code_jump_if(g->c, BPF_JLT, R2, from_room < room ? from_room : room, bounded);
	code_number(g->c, R2, 0);
	code_here(g->c, bounded);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	code_store(g->c, BPF_DW, R9, at, R1);
	pass_frame(g, R1, at + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R1, R7);
	pass_frame(g, R3, from + STRING_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Returns where a format of the kernel's is in the texts. */
static unsigned text_at(struct gen *g, const char *text)
{
	struct sbuf *all = &g->plan->texts;
	unsigned at = 0;

	for (; at < all->len; at += strlen(all->s + at) + 1)
		if (!strcmp(all->s + at, text))
			return at;
	sbuf_add(all, text, strlen(text) + 1);
	return at;
}

/* Returns where in the frame pieces are made. */
static unsigned piece_at(struct gen *g)
{
	if (!g->piece)
		g->piece = take(g, STRING_BYTES + PIECE);
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

/* Returns the kernel's format of a directive; NULL: it has none. */
static const char *kernels_format(const struct st_directive *d)
{
	static const char *const conversions[] = {
		['d'] = "lld", ['i'] = "lld", ['u'] = "llu", ['x'] = "llx", ['X'] = "llX", ['p'] = "llx",
	};
	const char *conversion = (unsigned char)d->conversion < sizeof(conversions) / sizeof(*conversions) ?
				 conversions[(unsigned char)d->conversion] : NULL;

	if (!conversion || d->width_arg || d->precision_arg || d->precision >= 0 || d->width > WIDTH_MOST ||
	    (d->flags & ST_F_ALT && d->conversion != 'x') || (d->conversion == 'p' && d->width >= 0))
		return NULL;
	if (d->flags & ST_F_ALT && d->width >= 0)
		return NULL;
	return arena_printf("%s%%%s%s%s%s%s%s", d->conversion == 'p' || d->flags & ST_F_ALT ? "0x" : "",
			    d->flags & ST_F_ZERO ? "0" : "", d->flags & ST_F_LEFT ? "-" : "",
			    d->flags & ST_F_SIGN ? "+" : "", d->flags & ST_F_SPACE ? " " : "",
			    d->width > 0 ? arena_printf("%d", d->width) : "", conversion);
}

/* Appends r0 as a directive says. */
static void append_number(struct gen *g, unsigned at, unsigned room, const struct st_directive *d)
{
	const char *format = kernels_format(d);
	unsigned piece = piece_at(g);

	if (d->conversion == 'c' && !d->flags && d->width < 0 && !d->width_arg) {
		code_op(g->c, BPF_AND, R0, 255);
		code_store(g->c, BPF_DW, R9, piece + STRING_BYTES, R0);
		code_store_number(g->c, BPF_DW, R9, piece, 1);
		put_append(g, at, room, piece, 8);
		return;
	}
	if (!format) {
		refuse(g, "no sprintf with such a '%%%c'", d->conversion);
		return;
	}
	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R0);
	pass_frame(g, R1, piece + STRING_BYTES);
	code_number(g->c, R2, PIECE);
	code_map_value(g->c, R3, BPF_TEXTS, text_at(g, format));
	pass_frame(g, R4, FRAME_TEMPORARY);
	code_number(g->c, R5, 8);
	code_helper(g->c, BPF_FUNC_snprintf);
	code_op(g->c, BPF_SUB, R0, 1);	/* the NUL */
	code_store(g->c, BPF_DW, R9, piece, R0);
	put_append(g, at, room, piece, PIECE);
}

/*
 * Formats, by FORMAT, what VALUE makes of each argument: it loads number I into r0, or returns where in the
 * frame string I is.
 */
void put_format(struct gen *g, unsigned at, unsigned room, const char *format,
		unsigned (*value)(void *arg, unsigned i, unsigned *room), void *arg)
{
	struct st_directive d;
	unsigned i = 0, from, from_room;

	clear_bytes(g, at, STRING_BYTES + room);
	while (st_format_next(&format, &d) && !g->why) {
		append_text(g, at, room, d.text, d.text_len);
		if (!d.conversion)
			continue;
		from = value(arg, i++, &from_room);
		if (!st_conversion_is_string(d.conversion))
			append_number(g, at, room, &d);
		else if (d.conversion != 's' || d.width >= 0 || d.precision >= 0 || d.width_arg || d.precision_arg)
			refuse(g, "no sprintf with such a '%%%c'", d.conversion);
		else
			put_append(g, at, room, from, from_room);
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
