// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints: items are made in the frame's record, which goes to the ring when the handler ends or it is full.
 */
#include <stddef.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "gen.h"

/* Strings with more room are copied by a helper. */
enum { COPIED_INLINE = 32 };

/* Returns how many bytes of an item the operands from FIRST on are at most. */
static unsigned most_bytes(struct gen *g, const struct ir_op *op, size_t first)
{
	unsigned bytes = 0;

	for (size_t i = first; i < op->args.n; i++)
		bytes += op->args.v[i].type == IR_STRING ? 4 + operand_room(g, &op->args.v[i]) : 8;
	return bytes;
}

/* ---- records ----------------------------------------------------------------- */

static void count_lost(struct gen *g)
{
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, lost));
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R1, 0, R2);
}

#define RECORD(member) (FRAME_RECORD + offsetof(struct bpf_record, member))

static void put_origin(struct gen *g)
{
	code_helper(g->c, BPF_FUNC_get_current_pid_tgid);
	code_store(g->c, BPF_DW, R9, RECORD(task), R0);
	pass_frame(g, R1, RECORD(comm));
	code_number(g->c, R2, sizeof(((struct bpf_record *)0)->comm));
	code_helper(g->c, BPF_FUNC_get_current_comm);
}

/* r0 = the number of the place that is hit */
void put_point(struct gen *g)
{
	if (g->place) {
		code_number(g->c, R0, g->point);
	} else {
		code_op_reg(g->c, BPF_MOV, R1, R6);
		code_helper(g->c, BPF_FUNC_get_attach_cookie);
	}
}

/* Completes the record's head. */
static void put_head(struct gen *g)
{
	code_helper(g->c, BPF_FUNC_ktime_get_ns);
	code_store(g->c, BPF_DW, R9, RECORD(time), R0);
	if (g->on->origins)
		put_origin(g);
	put_point(g);
	code_store(g->c, BPF_W, R9, RECORD(point), R0);
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_store(g->c, BPF_W, R9, RECORD(site), R0);
	code_load(g->c, BPF_DW, R0, R9, FRAME_VALUE);
	code_store(g->c, BPF_DW, R9, RECORD(value), R0);
	code_load(g->c, BPF_DW, R0, R9, FRAME_EXITS);
	code_store(g->c, BPF_W, R9, RECORD(exits), R0);
}

/* Outputs the record.  The reader looks from time to time; it is woken only to end the session. */
void put_output(struct gen *g)
{
	unsigned fits = code_label(g->c), quiet = code_label(g->c), done = code_label(g->c);

	put_head(g);
	code_number(g->c, R4, BPF_RB_NO_WAKEUP);
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_load(g->c, BPF_DW, R2, R9, FRAME_EXITS);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_jump_if(g->c, BPF_JEQ, R1, 0, quiet);
	code_number(g->c, R4, BPF_RB_FORCE_WAKEUP);
	code_here(g->c, quiet);
	code_load(g->c, BPF_DW, R3, R9, FRAME_OUT);
	code_jump_if(g->c, BPF_JLE, R3, BPF_RECORD_ROOM, fits);
	code_number(g->c, R3, 0);
	code_here(g->c, fits);
	code_op(g->c, BPF_ADD, R3, sizeof(struct bpf_record));
	code_map(g->c, R1, BPF_RECORDS);
	pass_frame(g, R2, FRAME_RECORD);
	code_helper(g->c, BPF_FUNC_ringbuf_output);
	code_store_number(g->c, BPF_DW, R9, FRAME_OUT, 0);
	code_jump_if(g->c, BPF_JEQ, R0, 0, done);
	count_lost(g);
	code_here(g->c, done);
}

/* Makes the function that outputs a full record, once for each program. */
static unsigned flush_function(struct gen *g)
{
	struct function *outer;

	if (g->flush)
		return g->flush;
	g->flush = begin_function(g, &outer);
	code_load(g->c, BPF_W, R1, R9, RECORD(more));
	code_op(g->c, BPF_OR, R1, BPF_MORE);
	code_store(g->c, BPF_W, R9, RECORD(more), R1);
	put_output(g);
	code_store_number(g->c, BPF_W, R9, RECORD(more), BPF_CONTINUES);
	end_function(g, outer);
	return g->flush;
}

void make_room(struct gen *g, unsigned bytes)
{
	unsigned fits = code_label(g->c);

	code_load(g->c, BPF_DW, R7, R9, FRAME_OUT);
	code_jump_if(g->c, BPF_JLE, R7, BPF_RECORD_ROOM - bytes, fits);
	pass_registers(g, R2);
	code_number(g->c, R1, 0);
	note_call(g, 1);
	code_call(g->c, flush_function(g));
	code_number(g->c, R7, 0);
	code_here(g->c, fits);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_op(g->c, BPF_ADD, R7, FRAME_ITEMS);
}

/* ---- values --------------------------------------------------------------------- */

/* r2 = the length of a string, below ROOM */
static void load_length(struct gen *g, unsigned at, unsigned room)
{
	unsigned fits = code_label(g->c);

	code_load(g->c, BPF_DW, R2, R9, at);
	code_jump_if(g->c, BPF_JLT, R2, room, fits);
	code_number(g->c, R2, 0);
	code_here(g->c, fits);
}

/* Puts the bytes of the string at AT in the frame, of the length r2, at r7, and moves r7 behind them. */
static void put_item_bytes(struct gen *g, unsigned at, unsigned room)
{
	if (room <= COPIED_INLINE) {
		for (unsigned i = 0; i < room; i += 8) {
			code_load(g->c, BPF_DW, R0, R9, at + STRING_BYTES + i);
			code_store(g->c, BPF_DW, R7, i, R0);
		}
	} else {
		code_op_reg(g->c, BPF_MOV, R1, R7);
		pass_frame(g, R3, at + STRING_BYTES);
		code_helper(g->c, BPF_FUNC_probe_read_kernel);
		load_length(g, at, room);
	}
	code_op_reg(g->c, BPF_ADD, R7, R2);
}

/* Puts the string at AT in the frame at r7 + BYTES, and moves r7 behind it. */
static void put_item_string(struct gen *g, unsigned at, unsigned room, unsigned bytes)
{
	load_length(g, at, room);
	code_store(g->c, BPF_W, R7, bytes, R2);
	code_op(g->c, BPF_ADD, R7, bytes + 4);
	put_item_bytes(g, at, room);
}

void end_item(struct gen *g, unsigned bytes)
{
	code_op_reg(g->c, BPF_SUB, R7, R9);
	code_op(g->c, BPF_ADD, R7, bytes - FRAME_ITEMS);
	code_store(g->c, BPF_DW, R9, FRAME_OUT, R7);
}

/* Puts the operands from FIRST on at r7 + AT, behind strings at r7.  Returns what the item's end is behind r7. */
static unsigned put_item_values(struct gen *g, const struct ir_op *op, size_t first, unsigned at)
{
	for (size_t i = first; i < op->args.n; i++) {
		if (op->args.v[i].type == IR_STRING) {
			put_item_string(g, string_at(g, &op->args.v[i]), operand_room(g, &op->args.v[i]), at);
			at = 0;
		} else {
			load_word(g, R0, &op->args.v[i]);
			code_store(g->c, BPF_DW, R7, at, R0);
			at += 8;
		}
	}
	return at;
}

static unsigned format_of(const struct gen *g, const struct ir_op *op, unsigned number)
{
	return op->format == IR_NO_CONSTANT ? number : g->probe->constants.v[op->format].number;
}

void put_print(struct gen *g, const struct ir_op *op)
{
	unsigned bytes = 2 + most_bytes(g, op, 0);

	if (bytes > BPF_RECORD_ROOM) {
		refuse(g, "no more than %d bytes in one print", BPF_RECORD_ROOM);
		return;
	}
	g->tells = true;
	make_room(g, bytes);
	code_store_number(g->c, BPF_H, R7, 0, format_of(g, op, op->symbol));
	end_item(g, put_item_values(g, op, 0, 2));
}

/* r7 + AT = how many bytes of an item the operands from FIRST on are, and BYTES more. */
static void put_values_length(struct gen *g, const struct ir_op *op, size_t first, unsigned at, unsigned bytes)
{
	code_store_number(g->c, BPF_W, R7, at, bytes);
	for (size_t i = first; i < op->args.n; i++) {
		if (op->args.v[i].type == IR_STRING) {
			load_length(g, string_at(g, &op->args.v[i]), operand_room(g, &op->args.v[i]));
			code_op(g->c, BPF_ADD, R2, 4);
		} else {
			code_number(g->c, R2, 8);
		}
		code_load(g->c, BPF_W, R1, R7, at);
		code_op_reg(g->c, BPF_ADD, R1, R2);
		code_store(g->c, BPF_W, R7, at, R1);
	}
}

void put_print_hist(struct gen *g, const struct ir_op *op)
{
	enum { LENGTH = 2, HEAD = LENGTH + 4, FORMAT = HEAD + sizeof(struct st_hist_head), VALUES = FORMAT + 2 };
	unsigned bytes = VALUES + most_bytes(g, op, 1);

	if (bytes > BPF_RECORD_ROOM) {
		refuse(g, "no more than %d bytes in one print", BPF_RECORD_ROOM);
		return;
	}
	g->tells = true;
	make_room(g, bytes);
	code_store_number(g->c, BPF_H, R7, 0, ST_FMT_HIST);
	put_values_length(g, op, 1, LENGTH, VALUES - HEAD);
	put_hist_head(g, op, HEAD);
	code_store_number(g->c, BPF_H, R7, FORMAT, format_of(g, op, op->n));
	end_item(g, put_item_values(g, op, 1, VALUES));
	put_buckets(g, op);
}

void put_item(struct gen *g, unsigned kind, unsigned at, unsigned room)
{
	unsigned bytes = sizeof(uint16_t) + sizeof(uint32_t) + room;

	g->tells = true;
	make_room(g, bytes);
	code_store_number(g->c, BPF_H, R7, 0, kind);
	put_item_string(g, at, room, sizeof(uint16_t));
	end_item(g, 0);
}

void put_speculation_item(struct gen *g, const struct ir_operand *id, unsigned act, unsigned at, unsigned room)
{
	enum { LENGTH = sizeof(uint16_t), HEAD = LENGTH + sizeof(uint32_t), TEXT = HEAD + sizeof(struct st_speculation) };

	g->tells = true;
	make_room(g, TEXT + room);
	code_store_number(g->c, BPF_H, R7, 0, ST_FMT_SPECULATION);
	load_word(g, R0, id);
	code_store(g->c, BPF_DW, R7, HEAD + offsetof(struct st_speculation, id), R0);
	code_store_number(g->c, BPF_W, R7, HEAD + offsetof(struct st_speculation, act), act);
	code_store_number(g->c, BPF_W, R7, HEAD + offsetof(struct st_speculation, reserved), 0);
	load_length(g, at, room);
	code_op_reg(g->c, BPF_MOV, R1, R2);
	code_op(g->c, BPF_ADD, R1, sizeof(struct st_speculation));
	code_store(g->c, BPF_W, R7, LENGTH, R1);
	code_op(g->c, BPF_ADD, R7, TEXT);
	put_item_bytes(g, at, room);
	end_item(g, 0);
}

/* Puts the callers at r7, and moves r7 behind them. */
static void put_callers_bytes(struct gen *g)
{
	unsigned bounded = code_label(g->c);

	for (unsigned i = 0; i < CALLERS_BYTES; i += 8) {
		code_load(g->c, BPF_DW, R1, R9, g->callers + i);
		code_store(g->c, BPF_DW, R7, i, R1);
	}
	code_load(g->c, BPF_DW, R1, R9, FRAME_CALLERS);
	code_jump_if(g->c, BPF_JLE, R1, ST_CALLERS, bounded);
	code_number(g->c, R1, 0);
	code_here(g->c, bounded);
	code_store(g->c, BPF_W, R9, RECORD(callers), R1);
	code_op(g->c, BPF_LSH, R1, 2);
	code_op_reg(g->c, BPF_ADD, R7, R1);
}

void put_told(struct gen *g)
{
	unsigned room = string_room(g, 0), none = code_label(g->c);

	if (!g->told && !g->callers)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, none);
	make_room(g, room + CALLERS_BYTES);
	if (g->told) {
		load_length(g, g->told, room);
		code_store(g->c, BPF_W, R9, RECORD(told), R2);
		put_item_bytes(g, g->told, room);
	}
	if (g->callers)
		put_callers_bytes(g);
	end_item(g, 0);
	code_here(g->c, none);
}
