// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names addresses of the kernel's code, in the kernel's own words (%pS of its formats), as a module does:
 *
 *	0xffffffff81234570	vfs_read+0x10/0x180 [kernel]		the kernel leaves " [kernel]" out
 *	0xffffffffc0123456	fuse_open+0x6/0x90 [fuse]
 *	0x1000			0x1000					no symbol is there
 *
 * One function of a program makes this text; another finds its parts, a round of a loop for each byte.
 */
#include <string.h>

#include "builtins.h"

/* What the functions use of the frame, behind one another. */
enum {
	ADDRESS,
	PLUS = 8,			/* where the parts begin in the text; 0: there is none */
	SLASH = 16,
	BRACKET = 24,
	AT = 32,			/* the byte that comes next */
	TEXT = 40,			/* the text; and a line of a stack, with the text in it */
	TEXT_ROOM = 1024,		/* the kernel's names end at 512 bytes */
	LINE = TEXT + STRING_BYTES + TEXT_ROOM,
	LINE_ROOM = TEXT_ROOM + 32,
	BYTES = LINE + STRING_BYTES + LINE_ROOM,
};

static const char in_kernel[] = " [kernel]";

static unsigned symbol_at(struct gen *g)
{
	if (!g->symbol)
		g->symbol = take(g, BYTES);
	return g->symbol;
}

/* Adds what the kernel leaves out to the text, of r7 bytes, if there is a symbol, and it is no module's. */
static void put_kernel(struct gen *g, unsigned text, unsigned done)
{
	int64_t word;

	memcpy(&word, in_kernel, sizeof(word));
	code_load(g->c, BPF_B, R0, R9, text + STRING_BYTES);
	code_jump_if(g->c, BPF_JEQ, R0, '0', done);
	pass_frame(g, R1, text + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R1, R7);
	code_load(g->c, BPF_B, R0, R1, -1);
	code_jump_if(g->c, BPF_JEQ, R0, ']', done);
	code_number(g->c, R0, word);
	code_store(g->c, BPF_DW, R1, 0, R0);
	code_store_number(g->c, BPF_B, R1, sizeof(word), ']');
	code_op(g->c, BPF_ADD, R7, strlen(in_kernel));
}

/* Makes the function that makes the text, of which the length is negative if the kernel could not make it. */
static unsigned put_text_function(struct gen *g)
{
	unsigned symbol = symbol_at(g), text = symbol + TEXT, done, bad;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	done = code_label(g->c);
	bad = code_label(g->c);
	clear_bytes(g, text, STRING_BYTES + TEXT_ROOM);
	code_store_number(g->c, BPF_DW, R9, text, -1);
	put_kernels_text(g, text, TEXT_ROOM - 32, "%pS", symbol + ADDRESS);
	code_op_reg(g->c, BPF_MOV, R7, R0);
	code_jump_if(g->c, BPF_JSLE, R7, 0, bad);
	code_jump_if(g->c, BPF_JSGE, R7, TEXT_ROOM - 32, bad);
	put_kernel(g, text, done);
	code_here(g->c, done);
	code_store(g->c, BPF_DW, R9, text, R7);
	code_here(g->c, bad);
	end_function(g, outer);
	return number;
}

/* Names the address r0; the handler is skipped if the kernel has no room for that. */
static void put_name(struct gen *g)
{
	unsigned symbol = symbol_at(g), fine = code_label(g->c);

	code_store(g->c, BPF_DW, R9, symbol + ADDRESS, R0);
	if (!g->names)
		g->names = put_text_function(g);
	else
		note_call(g, 1);
	pass_registers(g, R2);
	code_number(g->c, R1, 0);
	code_call(g->c, g->names);
	code_load(g->c, BPF_DW, R0, R9, symbol + TEXT);
	code_jump_if(g->c, BPF_JSGT, R0, 0, fine);
	leave(g, WAY_SKIPPED, NULL);
	code_here(g->c, fine);
}

/* ---- parts ------------------------------------------------------------------------ */

/*
 * Notes that a part begins at the byte r7, which is in r0, if the byte is MARK and the part BEFORE has
 * begun.
 */
static void put_mark(struct gen *g, char mark, unsigned before, unsigned part)
{
	unsigned other = code_label(g->c);

	code_jump_if(g->c, BPF_JNE, R0, mark, other);
	if (before) {
		code_load(g->c, BPF_DW, R1, R9, symbol_at(g) + before);
		code_jump_if(g->c, BPF_JEQ, R1, 0, other);
	}
	code_load(g->c, BPF_DW, R1, R9, symbol_at(g) + part);
	code_jump_if(g->c, BPF_JNE, R1, 0, other);
	code_store(g->c, BPF_DW, R9, symbol_at(g) + part, R7);
	code_here(g->c, other);
}

/* Makes the function that looks at a byte. */
static unsigned put_look(struct gen *g)
{
	unsigned symbol = symbol_at(g), over;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	over = code_label(g->c);
	code_load(g->c, BPF_DW, R7, R9, symbol + AT);
	code_load(g->c, BPF_DW, R1, R9, symbol + TEXT);
	code_jump_if_reg(g->c, BPF_JGE, R7, R1, over);
	code_jump_if(g->c, BPF_JGE, R7, TEXT_ROOM, over);
	pass_frame(g, R1, symbol + TEXT + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R1, R7);
	code_load(g->c, BPF_B, R0, R1, 0);
	put_mark(g, '+', 0, PLUS);
	put_mark(g, '/', PLUS, SLASH);
	put_mark(g, '[', SLASH, BRACKET);
	code_op(g->c, BPF_ADD, R7, 1);
	code_store(g->c, BPF_DW, R9, symbol + AT, R7);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* Names the address r0, and finds the parts of its name. */
static void put_parts(struct gen *g)
{
	put_name(g);
	for (unsigned part = PLUS; part <= AT; part += 8)
		code_store_number(g->c, BPF_DW, R9, symbol_at(g) + part, 0);
	if (!g->looks)
		g->looks = put_look(g);
	else
		note_call(g, 1);
	put_rounds(g, g->looks, TEXT_ROOM);
}

/* REG = where PART begins; goes to NONE if there is none. */
static void load_part(struct gen *g, unsigned reg, unsigned part, unsigned none)
{
	code_load(g->c, BPF_DW, reg, R9, symbol_at(g) + part);
	code_jump_if(g->c, BPF_JEQ, reg, 0, none);
}

/* Appends bytes r4 to r2 of the text, that one excluded. */
static void append_text_part(struct gen *g, unsigned at, unsigned room)
{
	code_op_reg(g->c, BPF_SUB, R2, R4);
	put_append_part(g, at, room, symbol_at(g) + TEXT, TEXT_ROOM);
}

/* Appends "vfs_read" of the name. */
static void append_function(struct gen *g, unsigned at, unsigned room)
{
	unsigned none = code_label(g->c), some = code_label(g->c);

	load_part(g, R2, PLUS, none);
	code_jump(g->c, some);
	code_here(g->c, none);
	code_load(g->c, BPF_DW, R2, R9, symbol_at(g) + TEXT);
	code_here(g->c, some);
	code_number(g->c, R4, 0);
	append_text_part(g, at, room);
}

/* Appends the name without the function's size, "vfs_read+0x10 [kernel]". */
static void append_short(struct gen *g, unsigned at, unsigned room)
{
	unsigned none = code_label(g->c), done = code_label(g->c);

	load_part(g, R2, SLASH, none);
	code_number(g->c, R4, 0);
	append_text_part(g, at, room);
	load_part(g, R4, BRACKET, done);
	code_op(g->c, BPF_SUB, R4, 1);
	code_load(g->c, BPF_DW, R2, R9, symbol_at(g) + TEXT);
	append_text_part(g, at, room);
	code_jump(g->c, done);
	code_here(g->c, none);
	put_append(g, at, room, symbol_at(g) + TEXT, TEXT_ROOM);
	code_here(g->c, done);
}

/* ---- lines of stacks ----------------------------------------------------------------- */

static void append_newline(struct gen *g, unsigned at, unsigned room)
{
	put_text(g, symbol_at(g) + TEXT, 8, "\n");
	put_append(g, at, room, symbol_at(g) + TEXT, 8);
}

/* Makes the line of a frame with the address r0: " 0xffffffff81234570 : vfs_read+0x10/0x180 [kernel]\n". */
unsigned put_frame_line(struct gen *g, unsigned *room)
{
	unsigned line = symbol_at(g) + LINE;

	put_name(g);
	clear_bytes(g, line, STRING_BYTES + LINE_ROOM);
	put_kernels_text(g, line, 32, " 0x%lx : ", symbol_at(g) + ADDRESS);
	skip_unless_made(g);
	code_store(g->c, BPF_DW, R9, line, R0);
	put_append(g, line, LINE_ROOM, symbol_at(g) + TEXT, TEXT_ROOM);
	append_newline(g, line, LINE_ROOM);
	*room = LINE_ROOM;
	return line;
}

/*
 * Appends the line of a frame with the address r0, without what the other has in front: "vfs_read+0x10
 * [kernel]\n".
 */
void append_short_line(struct gen *g, unsigned at, unsigned room)
{
	put_parts(g);
	append_short(g, at, room);
	append_newline(g, at, room);
}

/*
 * Makes a kernel function's name in a folded line, ";vfs_read_[k]", of the frame with the address r0; ";unknown_[k]" if it
 * has none.  Returns where.
 */
unsigned put_folded_name(struct gen *g, unsigned *room)
{
	unsigned line = symbol_at(g) + LINE, piece = piece_at(g), none = code_label(g->c), done = code_label(g->c);

	put_parts(g);
	clear_bytes(g, line, STRING_BYTES + LINE_ROOM);
	put_text(g, line, 8, ";");
	load_part(g, R2, PLUS, none);
	code_number(g->c, R4, 0);
	append_text_part(g, line, LINE_ROOM);
	code_jump(g->c, done);
	code_here(g->c, none);
	put_text(g, piece, 8, "unknown");
	put_append(g, line, LINE_ROOM, piece, 8);
	code_here(g->c, done);
	put_text(g, piece, 8, "_[k]");
	put_append(g, line, LINE_ROOM, piece, 8);
	*room = LINE_ROOM;
	return line;
}

/* ---- builtins ---------------------------------------------------------------------------- */

/* The operation's result = the function at r0. */
void put_name_of_function(struct gen *g, const struct ir_op *op)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];

	put_parts(g);
	clear_bytes(g, at, STRING_BYTES + room);
	append_function(g, at, room);
}

/* symname(): the function at the first argument */
void put_symbol_name(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	load_word(g, R0, &op->args.v[0]);
	put_name_of_function(g, op);
}

/* symdata(): the whole text */
void put_symbol_text(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	load_word(g, R0, &op->args.v[0]);
	put_name(g);
	copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], symbol_at(g) + TEXT,
		    TEXT_ROOM);
}

/* modname(): the module; an error if there is no symbol */
void put_symbol_module(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_word(g, R0, &op->args.v[0]);
	put_parts(g);
	clear_bytes(g, at, STRING_BYTES + room);
	load_part(g, R4, BRACKET, none);
	code_op(g->c, BPF_ADD, R4, 1);
	code_load(g->c, BPF_DW, R2, R9, symbol_at(g) + TEXT);
	code_op(g->c, BPF_SUB, R2, 1);
	append_text_part(g, at, room);
	code_jump(g->c, done);
	code_here(g->c, none);
	code_load(g->c, BPF_DW, R1, R9, symbol_at(g) + ADDRESS);
	fail_hex(g, "no module known at 0x", R1);
	code_here(g->c, done);
}
