// SPDX-License-Identifier: GPL-2.0-or-later
/* Builtins that act: end the session, run a command, send a signal, speculate. */
#include <stddef.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "builtins.h"

/* Lets no other handler begin. */
void stop_handlers(struct gen *g)
{
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, running));
	code_store_number(g->c, BPF_DW, R1, 0, 0);
}

void put_exit(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)op, (void)unused;
	g->tells = true;
	stop_handlers(g);
	code_store_number(g->c, BPF_DW, R9, FRAME_EXITS, 1);
}

/* Has stapio run the first argument as a command; one that may have been cut is not run. */
void put_system(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct ir_operand *command = &op->args.v[0];
	unsigned at = string_at(g, command), cut = code_label(g->c), done = code_label(g->c);

	(void)unused;
	code_load(g->c, BPF_DW, R0, R9, at);
	code_jump_if(g->c, BPF_JGE, R0, g->ir->limits.string - 1, cut);
	put_item(g, ST_FMT_SYSTEM, at, operand_room(g, command));
	code_jump(g->c, done);
	code_here(g->c, cut);
	fail(g, "system(): the command may have been cut; enlarge -D MAXSTRINGLEN");
	code_here(g->c, done);
}

/* Copies the first argument to AT in the frame, where any string has room. */
static void copy_argument(struct gen *g, const struct ir_op *op, unsigned at)
{
	put_string(g, at, string_room(g, 0), &op->args.v[0]);
}

/* Likewise, without a final newline, because stapio adds one to warnings and errors. */
void put_line(struct gen *g, const struct ir_op *op, unsigned at)
{
	unsigned none = code_label(g->c);

	copy_argument(g, op, at);
	code_load(g->c, BPF_DW, R1, R9, at);
	code_op(g->c, BPF_SUB, R1, 1);
	code_jump_if(g->c, BPF_JGE, R1, string_room(g, 0), none);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op_reg(g->c, BPF_ADD, R2, R9);
	code_load(g->c, BPF_B, R0, R2, at + STRING_BYTES);
	code_jump_if(g->c, BPF_JNE, R0, '\n', none);
	code_store_number(g->c, BPF_B, R2, at + STRING_BYTES, 0);
	code_store(g->c, BPF_DW, R9, at, R1);
	code_here(g->c, none);
}

/* warn(), unless the handler has failed */
void put_warn(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned failed = code_label(g->c);

	(void)unused;
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JNE, R0, 0, failed);
	put_line(g, op, spare_string(g));
	put_item(g, ST_FMT_WARN, spare_string(g), string_room(g, 0));
	code_here(g->c, failed);
}

/* log(): the first argument and a newline */
void put_log(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = spare_string(g), room = string_room(g, 0);

	(void)unused;
	copy_argument(g, op, at);
	put_text(g, piece_at(g), 8, "\n");
	put_append(g, at, room, piece_at(g), 8);
	put_item(g, ST_FMT_TEXT, at, room);
}

/* Sends a signal to the thread, which is a program's. */
void put_signal(struct gen *g, const struct ir_op *op, int64_t unused)
{
	enum { SIGNALS = 64 };
	unsigned wrong = code_label(g->c), done = code_label(g->c);

	(void)unused;
	if (!g->waits && g->attach != IR_OF_PROCESS)
		refuse(g, "no builtin 'raise' in a probe of the kernel");
	load_word(g, R1, &op->args.v[0]);
	code_jump_if(g->c, BPF_JGT, R1, SIGNALS, wrong);
	code_helper(g->c, BPF_FUNC_send_signal_thread);
	code_jump(g->c, done);
	code_here(g->c, wrong);
	fail_number(g, "raise(): there is no signal ", R1, "");
	code_here(g->c, done);
}

/* ---- speculations ------------------------------------------------------------------ */

/* speculation(): the next number, of the process's and these handlers' alike */
void put_new_speculation(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, speculations));
	code_number(g->c, R0, 1);
	code_atomic(g->c, BPF_ADD | BPF_FETCH, R1, 0, R0);
	code_op(g->c, BPF_ADD, R0, 1);
	store_word(g, op, R0);
}

/* speculate(), of the text that is the second argument; commit(), discard() */
void put_speculation(struct gen *g, const struct ir_op *op, int64_t act)
{
	const struct ir_operand *text = op->args.n > 1 ? &op->args.v[1] : NULL;
	unsigned at = text ? string_at(g, text) : piece_at(g);

	if (!text)
		put_text(g, at, 8, "");
	put_speculation_item(g, &op->args.v[0], act, at, text ? operand_room(g, text) : 8);
}
