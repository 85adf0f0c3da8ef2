// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arguments of the current process, as runtime/tapset/cmdline.c shows them: they lie one behind the other
 * in its memory, and are copied in a round of a loop for each byte.
 *
 *	cat NUL NUL /etc/passwd NUL	cat "" /etc/passwd
 */
#include "fetch.h"
#include "builtins.h"

/* What the loop uses of the frame, behind one another; the text that it makes follows. */
enum {
	AT,				/* the byte that comes next */
	BYTES = 8,			/* that were read, */
	ALL = 16,			/* and that there are */
	BEGUN = 24,			/* 1 within an argument that is not empty */
	TO = 32,
};

static unsigned to_at(const struct gen *g)
{
	return g->command + TO;
}

/* Appends the byte in r0 to the text; goes to OVER if that is full. */
static void append(struct gen *g, unsigned over)
{
	code_load(g->c, BPF_DW, R1, R9, to_at(g));
	code_jump_if(g->c, BPF_JGE, R1, string_room(g, 0) - 1, over);
	pass_frame(g, R2, to_at(g) + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R2, R1);
	code_store(g->c, BPF_B, R2, 0, R0);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, to_at(g), R1);
}

/* An argument ends: shows an empty one, and parts it from the next. */
static void put_end(struct gen *g, unsigned over)
{
	unsigned shown = code_label(g->c), last = code_label(g->c);

	code_load(g->c, BPF_DW, R0, R9, g->command + BEGUN);
	code_jump_if(g->c, BPF_JNE, R0, 0, shown);
	code_number(g->c, R0, '"');
	append(g, over);
	append(g, over);
	code_here(g->c, shown);
	code_store_number(g->c, BPF_DW, R9, g->command + BEGUN, 0);
	code_load(g->c, BPF_DW, R0, R9, g->command + AT);
	code_load(g->c, BPF_DW, R1, R9, g->command + ALL);
	code_jump_if_reg(g->c, BPF_JGE, R0, R1, last);
	code_number(g->c, R0, ' ');
	append(g, over);
	code_here(g->c, last);
}

/* Makes the function that takes a byte of the arguments, which are at FROM in the frame. */
static unsigned put_byte(struct gen *g, unsigned from)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), ends = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, g->command + AT);
	code_load(g->c, BPF_DW, R1, R9, g->command + BYTES);
	code_jump_if_reg(g->c, BPF_JGE, R7, R1, over);
	code_jump_if(g->c, BPF_JGE, R7, string_room(g, 0), over);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, g->command + AT, R1);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_load(g->c, BPF_B, R0, R7, from);
	code_jump_if(g->c, BPF_JEQ, R0, 0, ends);
	append(g, over);
	code_store_number(g->c, BPF_DW, R9, g->command + BEGUN, 1);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, ends);
	put_end(g, over);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* Notes how many bytes lie between r7 and the end, and how many of them, MOST at most, are read. */
static void put_lengths(struct gen *g, unsigned most, unsigned none)
{
	unsigned fits = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, g->command + ALL);
	code_jump_if_reg(g->c, BPF_JLE, R1, R7, none);
	code_op_reg(g->c, BPF_SUB, R1, R7);
	code_store(g->c, BPF_DW, R9, g->command + ALL, R1);
	code_jump_if(g->c, BPF_JLE, R1, most, fits);
	code_number(g->c, R1, most);
	code_here(g->c, fits);
	code_store(g->c, BPF_DW, R9, g->command + BYTES, R1);
}

void put_command_line(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned none = code_label(g->c), room = string_room(g, 0), from = spare_string(g) + STRING_BYTES;

	(void)unused;
	if (!g->command)
		g->command = take(g, TO + STRING_BYTES + room);
	clear_bytes(g, to_at(g), STRING_BYTES + room);
	put_own_fact(g, TASK_ARGUMENTS_END, none);
	code_store(g->c, BPF_DW, R9, g->command + ALL, R0);
	put_own_fact(g, TASK_ARGUMENTS, none);
	code_op_reg(g->c, BPF_MOV, R7, R0);
	put_lengths(g, room - 1, none);
	put_bytes_read(g, from, room - 1, g->command + BYTES, true, none);
	code_store_number(g->c, BPF_DW, R9, g->command + AT, 0);
	code_store_number(g->c, BPF_DW, R9, g->command + BEGUN, 0);
	put_rounds(g, put_byte(g, from), room);
	code_here(g->c, none);
	copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], to_at(g), room);
}
