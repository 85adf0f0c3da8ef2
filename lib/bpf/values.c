// SPDX-License-Identifier: GPL-2.0-or-later
/* Words and strings in a frame: loading, storing, copying, comparing. */
#include <string.h>

#include "base/arena.h"
#include "gen.h"

/* Copies of more bytes are a helper's work. */
enum { COPIED_INLINE = 64 };

/* ---- operands -------------------------------------------------------------- */

static const struct ir_constant *own(const struct gen *g, unsigned constant)
{
	return &g->probe->constants.v[constant];
}

const char *literal_text(const struct gen *g, const struct ir_operand *o)
{
	if (o->type != IR_STRING)
		return NULL;
	return o->kind == IR_LITERAL ? o->text : o->kind == IR_OWN ? own(g, o->index)->text : NULL;
}

/* Returns where a value, a local, what is kept or a round's element lies in the frame; 0 for others. */
unsigned operand_at(const struct gen *g, const struct ir_operand *o)
{
	const struct round *r = g->round;

	switch (o->kind) {
	case IR_KEY:
	case IR_ELEMENT:
		while (r && r->label != o->of)
			r = r->outer;
		return !r ? 0 : o->kind == IR_KEY ? r->keys[o->index] : r->element;
	case IR_VALUE:
		return g->layout->values[o->index];
	case IR_LOCAL:
		return g->layout->locals[o->index];
	case IR_KEPT:
		return g->layout->kept[o->index];
	case IR_SLOT:
		return g->layout->areas[o->of] ? g->layout->areas[o->of]->at[o->index] : 0;
	default:
		return 0;
	}
}

void load_word(struct gen *g, unsigned reg, const struct ir_operand *o)
{
	unsigned at = operand_at(g, o);

	if (o->kind == IR_NUMBER)
		code_number(g->c, reg, o->number);
	else if (o->kind == IR_OWN)
		code_number(g->c, reg, own(g, o->index)->number);
	else if (at)
		code_load(g->c, BPF_DW, reg, R9, at);
	else
		refuse(g, "no such operand here");
}

/* May an operation that is not this one use the operand, too? */
static bool is_used_later(const struct gen *g, const struct ir_operand *o)
{
	return o->kind != IR_VALUE || g->layout->uses[o->index] > 1;
}

void take_word(struct gen *g, unsigned reg, const struct ir_operand *o)
{
	if (operand_at(g, o))
		code_load_stored(g->c, reg, operand_at(g, o), is_used_later(g, o));
	else
		load_word(g, reg, o);
}

void jump_unless(struct gen *g, const struct ir_operand *o, unsigned label)
{
	if (operand_at(g, o)) {
		code_jump_unless(g->c, operand_at(g, o), is_used_later(g, o), label);
	} else {
		load_word(g, R0, o);
		code_jump_if(g->c, BPF_JEQ, R0, 0, label);
	}
}

void store_word(struct gen *g, const struct ir_op *op, unsigned reg)
{
	if (op->result != IR_NO_VALUE)
		code_store(g->c, BPF_DW, R9, g->layout->values[op->result], reg);
}

/* ---- bytes ------------------------------------------------------------------ */

/* REG = the address of what lies at AT in the frame. */
void pass_frame(struct gen *g, unsigned reg, unsigned at)
{
	code_op_reg(g->c, BPF_MOV, reg, R9);
	code_op(g->c, BPF_ADD, reg, at);
}

/* Many are a helper's work, which changes r0 to r5: it clears what it can't read, and there is nothing at address 0. */
void clear_bytes(struct gen *g, unsigned at, unsigned n)
{
	if (n <= COPIED_INLINE) {
		for (unsigned i = 0; i < n; i += 8)
			code_store_number(g->c, BPF_DW, R9, at + i, 0);
		return;
	}
	pass_frame(g, R1, at);
	code_number(g->c, R2, n);
	code_number(g->c, R3, 0);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Copies N bytes, a multiple of 8, within the frame. */
void copy_bytes(struct gen *g, unsigned to, unsigned from, unsigned n)
{
	if (n > COPIED_INLINE) {
		pass_frame(g, R1, to);
		code_number(g->c, R2, n);
		pass_frame(g, R3, from);
		code_helper(g->c, BPF_FUNC_probe_read_kernel);
		return;
	}
	for (unsigned i = 0; i < n; i += 8) {
		code_load(g->c, BPF_DW, R0, R9, from + i);
		code_store(g->c, BPF_DW, R9, to + i, R0);
	}
}

/* ---- strings ----------------------------------------------------------------- */

/* Stores the bytes of a text, and zeroes up to ROOM. */
static void put_text_bytes(struct gen *g, unsigned at, unsigned room, const char *text, size_t n)
{
	for (unsigned i = 0; i < n; i += 8) {
		char word[8] = { 0 };
		int64_t number;

		memcpy(word, text + i, n - i < 8 ? n - i : 8);
		memcpy(&number, word, 8);
		if (number == (int32_t)number) {
			code_store_number(g->c, BPF_DW, R9, at + i, number);
		} else {
			code_number(g->c, R0, number);
			code_store(g->c, BPF_DW, R9, at + i, R0);
		}
	}
	clear_bytes(g, at + rounded(n), room - rounded(n));
}

void put_text(struct gen *g, unsigned at, unsigned room, const char *text)
{
	size_t n = strnlen(text, room - 1);

	code_store_number(g->c, BPF_DW, R9, at, n);
	put_text_bytes(g, at + STRING_BYTES, room, text, n);
}

/* Copies a string within the frame, cut to ROOM with a NUL. */
void copy_string(struct gen *g, unsigned at, unsigned room, unsigned from, unsigned from_room)
{
	unsigned n = room < from_room ? room : from_room, fits = code_label(g->c);

	copy_bytes(g, at + STRING_BYTES, from + STRING_BYTES, n);
	clear_bytes(g, at + STRING_BYTES + n, room - n);
	code_load(g->c, BPF_DW, R1, R9, from);
	if (n < from_room) {
		code_jump_if(g->c, BPF_JLT, R1, room, fits);
		code_number(g->c, R1, room - 1);
		code_store_number(g->c, BPF_B, R9, at + STRING_BYTES + room - 1, 0);
		code_here(g->c, fits);
	}
	code_store(g->c, BPF_DW, R9, at, R1);
}

/* Copies a global string to the frame. */
static void load_global(struct gen *g, unsigned at, unsigned room, unsigned global)
{
	unsigned all = string_room(g, 0);

	if (room != all) {
		refuse(g, "no such use of a global string");
		return;
	}
	pass_frame(g, R1, at);
	code_number(g->c, R2, STRING_BYTES + all);
	code_map_value(g->c, R3, BPF_WORDS, g->plan->globals[global].at);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Returns where in the frame a string is that an operation uses within itself. */
unsigned spare_string(struct gen *g)
{
	if (!g->spare)
		g->spare = take(g, STRING_BYTES + string_room(g, 0));
	return g->spare;
}

/* Returns where in the frame a string is; one that is not there is copied to the spare string. */
unsigned string_at(struct gen *g, const struct ir_operand *o)
{
	unsigned at = operand_at(g, o);

	if (at)
		return at;
	at = spare_string(g);
	put_string(g, at, string_room(g, literal_text(g, o) ? strlen(literal_text(g, o)) + 1 : 0), o);
	return at;
}

void put_string(struct gen *g, unsigned at, unsigned room, const struct ir_operand *o)
{
	const char *text = literal_text(g, o);

	if (text)
		put_text(g, at, room, text);
	else if (o->kind == IR_GLOBAL)
		load_global(g, at, room, o->index);
	else if (operand_at(g, o))
		copy_string(g, at, room, operand_at(g, o), operand_room(g, o));
	else
		refuse(g, "no such string here");
}

/* ---- comparisons ---------------------------------------------------------------- */

/* A string that is compared: a literal, or one in the frame. */
struct compared {
	const char *text;
	unsigned at, room;
};

/* REG = the word of the string from byte I on, which is within its room. */
static void load_string_word(struct gen *g, unsigned reg, const struct compared *s, unsigned i)
{
	char word[8] = { 0 };
	int64_t number;

	if (!s->text) {
		code_load(g->c, BPF_DW, reg, R9, s->at + STRING_BYTES + i);
		return;
	}
	memcpy(word, s->text + i, strnlen(s->text + i, 8));
	memcpy(&number, word, 8);
	code_number(g->c, reg, number);
}

static void load_string_length(struct gen *g, unsigned reg, const struct compared *s)
{
	if (s->text)
		code_number(g->c, reg, strlen(s->text));
	else
		code_load(g->c, BPF_DW, reg, R9, s->at);
}

/* r1, r2 = the strings' lengths */
static void load_lengths(struct gen *g, const struct compared *a, const struct compared *b)
{
	load_string_length(g, R1, a);
	load_string_length(g, R2, b);
}

/* Goes to DIFFER, with the first words that differ in r1 and r2, if some do as far as both strings have room. */
static void put_compare_words(struct gen *g, const struct compared *a, const struct compared *b, unsigned differ)
{
	for (unsigned i = 0; i < a->room && i < b->room; i += 8) {
		load_string_word(g, R1, a, i);
		load_string_word(g, R2, b, i);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, differ);
	}
}

/* r0 = IF_EQUAL if the strings are equal; else 1 - IF_EQUAL */
static void put_equality(struct gen *g, const struct compared *a, const struct compared *b, bool if_equal)
{
	unsigned differ = code_label(g->c);

	code_number(g->c, R0, !if_equal);
	load_lengths(g, a, b);
	code_jump_if_reg(g->c, BPF_JNE, R1, R2, differ);
	put_compare_words(g, a, b, differ);
	code_number(g->c, R0, if_equal);
	code_here(g->c, differ);
}

/*
 * r0 = 1 if A JUMP B, else 0.  The order is that of the first words that differ, as big-endian numbers: all strings have
 * zeroes behind their ends.  They may also end with NULs, so equal words leave it to the lengths.
 */
static void put_order(struct gen *g, const struct compared *a, const struct compared *b, unsigned jump)
{
	unsigned differ = code_label(g->c), decided = code_label(g->c), yes = code_label(g->c);

	put_compare_words(g, a, b, differ);
	load_lengths(g, a, b);
	code_jump(g->c, decided);
	code_here(g->c, differ);
	code_big_endian(g->c, R1);
	code_big_endian(g->c, R2);
	code_here(g->c, decided);
	code_number(g->c, R0, 1);
	code_jump_if_reg(g->c, jump, R1, R2, yes);
	code_number(g->c, R0, 0);
	code_here(g->c, yes);
}

void put_compare(struct gen *g, const struct ir_op *op)
{
	static const unsigned jumps[] = {
		[IR_STRLT - IR_STREQ] = BPF_JLT, [IR_STRGT - IR_STREQ] = BPF_JGT,
		[IR_STRLE - IR_STREQ] = BPF_JLE, [IR_STRGE - IR_STREQ] = BPF_JGE,
	};
	const struct ir_operand *o = op->args.v;
	struct compared a = { literal_text(g, &o[0]), operand_at(g, &o[0]), operand_room(g, &o[0]) };
	struct compared b = { literal_text(g, &o[1]), operand_at(g, &o[1]), operand_room(g, &o[1]) };

	if (a.room > STRING_MOST + 8 && b.room > STRING_MOST + 8) {
		refuse(g, "no comparison of so long a string");
		return;
	}
	if (o[0].kind == IR_GLOBAL)
		a.at = string_at(g, &o[0]);
	if (o[1].kind == IR_GLOBAL && o[0].kind == IR_GLOBAL) {
		b.at = take(g, STRING_BYTES + b.room);
		put_string(g, b.at, b.room, &o[1]);
	} else if (o[1].kind == IR_GLOBAL) {
		b.at = string_at(g, &o[1]);
	}
	if (op->code == IR_STREQ || op->code == IR_STRNE)
		put_equality(g, &a, &b, op->code == IR_STREQ);
	else
		put_order(g, &a, &b, jumps[op->code - IR_STREQ]);
	store_word(g, op, R0);
}
