// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows strings and memory as text: what does not print is escaped, as runtime/tapset/string.c does.
 *
 * All texts of a program are made by one function, a round of a loop for each character.  So the string lies in
 * one place of the frame, and its text grows in another, from which it is copied.
 *
 *	a"b	1: a	2: \"	3: b		behind the loop, in quotes: "a\"b"
 */
#include <string.h>

#include "fetch.h"
#include "builtins.h"

/* What the function uses of the frame, behind one another. */
enum {
	AT,				/* the character that comes next */
	ROOM = 8,			/* for the text, */
	CUT_ROOM = 16,			/* and for one that will be cut */
	CUT = 24,			/* how much of the text fits in that */
	FROM = 32,			/* the string; the text follows, at to_at() */
};

/* A character takes up to 10 bytes, stored as two words; dots and zeroes follow a text. */
enum { SLACK = 32 };

static const char open_quote[] = "\"", dots[] = "\"...";

static unsigned from_at(const struct gen *g)
{
	return g->text + FROM;
}

static unsigned to_at(const struct gen *g)
{
	return from_at(g) + STRING_BYTES + string_room(g, 0) + SLACK;
}

/* ---- a character ----------------------------------------------------------------- */

/*
 * What put_character() has in registers: the text of a character, low bytes first, the text's length, how many bytes
 * of the string it is, and its number.
 */
enum { LOW = R1, HIGH = R2, LENGTH = R3, TAKEN = R4, CHARACTER = R5 };

/* r0 = the byte I behind r7 */
static void load_byte(struct gen *g, unsigned i)
{
	code_load(g->c, BPF_B, R0, R7, i);
}

/* LOW = the eight digits of the character in hex, the first in the low byte.  Changes r0, HIGH and LENGTH. */
static void put_hex(struct gen *g)
{
	code_number(g->c, LOW, 0);
	for (unsigned i = 0; i < 8; i++) {
		code_op_reg(g->c, BPF_MOV, R0, CHARACTER);
		code_op(g->c, BPF_RSH, R0, 28 - 4 * i);
		code_op(g->c, BPF_AND, R0, 15);
		code_op_reg(g->c, BPF_MOV, HIGH, R0);	/* 1 for a letter */
		code_op(g->c, BPF_ADD, HIGH, 6);
		code_op(g->c, BPF_RSH, HIGH, 4);
		code_op(g->c, BPF_MUL, HIGH, 'A' - '9' - 1);
		code_op_reg(g->c, BPF_ADD, R0, HIGH);
		code_op(g->c, BPF_ADD, R0, '0');
		code_op(g->c, BPF_LSH, R0, 8 * i);
		code_op_reg(g->c, BPF_OR, LOW, R0);
	}
}

/* A character that takes several bytes in UTF-8: \u or \U and its number. */
static void put_wide(struct gen *g, unsigned shown)
{
	unsigned large = code_label(g->c);

	put_hex(g);
	code_jump_if(g->c, BPF_JGT, CHARACTER, 0xffff, large);
	code_op(g->c, BPF_RSH, LOW, 32);
	code_op(g->c, BPF_LSH, LOW, 16);
	code_op(g->c, BPF_OR, LOW, 'u' << 8 | '\\');
	code_number(g->c, HIGH, 0);
	code_number(g->c, LENGTH, 6);
	code_jump(g->c, shown);
	code_here(g->c, large);
	code_op_reg(g->c, BPF_MOV, HIGH, LOW);
	code_op(g->c, BPF_RSH, HIGH, 48);
	code_op(g->c, BPF_LSH, LOW, 16);
	code_op(g->c, BPF_OR, LOW, 'U' << 8 | '\\');
	code_number(g->c, LENGTH, 10);
	code_jump(g->c, shown);
}

/*
 * Decodes N bytes at r7, the first of which is in CHARACTER; goes to BYTE unless they are the shortest form of a
 * character.
 */
static void put_decode(struct gen *g, unsigned n, unsigned byte)
{
	static const unsigned least[] = { [2] = 0x80, [3] = 0x800, [4] = 0x10000 };
	unsigned fine = code_label(g->c);

	code_number(g->c, TAKEN, n);
	code_load(g->c, BPF_DW, R0, R9, g->text + AT);
	code_op(g->c, BPF_ADD, R0, n);
	code_load(g->c, BPF_DW, R1, R9, from_at(g));
	code_jump_if_reg(g->c, BPF_JGT, R0, R1, byte);
	code_op(g->c, BPF_AND, CHARACTER, 0x7f >> n);
	for (unsigned i = 1; i < n; i++) {
		load_byte(g, i);
		code_op_reg(g->c, BPF_MOV, R1, R0);
		code_op(g->c, BPF_AND, R1, 0xc0);
		code_jump_if(g->c, BPF_JNE, R1, 0x80, byte);
		code_op(g->c, BPF_AND, R0, 0x3f);
		code_op(g->c, BPF_LSH, CHARACTER, 6);
		code_op_reg(g->c, BPF_OR, CHARACTER, R0);
	}
	code_jump_if(g->c, BPF_JLT, CHARACTER, least[n], byte);
	code_jump_if(g->c, BPF_JGT, CHARACTER, 0x10ffff, byte);
	code_jump_if(g->c, BPF_JLT, CHARACTER, 0xd800, fine);
	code_jump_if(g->c, BPF_JLT, CHARACTER, 0xe000, byte);
	code_here(g->c, fine);
}

/* LOW = an escape: a backslash, and three digits in octal of CHARACTER; a NUL has one. */
static void put_octal(struct gen *g)
{
	unsigned nul = code_label(g->c);

	code_number(g->c, LOW, '0' << 8 | '\\');
	code_number(g->c, LENGTH, 2);
	code_jump_if(g->c, BPF_JEQ, CHARACTER, 0, nul);
	code_number(g->c, LOW, '0' << 24 | '0' << 16 | '0' << 8 | '\\');
	for (unsigned i = 0; i < 3; i++) {
		code_op_reg(g->c, BPF_MOV, R0, CHARACTER);
		code_op(g->c, BPF_RSH, R0, 6 - 3 * i);
		code_op(g->c, BPF_AND, R0, 7);
		code_op(g->c, BPF_LSH, R0, 8 * (i + 1));
		code_op_reg(g->c, BPF_OR, LOW, R0);
	}
	code_number(g->c, LENGTH, 4);
	code_here(g->c, nul);
}

/* The byte in CHARACTER: itself, \n and its like, or its number. */
static void put_byte(struct gen *g, unsigned shown)
{
	static const char letters[8] = "abtnvfr";
	unsigned number = code_label(g->c), plain = code_label(g->c), escaped = code_label(g->c);
	int64_t word;

	memcpy(&word, letters, 8);
	code_number(g->c, TAKEN, 1);
	code_number(g->c, HIGH, 0);
	code_op_reg(g->c, BPF_MOV, R0, CHARACTER);
	code_jump_if(g->c, BPF_JEQ, R0, '"', escaped);
	code_jump_if(g->c, BPF_JEQ, R0, '\\', escaped);
	code_jump_if(g->c, BPF_JGT, R0, '~', number);
	code_jump_if(g->c, BPF_JGE, R0, ' ', plain);
	code_jump_if(g->c, BPF_JLT, R0, '\a', number);
	code_jump_if(g->c, BPF_JGT, R0, '\r', number);
	code_op(g->c, BPF_SUB, R0, '\a');
	code_op(g->c, BPF_LSH, R0, 3);
	code_number(g->c, LOW, word);
	code_op_reg(g->c, BPF_RSH, LOW, R0);
	code_op_reg(g->c, BPF_MOV, R0, LOW);
	code_op(g->c, BPF_AND, R0, 0xff);
	code_here(g->c, escaped);
	code_op_reg(g->c, BPF_MOV, LOW, R0);
	code_op(g->c, BPF_LSH, LOW, 8);
	code_op(g->c, BPF_OR, LOW, '\\');
	code_number(g->c, LENGTH, 2);
	code_jump(g->c, shown);
	code_here(g->c, plain);
	code_op_reg(g->c, BPF_MOV, LOW, R0);
	code_number(g->c, LENGTH, 1);
	code_jump(g->c, shown);
	code_here(g->c, number);
	put_octal(g);
}

/* Appends the character to the text; goes to FULL if that has no room for it. */
static void put_shown(struct gen *g, unsigned full)
{
	unsigned cut = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, to_at(g));
	code_jump_if(g->c, BPF_JGE, R7, string_room(g, 0), full);
	code_op_reg(g->c, BPF_ADD, LENGTH, R7);
	code_load(g->c, BPF_DW, R0, R9, g->text + ROOM);
	code_jump_if_reg(g->c, BPF_JGT, LENGTH, R0, full);
	code_store(g->c, BPF_DW, R9, to_at(g), LENGTH);
	pass_frame(g, R0, to_at(g) + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R0, R7);
	code_store(g->c, BPF_DW, R0, 0, LOW);
	code_store(g->c, BPF_DW, R0, 8, HIGH);
	code_load(g->c, BPF_DW, R0, R9, g->text + CUT_ROOM);
	code_jump_if_reg(g->c, BPF_JGT, LENGTH, R0, cut);
	code_store(g->c, BPF_DW, R9, g->text + CUT, LENGTH);
	code_here(g->c, cut);
	code_load(g->c, BPF_DW, R0, R9, g->text + AT);
	code_op_reg(g->c, BPF_ADD, R0, TAKEN);
	code_store(g->c, BPF_DW, R9, g->text + AT, R0);
}

/* Makes the function that shows a character, and ends its loop behind the last one, or the last that fits. */
static unsigned put_character(struct gen *g)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), byte = code_label(g->c), shown = code_label(g->c);
	unsigned over = code_label(g->c), two = code_label(g->c), three = code_label(g->c), four = code_label(g->c);
	unsigned found = code_label(g->c), single = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, g->text + AT);
	code_load(g->c, BPF_DW, R1, R9, from_at(g));
	code_jump_if_reg(g->c, BPF_JGE, R7, R1, over);
	code_jump_if(g->c, BPF_JGE, R7, string_room(g, 0), over);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_op(g->c, BPF_ADD, R7, from_at(g) + STRING_BYTES);
	code_load(g->c, BPF_B, CHARACTER, R7, 0);
	code_jump_if(g->c, BPF_JLT, CHARACTER, 0xc0, single);
	code_jump_if(g->c, BPF_JLT, CHARACTER, 0xe0, two);
	code_jump_if(g->c, BPF_JLT, CHARACTER, 0xf0, three);
	code_jump_if(g->c, BPF_JLE, CHARACTER, 0xf4, four);
	code_jump(g->c, single);
	code_here(g->c, two);
	put_decode(g, 2, byte);
	code_jump(g->c, found);
	code_here(g->c, three);
	put_decode(g, 3, byte);
	code_jump(g->c, found);
	code_here(g->c, four);
	put_decode(g, 4, byte);
	code_here(g->c, found);
	put_wide(g, shown);
	code_here(g->c, byte);
	code_load(g->c, BPF_B, CHARACTER, R7, 0);
	code_here(g->c, single);
	put_byte(g, shown);
	code_here(g->c, shown);
	put_shown(g, over);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* ---- a text ----------------------------------------------------------------------- */

/* The word that has the bytes of a short text. */
static int64_t word_of(const char *text)
{
	int64_t word = 0;

	memcpy(&word, text, strlen(text));
	return word;
}

/* Returns where the string is to be put that put_shown_text() shows. */
static unsigned shown_from(struct gen *g)
{
	unsigned bytes = STRING_BYTES + string_room(g, 0) + SLACK;

	if (!g->text)
		g->text = take(g, FROM + 2 * bytes);
	return from_at(g);
}

/* Stores TEXT at the end of the text, of which r1 bytes are kept, and zeroes behind it. */
static void put_end(struct gen *g, const char *text)
{
	unsigned bounded = code_label(g->c);

	code_jump_if(g->c, BPF_JLT, R1, string_room(g, 0), bounded);
	code_number(g->c, R1, 0);
	code_here(g->c, bounded);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_ADD, R2, strlen(text));
	code_store(g->c, BPF_DW, R9, to_at(g), R2);
	pass_frame(g, R2, to_at(g) + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R2, R1);
	code_number(g->c, R1, word_of(text));
	code_store(g->c, BPF_DW, R2, 0, R1);
	code_store_number(g->c, BPF_DW, R2, 8, 0);
	code_store_number(g->c, BPF_DW, R2, 16, 0);
}

/* r1 = the most bytes of the text: LIMIT, if that is given and above 0, but not less than LEAST */
static void load_room(struct gen *g, const struct ir_operand *limit, unsigned least)
{
	unsigned most = string_room(g, 0) - 1, all = code_label(g->c), fits = code_label(g->c);

	code_number(g->c, R1, most);
	if (!limit)
		return;
	load_word(g, R2, limit);
	code_jump_if(g->c, BPF_JSLE, R2, 0, all);
	code_jump_if(g->c, BPF_JGE, R2, most, all);
	code_op_reg(g->c, BPF_MOV, R1, R2);
	code_jump_if(g->c, BPF_JGE, R1, least, fits);
	code_number(g->c, R1, least);
	code_here(g->c, fits);
	code_here(g->c, all);
}

/*
 * Shows the string at shown_from() at AT in the frame, in quotes if it is to be QUOTED; a text that is longer than
 * LIMIT, or the longest string, ends with dots then.
 */
static void put_shown_text(struct gen *g, unsigned at, unsigned room, const struct ir_operand *limit, bool quoted)
{
	unsigned fits = code_label(g->c), done = code_label(g->c), to = to_at(g);

	clear_bytes(g, to, STRING_BYTES + string_room(g, 0) + SLACK);
	load_room(g, limit, quoted ? sizeof(dots) : 0);
	if (quoted)
		code_op(g->c, BPF_SUB, R1, strlen(open_quote));
	code_store(g->c, BPF_DW, R9, g->text + ROOM, R1);
	code_op(g->c, BPF_SUB, R1, strlen(dots) - 1);
	code_store(g->c, BPF_DW, R9, g->text + CUT_ROOM, R1);
	code_store_number(g->c, BPF_DW, R9, g->text + AT, 0);
	code_store_number(g->c, BPF_DW, R9, g->text + CUT, quoted);
	if (quoted) {
		code_store_number(g->c, BPF_DW, R9, to, strlen(open_quote));
		code_store_number(g->c, BPF_DW, R9, to + STRING_BYTES, word_of(open_quote));
	}
	if (!g->shows)
		g->shows = put_character(g);
	else
		note_call(g, 1);
	put_rounds(g, g->shows, string_room(g, 0));
	if (quoted) {
		code_load(g->c, BPF_DW, R0, R9, g->text + AT);
		code_load(g->c, BPF_DW, R1, R9, from_at(g));
		code_jump_if_reg(g->c, BPF_JGE, R0, R1, fits);
		code_load(g->c, BPF_DW, R1, R9, g->text + CUT);
		put_end(g, dots);
		code_jump(g->c, done);
		code_here(g->c, fits);
		code_load(g->c, BPF_DW, R1, R9, to);
		put_end(g, "\"");
		code_here(g->c, done);
	}
	copy_string(g, at, room, to, string_room(g, 0));
}

/* ---- builtins ---------------------------------------------------------------------- */

/* text_str() and string_quoted(): the first argument, in quotes if it is to be QUOTED */
void put_text_of(struct gen *g, const struct ir_op *op, int64_t quoted)
{
	put_string(g, shown_from(g), string_room(g, 0), &op->args.v[0]);
	put_shown_text(g, g->layout->values[op->result], g->layout->value_rooms[op->result], NULL, quoted);
}

/* text_strn(): likewise, at most as many bytes as the second says */
void put_limited_text(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	if (op->args.v[2].kind != IR_NUMBER) {
		refuse(g, "no text_strn() whose last argument is no constant");
		return;
	}
	put_string(g, shown_from(g), string_room(g, 0), &op->args.v[0]);
	put_shown_text(g, g->layout->values[op->result], g->layout->value_rooms[op->result], &op->args.v[1],
		       op->args.v[2].number != 0);
}

/* r0 = the address of the string, the only value of a format; it waits where the loop's count will be */
static unsigned put_address(void *arg, unsigned i, unsigned *room)
{
	struct gen *g = arg;

	(void)i, (void)room;
	code_load(g->c, BPF_DW, R0, R9, g->text + AT);
	return 0;
}

/* Shows the address at AT in the frame: what is there can't be read. */
static void put_address_text(struct gen *g, unsigned at, unsigned room)
{
	put_format(g, at, room, "%p", put_address, g);
}

/*
 * Quotes the string at the first argument, of at most as many bytes as the second says if there is one, and with at
 * most as many bytes of text as the third says; or, if it can't be read, shows the address.
 */
void put_quoted(struct gen *g, const struct ir_op *op, int64_t helper)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned failed = code_label(g->c), done = code_label(g->c), from = shown_from(g);

	load_word(g, R7, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, g->text + AT, R7);
	put_string_read(g, from, string_room(g, 0), helper, op->args.n > 1 ? &op->args.v[1] : NULL, failed);
	put_shown_text(g, at, room, op->args.n > 2 ? &op->args.v[2] : NULL, true);
	code_jump(g->c, done);
	code_here(g->c, failed);
	put_address_text(g, at, room);
	code_here(g->c, done);
}

void put_quoted_variable(struct gen *g, unsigned at, unsigned room, uint64_t most)
{
	const struct ir_operand limit = { .kind = IR_NUMBER, .number = most };
	unsigned not_kernels = code_label(g->c), failed = code_label(g->c), shown = code_label(g->c);
	unsigned done = code_label(g->c), from = shown_from(g);

	code_op_reg(g->c, BPF_MOV, R7, R0);
	code_store(g->c, BPF_DW, R9, g->text + AT, R7);
	put_string_read(g, from, string_room(g, 0), BPF_FUNC_probe_read_kernel_str, &limit, not_kernels);
	code_jump(g->c, shown);
	code_here(g->c, not_kernels);
	put_string_read(g, from, string_room(g, 0), BPF_FUNC_probe_read_user_str, &limit, failed);
	code_here(g->c, shown);
	put_shown_text(g, at, room, NULL, true);
	code_jump(g->c, done);
	code_here(g->c, failed);
	put_address_text(g, at, room);
	code_here(g->c, done);
}

/* Quotes a buffer, the process's if USER, of as many bytes as the second argument says. */
void put_quoted_buffer(struct gen *g, const struct ir_op *op, int64_t user)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned most = string_room(g, 0) - 1, from = shown_from(g);
	unsigned failed = code_label(g->c), done = code_label(g->c), fits = code_label(g->c);

	clear_bytes(g, from, STRING_BYTES + string_room(g, 0));
	load_word(g, R7, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, g->text + AT, R7);
	load_word(g, R2, &op->args.v[1]);
	code_jump_if(g->c, BPF_JLE, R2, most, fits);
	code_op(g->c, BPF_ARSH, R2, 63);	/* none if the number is negative */
	code_op(g->c, BPF_XOR, R2, -1);
	code_op(g->c, BPF_AND, R2, most);
	code_here(g->c, fits);
	code_store(g->c, BPF_DW, R9, from, R2);
	put_bytes_read(g, from + STRING_BYTES, most, from, user, failed);
	put_shown_text(g, at, room, op->args.n > 2 ? &op->args.v[2] : NULL, true);
	code_jump(g->c, done);
	code_here(g->c, failed);
	put_address_text(g, at, room);
	code_here(g->c, done);
}
