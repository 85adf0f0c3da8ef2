// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows an array of strings in the process's memory, which ends with a null pointer: what execve(2) takes.
 *
 *	["ls", "-l"]
 *
 * It is made as runtime/tapset/syscall.c does, a round of a loop for each string.
 */
#include "fetch.h"
#include "builtins.h"

/* What the loop uses of the frame, behind one another; the text that it makes follows. */
enum {
	AT,				/* the address of the next pointer, */
	WORD = 8,			/* and its bytes: 4 in a 32-bit program */
	TO = 16,
};

/* The most strings, and bytes of each; what is kept free for an end. */
enum { STRINGS = 64, SHOWN = 64, FREE = 6 };

static unsigned to_at(const struct gen *g)
{
	return g->strings + TO;
}

/* Appends the byte in r0 to the text, which has room for it. */
static void append(struct gen *g)
{
	unsigned full = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, to_at(g));
	code_jump_if(g->c, BPF_JGE, R1, string_room(g, 0) - 1, full);
	pass_frame(g, R2, to_at(g) + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R2, R1);
	code_store(g->c, BPF_B, R2, 0, R0);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, to_at(g), R1);
	code_here(g->c, full);
}

static void append_byte(struct gen *g, char byte)
{
	code_number(g->c, R0, byte);
	append(g);
}

/* r7 = the next pointer; goes to OVER if there is none, or it can't be read. */
static void load_pointer(struct gen *g, unsigned over)
{
	unsigned narrow = code_label(g->c), read = code_label(g->c);

	code_load(g->c, BPF_DW, R3, R9, g->strings + AT);
	code_load(g->c, BPF_DW, R1, R9, g->strings + WORD);
	code_jump_if(g->c, BPF_JEQ, R1, 4, narrow);
	put_try_read(g, 8, true, over);
	code_jump(g->c, read);
	code_here(g->c, narrow);
	put_try_read(g, 4, true, over);
	code_here(g->c, read);
	code_jump_if(g->c, BPF_JEQ, R0, 0, over);
	code_op_reg(g->c, BPF_MOV, R7, R0);
	code_load(g->c, BPF_DW, R0, R9, g->strings + AT);
	code_load(g->c, BPF_DW, R1, R9, g->strings + WORD);
	code_op_reg(g->c, BPF_ADD, R0, R1);
	code_store(g->c, BPF_DW, R9, g->strings + AT, R0);
}

/* Appends the string at r7 in quotes, as far as there is room for it and what follows. */
static void append_string(struct gen *g)
{
	const struct ir_operand shown = { .kind = IR_NUMBER, .number = SHOWN };
	unsigned from = spare_string(g), room = rounded(SHOWN + 1), failed = code_label(g->c);

	append_byte(g, '"');
	put_string_read(g, from, room, BPF_FUNC_probe_read_user_str, &shown, failed);
	put_append(g, to_at(g), string_room(g, 0) - 2, from, room);
	code_here(g->c, failed);
	append_byte(g, '"');
}

/* Makes the function that shows a string. */
static unsigned put_next_string(struct gen *g)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), first = code_label(g->c);

	code_load(g->c, BPF_DW, R0, R9, to_at(g));
	code_jump_if(g->c, BPF_JGE, R0, string_room(g, 0) - 1 - FREE, over);
	load_pointer(g, over);
	code_load(g->c, BPF_DW, R0, R9, to_at(g));
	code_jump_if(g->c, BPF_JEQ, R0, 1, first);
	append_byte(g, ',');
	append_byte(g, ' ');
	code_here(g->c, first);
	append_string(g);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

void put_user_strings(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned room = string_room(g, 0), wide = code_label(g->c);

	(void)unused;
	if (!g->strings)
		g->strings = take(g, TO + STRING_BYTES + room);
	clear_bytes(g, to_at(g), STRING_BYTES + room);
	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, g->strings + AT, R0);
	code_store_number(g->c, BPF_DW, R9, g->strings + WORD, 8);
	put_is_narrow(g, wide);
	code_store_number(g->c, BPF_DW, R9, g->strings + WORD, 4);
	code_here(g->c, wide);
	append_byte(g, '[');
	put_rounds(g, put_next_string(g), STRINGS);
	append_byte(g, ']');
	copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], to_at(g), room);
}
