// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builtins that look at the bytes of strings: find, take and replace parts, find tokens, read numbers.
 */
#include <string.h>

#include "builtins.h"
#include "bpf/subject.h"

/* Words of the frame that rounds share, and their answer. */
enum { AT = SUBJECT_AT, STATE = AT + 8 };

struct subject subject_of(struct gen *g, const struct ir_operand *o)
{
	return (struct subject){ string_at(g, o), operand_room(g, o) };
}

void put_next(struct gen *g, const struct subject *s, unsigned bytes, unsigned over)
{
	code_load(g->c, BPF_DW, R7, R9, AT);
	code_load(g->c, BPF_DW, R1, R9, s->from);
	code_jump_if(g->c, BPF_JGE, R7, s->room, over);
	code_op_reg(g->c, BPF_MOV, R2, R7);
	code_op(g->c, BPF_ADD, R2, bytes);
	code_jump_if_reg(g->c, BPF_JGT, R2, R1, over);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_op(g->c, BPF_ADD, R7, s->from + STRING_BYTES);
}

void end_round(struct gen *g, unsigned over, struct function *outer)
{
	code_load(g->c, BPF_DW, R1, R9, AT);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, AT, R1);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
}

void put_is_digit(struct gen *g, unsigned digit)
{
	unsigned none = code_label(g->c), decimal = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R3, R0);
	code_jump_if(g->c, BPF_JLT, R3, '0', none);
	code_jump_if(g->c, BPF_JLE, R3, '9', decimal);
	code_op(g->c, BPF_OR, R3, 'a' - 'A');
	code_jump_if(g->c, BPF_JLT, R3, 'a', none);
	code_jump_if(g->c, BPF_JGT, R3, 'f', none);
	code_op(g->c, BPF_SUB, R3, 'a' - '9' - 1);
	code_here(g->c, decimal);
	code_op(g->c, BPF_SUB, R3, '0');
	code_jump(g->c, digit);
	code_here(g->c, none);
}

/* ---- parts ----------------------------------------------------------------------- */

/* The longest part: what is behind a string in a frame is read with it, and the frame has so much more. */
enum { PART_MOST = 256 };

/* Goes to OTHER unless the bytes at r7 are the part's. */
static void put_is_part(struct gen *g, const char *part, unsigned other)
{
	for (size_t i = 0, n = strlen(part); i < n; i += 8) {
		unsigned unused = n - i < 8 ? 8 * (8 - (n - i)) : 0;
		char word[8] = { 0 };
		int64_t number;

		memcpy(word, part + i, n - i < 8 ? n - i : 8);
		memcpy(&number, word, 8);
		code_load(g->c, BPF_DW, R1, R7, i);
		if (unused) {
			code_op(g->c, BPF_LSH, R1, unused);
			code_op(g->c, BPF_RSH, R1, unused);
		}
		code_number(g->c, R2, number);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
	}
}

/* A part that is looked for: a short literal, or a string in the frame. */
struct part {
	const char *text;
	struct subject at;
};

/* Words of the frame: how many bytes of a part have been compared, and whether one differs. */
enum { COMPARED = AT + 24, DIFFERS = AT + 32 };

/* Returns where an operand is in the frame; one that is not there is copied to a place of its own. */
static struct subject held(struct gen *g, const struct ir_operand *o)
{
	struct subject s = { operand_at(g, o), operand_room(g, o) };

	if (!s.from) {
		s.from = take(g, STRING_BYTES + s.room);
		put_string(g, s.from, s.room, o);
	}
	return s;
}

static struct part part_of(struct gen *g, const struct ir_operand *o)
{
	const char *text = literal_text(g, o);

	if (text && strlen(text) <= PART_MOST)
		return (struct part){ .text = text };
	return (struct part){ .at = held(g, o) };
}

/* REG = the length of the part */
static void load_part_length(struct gen *g, const struct part *p, unsigned reg)
{
	if (p->text)
		code_number(g->c, reg, strlen(p->text));
	else
		code_load(g->c, BPF_DW, reg, R9, p->at.from);
}

/* Makes the function that compares a byte of the part with the subject's. */
static unsigned put_same_byte(struct gen *g, const struct subject *s, const struct subject *part)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), differ = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, COMPARED);
	code_load(g->c, BPF_DW, R1, R9, part->from);
	code_jump_if_reg(g->c, BPF_JGE, R7, R1, over);
	code_jump_if(g->c, BPF_JGE, R7, part->room, over);
	code_load(g->c, BPF_DW, R1, R9, AT);
	code_op_reg(g->c, BPF_ADD, R1, R7);
	code_jump_if(g->c, BPF_JGE, R1, s->room, differ);
	code_op(g->c, BPF_ADD, R7, 1);
	code_store(g->c, BPF_DW, R9, COMPARED, R7);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_load(g->c, BPF_B, R2, R7, part->from + STRING_BYTES - 1);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_load(g->c, BPF_B, R0, R1, s->from + STRING_BYTES);
	code_jump_if_reg(g->c, BPF_JNE, R0, R2, differ);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, differ);
	code_store_number(g->c, BPF_DW, R9, DIFFERS, 1);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* Goes to OTHER unless the part is at r7, which is the byte AT of the subject.  Keeps r7. */
static void put_part_here(struct gen *g, const struct subject *s, const struct part *p, unsigned other)
{
	if (p->text) {
		put_is_part(g, p->text, other);
		return;
	}
	code_store_number(g->c, BPF_DW, R9, COMPARED, 0);
	code_store_number(g->c, BPF_DW, R9, DIFFERS, 0);
	put_rounds(g, put_same_byte(g, s, &p->at), p->at.room);
	code_load(g->c, BPF_DW, R1, R9, DIFFERS);
	code_jump_if(g->c, BPF_JNE, R1, 0, other);
}

/* Makes the function that notes the byte where the part begins. */
static unsigned put_part_at(struct gen *g, const struct subject *s, const struct part *part)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), other = code_label(g->c);

	put_next(g, s, 1, over);
	put_part_here(g, s, part, other);
	code_load(g->c, BPF_DW, R1, R9, AT);
	code_store(g->c, BPF_DW, R9, STATE, R1);
	code_jump(g->c, over);
	code_here(g->c, other);
	end_round(g, over, outer);
	return number;
}

/* Where the second argument begins in the first, or -1; or ONLY_WHETHER it does. */
void put_find(struct gen *g, const struct ir_op *op, int64_t only_whether)
{
	struct part part = part_of(g, &op->args.v[1]);
	struct subject s = subject_of(g, &op->args.v[0]);
	unsigned empty = code_label(g->c);

	code_store_number(g->c, BPF_DW, R9, AT, 0);
	code_store_number(g->c, BPF_DW, R9, STATE, 0);
	load_part_length(g, &part, R1);
	code_jump_if(g->c, BPF_JEQ, R1, 0, empty);
	code_store_number(g->c, BPF_DW, R9, STATE, -1);
	put_rounds(g, put_part_at(g, &s, &part), s.room);
	code_here(g->c, empty);
	code_load(g->c, BPF_DW, R0, R9, STATE);
	if (only_whether) {
		code_op(g->c, BPF_RSH, R0, 63);
		code_op(g->c, BPF_XOR, R0, 1);
	}
	store_word(g, op, R0);
}

/* The bytes of the first argument from the second on, as many as the third says. */
void put_substr(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned from = string_at(g, &op->args.v[0]), from_room = operand_room(g, &op->args.v[0]);
	unsigned none = code_label(g->c), short_enough = code_label(g->c), fits = code_label(g->c);

	(void)unused;
	clear_bytes(g, at, STRING_BYTES + room);
	load_word(g, R1, &op->args.v[1]);
	load_word(g, R2, &op->args.v[2]);
	code_load(g->c, BPF_DW, R3, R9, from);
	code_jump_if_reg(g->c, BPF_JGE, R1, R3, none);
	code_jump_if(g->c, BPF_JSLE, R2, 0, none);
	code_op_reg(g->c, BPF_SUB, R3, R1);
	code_jump_if_reg(g->c, BPF_JLE, R2, R3, short_enough);
	code_op_reg(g->c, BPF_MOV, R2, R3);
	code_here(g->c, short_enough);
	code_jump_if(g->c, BPF_JLT, R1, from_room, fits);
	code_jump(g->c, none);
	code_here(g->c, fits);
	code_jump_if(g->c, BPF_JGE, R2, room, none);
	code_store(g->c, BPF_DW, R9, at, R2);
	pass_frame(g, R3, from + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R3, R1);
	pass_frame(g, R1, at + STRING_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_here(g->c, none);
}

/* ---- tokens ----------------------------------------------------------------------- */

/* The bytes that separate tokens, a bit for each. */
enum { SEPARATORS = STATE + 8, SEPARATORS_BYTES = 256 / 8 };

/* r1 + SEPARATORS = where the bit of the byte at r7 is, r3 = that bit. */
static void load_bit(struct gen *g)
{
	code_load(g->c, BPF_B, R2, R7, 0);
	code_op_reg(g->c, BPF_MOV, R1, R2);
	code_op(g->c, BPF_RSH, R1, 6);
	code_op(g->c, BPF_LSH, R1, 3);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_op(g->c, BPF_AND, R2, 63);
	code_number(g->c, R3, 1);
	code_op_reg(g->c, BPF_LSH, R3, R2);
	code_load(g->c, BPF_DW, R0, R1, SEPARATORS);
}

/* Makes the function that adds a byte to the separators. */
static unsigned put_separator(struct gen *g, const struct subject *s)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	put_next(g, s, 1, over);
	load_bit(g);
	code_op_reg(g->c, BPF_OR, R0, R3);
	code_store(g->c, BPF_DW, R1, SEPARATORS, R0);
	end_round(g, over, outer);
	return number;
}

/*
 * Makes the function that goes past a byte, if it is one of the token or, if that is to BEGIN, a separator.
 */
static unsigned put_pass_byte(struct gen *g, const struct subject *s, bool begin)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	put_next(g, s, 1, over);
	load_bit(g);
	code_op_reg(g->c, BPF_AND, R0, R3);
	code_jump_if(g->c, begin ? BPF_JEQ : BPF_JNE, R0, 0, over);
	end_round(g, over, outer);
	return number;
}

/* Where a token of the first argument begins or ends, from the second on; the third has the separators. */
void put_token(struct gen *g, const struct ir_op *op, int64_t begin)
{
	struct subject separators = subject_of(g, &op->args.v[2]), s;
	unsigned positive = code_label(g->c), fits = code_label(g->c);

	code_store_number(g->c, BPF_DW, R9, AT, 0);
	clear_bytes(g, SEPARATORS, SEPARATORS_BYTES);
	put_rounds(g, put_separator(g, &separators), separators.room);
	s = subject_of(g, &op->args.v[0]);
	load_word(g, R0, &op->args.v[1]);
	code_jump_if(g->c, BPF_JSGE, R0, 0, positive);
	code_number(g->c, R0, 0);
	code_here(g->c, positive);
	code_load(g->c, BPF_DW, R1, R9, s.from);
	code_jump_if_reg(g->c, BPF_JLE, R0, R1, fits);
	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_here(g->c, fits);
	code_store(g->c, BPF_DW, R9, AT, R0);
	put_rounds(g, put_pass_byte(g, &s, begin), s.room);
	code_load(g->c, BPF_DW, R0, R9, AT);
	store_word(g, op, R0);
}

/* ---- bytes and numbers --------------------------------------------------------------- */

/* The byte of the first argument that the second says. */
void put_byte_at(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned from = string_at(g, &op->args.v[0]), room = operand_room(g, &op->args.v[0]);
	unsigned outside = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_word(g, R1, &op->args.v[1]);
	code_load(g->c, BPF_DW, R2, R9, from);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, outside);
	code_jump_if(g->c, BPF_JGE, R1, room, outside);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_load(g->c, BPF_B, R0, R1, from + STRING_BYTES);
	code_jump(g->c, done);
	code_here(g->c, outside);
	fail(g, "Position out of bounds");
	code_number(g->c, R0, 0);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* Words of the frame that the rounds of a number share. */
enum { NUMBER = AT + 8, BASE = AT + 16 };

/* Goes to OTHER unless "0x" and a hexadecimal digit are at r7.  Changes r0 and r3. */
static void put_has_prefix(struct gen *g, unsigned other)
{
	unsigned digit = code_label(g->c);

	code_load(g->c, BPF_B, R0, R7, 0);
	code_jump_if(g->c, BPF_JNE, R0, '0', other);
	code_load(g->c, BPF_B, R0, R7, 1);
	code_op(g->c, BPF_OR, R0, 'a' - 'A');
	code_jump_if(g->c, BPF_JNE, R0, 'x', other);
	code_load(g->c, BPF_B, R0, R7, 2);
	put_is_digit(g, digit);
	code_jump(g->c, other);
	code_here(g->c, digit);
}

/*
 * Stores the base and where the digits begin, from the second argument and the first bytes of the string; goes to NONE if
 * that is no base.
 */
static void put_base(struct gen *g, const struct subject *s, const struct ir_operand *base, unsigned none)
{
	unsigned positive = code_label(g->c), given = code_label(g->c), decimal = code_label(g->c);
	unsigned octal = code_label(g->c), plain = code_label(g->c);

	code_store_number(g->c, BPF_DW, R9, AT, 0);
	pass_frame(g, R7, s->from + STRING_BYTES);
	code_load(g->c, BPF_B, R0, R7, 0);
	code_jump_if(g->c, BPF_JNE, R0, '-', positive);
	code_store_number(g->c, BPF_DW, R9, AT, 1);
	code_op(g->c, BPF_ADD, R7, 1);
	code_here(g->c, positive);
	load_word(g, R1, base);
	code_jump_if(g->c, BPF_JNE, R1, 0, given);
	code_load(g->c, BPF_B, R0, R7, 0);
	code_jump_if(g->c, BPF_JNE, R0, '0', decimal);
	put_has_prefix(g, octal);
	code_number(g->c, R1, 16);
	code_jump(g->c, given);
	code_here(g->c, octal);
	code_number(g->c, R1, 8);
	code_jump(g->c, given);
	code_here(g->c, decimal);
	code_number(g->c, R1, 10);
	code_here(g->c, given);
	code_store(g->c, BPF_DW, R9, BASE, R1);
	code_jump_if(g->c, BPF_JLT, R1, 2, none);
	code_jump_if(g->c, BPF_JGT, R1, 36, none);
	code_jump_if(g->c, BPF_JNE, R1, 16, plain);
	put_has_prefix(g, plain);
	code_load(g->c, BPF_DW, R0, R9, AT);
	code_op(g->c, BPF_ADD, R0, 2);
	code_store(g->c, BPF_DW, R9, AT, R0);
	code_here(g->c, plain);
}

/* Makes the function that takes a digit; those behind 'f' are none, as in the module. */
static unsigned put_take_digit(struct gen *g, const struct subject *s)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), digit = code_label(g->c);

	put_next(g, s, 1, over);
	code_load(g->c, BPF_B, R0, R7, 0);
	put_is_digit(g, digit);
	code_jump(g->c, over);
	code_here(g->c, digit);
	code_load(g->c, BPF_DW, R1, R9, BASE);
	code_jump_if_reg(g->c, BPF_JGE, R3, R1, over);
	code_load(g->c, BPF_DW, R2, R9, NUMBER);
	code_op_reg(g->c, BPF_MUL, R2, R1);
	code_op_reg(g->c, BPF_ADD, R2, R3);
	code_store(g->c, BPF_DW, R9, NUMBER, R2);
	end_round(g, over, outer);
	return number;
}

/* strtol(): the number that the first argument begins with, in the base of the second. */
void put_number_of(struct gen *g, const struct ir_op *op, int64_t unused)
{
	struct subject s = subject_of(g, &op->args.v[0]);
	unsigned none = code_label(g->c), positive = code_label(g->c);

	(void)unused;
	code_store_number(g->c, BPF_DW, R9, NUMBER, 0);
	put_base(g, &s, &op->args.v[1], none);
	put_rounds(g, put_take_digit(g, &s), s.room);
	code_here(g->c, none);
	code_load(g->c, BPF_DW, R0, R9, NUMBER);
	code_load(g->c, BPF_B, R1, R9, s.from + STRING_BYTES);
	code_jump_if(g->c, BPF_JNE, R1, '-', positive);
	code_op(g->c, BPF_NEG, R0, 0);
	code_here(g->c, positive);
	store_word(g, op, R0);
}

/* ---- replacing ------------------------------------------------------------------------ */

/* Appends the byte at r7 to the string at AT; goes to FULL if that has no room. */
static void append_byte(struct gen *g, unsigned at, unsigned room, unsigned full)
{
	code_load(g->c, BPF_B, R0, R7, 0);
	code_load(g->c, BPF_DW, R1, R9, at);
	code_jump_if(g->c, BPF_JGE, R1, room - 1, full);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op_reg(g->c, BPF_ADD, R2, R9);
	code_store(g->c, BPF_B, R2, at + STRING_BYTES, R0);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, at, R1);
}

/* Makes the function that appends the next byte to the string TO, or in place of the part the string BY. */
static unsigned put_replaced(struct gen *g, const struct subject *s, const struct part *part, const struct subject *to,
			     const struct subject *by)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), other = code_label(g->c);
	unsigned done = code_label(g->c);

	put_next(g, s, 1, over);
	put_part_here(g, s, part, other);
	put_append(g, to->from, to->room, by->from, by->room);
	code_load(g->c, BPF_DW, R1, R9, AT);
	load_part_length(g, part, R2);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	code_op(g->c, BPF_SUB, R1, 1);
	code_store(g->c, BPF_DW, R9, AT, R1);
	code_jump(g->c, done);
	code_here(g->c, other);
	append_byte(g, to->from, to->room, over);
	code_here(g->c, done);
	end_round(g, over, outer);
	return number;
}

/* str_replace(): the first argument, with the third wherever the second is. */
void put_replace(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct subject to = { g->layout->values[op->result], g->layout->value_rooms[op->result] };
	struct part part = part_of(g, &op->args.v[1]);
	struct subject by = held(g, &op->args.v[2]), s = subject_of(g, &op->args.v[0]);
	unsigned empty = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_part_length(g, &part, R1);
	code_jump_if(g->c, BPF_JEQ, R1, 0, empty);
	clear_bytes(g, to.from, STRING_BYTES + to.room);
	code_store_number(g->c, BPF_DW, R9, AT, 0);
	put_rounds(g, put_replaced(g, &s, &part, &to, &by), s.room);
	code_jump(g->c, done);
	code_here(g->c, empty);
	copy_string(g, to.from, to.room, s.from, s.room);
	code_here(g->c, done);
}
