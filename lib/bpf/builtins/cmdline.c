// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arguments and the environment of the current process, as runtime/tapset/cmdline.c shows them: strings that lie
 * one behind the other in its memory.  Each round of a loop reads one, or a part of one that is longer than ours.
 *
 *	cat NUL NUL /etc/passwd NUL	cat "" /etc/passwd
 */
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "builtins.h"

/* What the loop uses of the frame, behind one another; the text that it makes follows. */
enum {
	AT,				/* the address of the string that comes next, */
	NUMBER = 8,			/* and its number */
	END = 16,			/* the address behind the last */
	BEGUN = 24,			/* 1 if it is the rest of one that was longer */
	FIRST = 32, LAST = 40,		/* numbers of those that are shown; LAST < FIRST: up to the end */
	TO = 48,
};

/* Strings, or parts of them, that are looked at: more than a process has as a rule. */
enum { STRINGS_MOST = 4096 };

static unsigned to_at(const struct gen *g)
{
	return g->command + TO;
}

static void load(struct gen *g, unsigned reg, unsigned word)
{
	code_load(g->c, BPF_DW, reg, R9, g->command + word);
}

/*
 * Reads the next string, or a part of it, to the spare string; goes to OVER if there is none.  r7 = its length, not beyond
 * the end.
 */
static void put_next(struct gen *g, unsigned over)
{
	unsigned within = code_label(g->c), from = spare_string(g);

	load(g, R7, AT);
	load(g, R1, END);
	code_jump_if_reg(g->c, BPF_JGE, R7, R1, over);
	put_string_read(g, from, string_room(g, 0), BPF_FUNC_probe_read_user_str, NULL, over);
	load(g, R1, END);
	load(g, R2, AT);
	code_op_reg(g->c, BPF_SUB, R1, R2);
	code_load(g->c, BPF_DW, R7, R9, from);
	code_jump_if_reg(g->c, BPF_JLE, R7, R1, within);
	code_op_reg(g->c, BPF_MOV, R7, R1);
	code_store(g->c, BPF_DW, R9, from, R7);
	code_here(g->c, within);
}

/* Goes on behind what was read: to the next string, or to the rest of one that is longer than ours. */
static void put_step(struct gen *g)
{
	unsigned whole = code_label(g->c), done = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, spare_string(g));
	load(g, R2, AT);
	code_op_reg(g->c, BPF_ADD, R2, R1);
	code_jump_if(g->c, BPF_JLT, R1, string_room(g, 0) - 1, whole);
	code_store_number(g->c, BPF_DW, R9, g->command + BEGUN, 1);
	code_jump(g->c, done);
	code_here(g->c, whole);
	code_op(g->c, BPF_ADD, R2, 1);
	code_store_number(g->c, BPF_DW, R9, g->command + BEGUN, 0);
	load(g, R1, NUMBER);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, g->command + NUMBER, R1);
	code_here(g->c, done);
	code_store(g->c, BPF_DW, R9, g->command + AT, R2);
	code_number(g->c, R0, 0);
	code_exit(g->c);
}

/* Ends a function of the loop, whose last round goes to OVER. */
static void end_strings(struct gen *g, unsigned over, struct function *outer)
{
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
}

/* Runs the function for each of the strings between two addresses in the process's memory. */
static void put_strings(struct gen *g, enum task_fact begin, enum task_fact end, unsigned function, unsigned none)
{
	put_own_fact(g, end, none);
	code_store(g->c, BPF_DW, R9, g->command + END, R0);
	put_own_fact(g, begin, none);
	code_store(g->c, BPF_DW, R9, g->command + AT, R0);
	code_store_number(g->c, BPF_DW, R9, g->command + NUMBER, 0);
	code_store_number(g->c, BPF_DW, R9, g->command + BEGUN, 0);
	put_rounds(g, function, STRINGS_MOST);
}

static void begin_text(struct gen *g)
{
	if (!g->command)
		g->command = take(g, TO + STRING_BYTES + string_room(g, 0));
	clear_bytes(g, to_at(g), STRING_BYTES + string_room(g, 0));
}

static void end_text(struct gen *g, const struct ir_op *op)
{
	copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], to_at(g), string_room(g, 0));
}

/* ---- arguments --------------------------------------------------------------- */

/* What is between arguments, in the frame. */
struct between {
	unsigned at, room;
};

/* Appends the argument that was read, an empty one as "" unless it alone is shown. */
static void put_shown(struct gen *g, const struct between *b)
{
	unsigned first = code_label(g->c), shown = code_label(g->c), rest = code_label(g->c), room = string_room(g, 0);

	load(g, R1, BEGUN);
	code_jump_if(g->c, BPF_JNE, R1, 0, rest);
	load(g, R1, NUMBER);
	load(g, R2, FIRST);
	code_jump_if_reg(g->c, BPF_JEQ, R1, R2, first);
	put_append(g, to_at(g), room, b->at, b->room);
	code_here(g->c, first);
	code_load(g->c, BPF_DW, R1, R9, spare_string(g));
	code_jump_if(g->c, BPF_JNE, R1, 0, rest);
	load(g, R1, FIRST);
	load(g, R2, LAST);
	code_jump_if_reg(g->c, BPF_JEQ, R1, R2, shown);
	put_text(g, piece_at(g), 8, "\"\"");
	put_append(g, to_at(g), room, piece_at(g), 8);
	code_jump(g->c, shown);
	code_here(g->c, rest);
	put_append(g, to_at(g), room, spare_string(g), room);
	code_here(g->c, shown);
}

/* Makes the function that takes an argument. */
static unsigned put_argument(struct gen *g, const struct between *b)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), before = code_label(g->c);
	unsigned all = code_label(g->c);

	load(g, R1, NUMBER);
	load(g, R2, FIRST);
	load(g, R3, LAST);
	code_jump_if_reg(g->c, BPF_JSLT, R3, R2, all);
	code_jump_if_reg(g->c, BPF_JSGT, R1, R3, over);
	code_here(g->c, all);
	code_load(g->c, BPF_DW, R1, R9, to_at(g));
	code_jump_if(g->c, BPF_JGE, R1, string_room(g, 0) - 1, over);
	put_next(g, over);
	load(g, R1, NUMBER);
	load(g, R2, FIRST);
	code_jump_if_reg(g->c, BPF_JSLT, R1, R2, before);
	put_shown(g, b);
	code_here(g->c, before);
	put_step(g);
	end_strings(g, over, outer);
	return number;
}

/* Stores which arguments are shown: all of cmdline_str(), one of cmdline_arg(), or those that cmdline_args() is given. */
static void put_range(struct gen *g, const struct ir_op *op, unsigned none)
{
	code_number(g->c, R0, 0);
	if (op->args.n)
		load_word(g, R0, &op->args.v[0]);
	code_jump_if(g->c, BPF_JSLT, R0, 0, none);
	code_store(g->c, BPF_DW, R9, g->command + FIRST, R0);
	if (op->args.n == 0)
		code_number(g->c, R0, -1);
	else if (op->args.n > 1)
		load_word(g, R0, &op->args.v[1]);
	code_store(g->c, BPF_DW, R9, g->command + LAST, R0);
}

void put_arguments(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct ir_operand blank = { .kind = IR_LITERAL, .type = IR_STRING, .text = " " };
	const struct ir_operand *delim = op->args.n > 2 ? &op->args.v[2] : &blank;
	unsigned none = code_label(g->c);
	struct between b;

	(void)unused;
	begin_text(g);
	b.room = literal_text(g, delim) ? rounded(strlen(literal_text(g, delim)) + 1) : string_room(g, 0);
	b.at = take(g, STRING_BYTES + b.room);
	put_string(g, b.at, b.room, delim);
	put_range(g, op, none);
	put_strings(g, TASK_ARGUMENTS, TASK_ARGUMENTS_END, put_argument(g, &b), none);
	code_here(g->c, none);
	end_text(g, op);
}

/* ---- the environment ------------------------------------------------------------ */

/* Goes to OTHER unless the string that was read begins with TEXT. */
static void put_begins(struct gen *g, const char *text, unsigned other)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i += 8) {
		uint64_t word = 0, mask = n - i < 8 ? (1ull << 8 * (n - i)) - 1 : UINT64_MAX;

		memcpy(&word, text + i, n - i < 8 ? n - i : 8);
		code_load(g->c, BPF_DW, R1, R9, spare_string(g) + STRING_BYTES + i);
		code_number(g->c, R2, mask);
		code_op_reg(g->c, BPF_AND, R1, R2);
		code_number(g->c, R2, word);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
	}
}

/* Makes the function that looks whether a variable is the one that BEGIN, "NAME=", names, and takes its value. */
static unsigned put_assignment(struct gen *g, const char *begin)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), other = code_label(g->c);

	put_next(g, over);
	load(g, R1, BEGUN);
	code_jump_if(g->c, BPF_JNE, R1, 0, other);
	code_op(g->c, BPF_SUB, R7, strlen(begin));
	code_jump_if(g->c, BPF_JSLT, R7, 0, other);
	put_begins(g, begin, other);
	load(g, R1, AT);
	code_op(g->c, BPF_ADD, R1, strlen(begin));
	code_store(g->c, BPF_DW, R9, g->command + AT, R1);
	put_next(g, over);
	put_append(g, to_at(g), string_room(g, 0), spare_string(g), string_room(g, 0));
	code_jump(g->c, over);
	code_here(g->c, other);
	put_step(g);
	end_strings(g, over, outer);
	return number;
}

void put_variable(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const char *name = literal_text(g, &op->args.v[0]);
	unsigned none = code_label(g->c);

	(void)unused;
	if (!name) {
		refuse(g, "no variables of the environment by names that are no literals");
		return;
	}
	begin_text(g);
	if (!strchr(name, '=') && strlen(name) < string_room(g, 0) - 1)
		put_strings(g, TASK_ENVIRONMENT, TASK_ENVIRONMENT_END, put_assignment(g, arena_printf("%s=", name)), none);
	code_here(g->c, none);
	end_text(g, op);
}
