// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the main function of a program: takes a frame, evaluates the probe's condition, runs the handler,
 * outputs, gives the frame back.
 */
#include <stddef.h>

#include "gen.h"

/* ---- frames ------------------------------------------------------------------ */

void count_skipped(struct gen *g)
{
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, skipped));
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R1, 0, R2);
}

/* r0 = entry r1 of the table of frames */
static void look_up_frame(struct gen *g)
{
	code_store(g->c, BPF_W, R10, -4, R1);
	code_map(g->c, R1, BPF_FRAME_TABLE);
	code_op_reg(g->c, BPF_MOV, R2, R10);
	code_op(g->c, BPF_ADD, R2, -4);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
}

/* r9 = a free frame of the CPU's, whose number is r8; goes to NONE if there is none. */
static void take_frame(struct gen *g, unsigned none)
{
	unsigned taken = code_label(g->c), n = g->waits ? BPF_WAITING_FRAMES : BPF_FRAMES;
	unsigned first = g->waits ? BPF_FRAMES * g->plan->cpus : 0;

	for (unsigned i = 0; i < n; i++) {
		code_op_reg(g->c, BPF_MOV, R1, R8);
		code_op(g->c, BPF_MUL, R1, n);
		code_op(g->c, BPF_ADD, R1, first + i);
		code_op_reg(g->c, BPF_MOV, R7, R1);
		look_up_frame(g);
		code_jump_if(g->c, BPF_JEQ, R0, 0, none);
		code_op_reg(g->c, BPF_MOV, R9, R0);
		if (g->plan->large)
			code_op(g->c, BPF_ADD, R9, FRAME_LOW);
		code_number(g->c, R1, 1);
		code_atomic(g->c, BPF_XCHG, R9, FRAME_BUSY, R1);
		code_jump_if(g->c, BPF_JEQ, R1, 0, taken);
	}
	code_jump(g->c, none);
	code_here(g->c, taken);
	code_store(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, frame), R7);
	code_store(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, cpu), R8);
}

/* r8 = this CPU's half that is in use, of its number r8 */
static void find_half(struct gen *g)
{
	unsigned half = g->plan->half, size = 2 * half;

	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, epoch));
	code_load(g->c, BPF_DW, R0, R1, 0);
	code_op(g->c, BPF_AND, R0, 1);
	code_store(g->c, BPF_DW, R9, FRAME_EPOCH, R0);
	code_op(g->c, BPF_MUL, R8, size);
	code_op(g->c, BPF_MUL, R0, half);
	code_op_reg(g->c, BPF_ADD, R8, R0);
	code_map_value(g->c, R0, BPF_WORDS, 0);
	code_op_reg(g->c, BPF_ADD, R8, R0);
	code_op(g->c, BPF_ADD, R8, g->plan->halves);
}

/* Adds N to how many handlers that may wait use the half r8. */
static void count_inside(struct gen *g, int n)
{
	code_number(g->c, R1, n);
	code_atomic(g->c, BPF_ADD, R8, 0, R1);
}

/*
 * Makes the reader wait for this handler, which RCU doesn't.  A reader may have changed the epoch meanwhile,
 * once, since it waits before it does so again; then the handler takes the other half.
 */
static void enter_half(struct gen *g)
{
	unsigned inside = code_label(g->c), bounded = code_label(g->c);

	count_inside(g, 1);
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, epoch));
	code_load(g->c, BPF_DW, R0, R1, 0);
	code_op(g->c, BPF_AND, R0, 1);
	code_load(g->c, BPF_DW, R1, R9, FRAME_EPOCH);
	code_jump_if_reg(g->c, BPF_JEQ, R0, R1, inside);
	count_inside(g, -1);
	code_helper(g->c, BPF_FUNC_get_smp_processor_id);
	code_op_reg(g->c, BPF_MOV, R8, R0);
	code_jump_if(g->c, BPF_JLT, R8, g->plan->cpus, bounded);
	code_number(g->c, R8, 0);
	code_here(g->c, bounded);
	find_half(g);
	count_inside(g, 1);
	code_here(g->c, inside);
}

static void begin_handler(struct gen *g, enum bpf_role role, unsigned out, unsigned skipped)
{
	code_op_reg(g->c, BPF_MOV, R6, R1);
	if (role != BPF_TELLS) {
		code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, running));
		code_load(g->c, BPF_DW, R1, R1, 0);
		code_jump_if(g->c, BPF_JNE, R1, 1, out);
	}
	if (g->waits && g->plan->threads)
		put_in_target(g, out);
	code_helper(g->c, BPF_FUNC_get_smp_processor_id);
	code_op_reg(g->c, BPF_MOV, R8, R0);
	code_jump_if(g->c, BPF_JGE, R8, g->plan->cpus, skipped);
	take_frame(g, skipped);
	find_half(g);
	if (g->waits)
		enter_half(g);
	save_registers(g);
	for (int at = FRAME_SITE; at <= FRAME_MAY_WAIT; at += 8)
		if (at != FRAME_EPOCH)
			code_store_number(g->c, BPF_DW, R9, at, at == FRAME_MAY_WAIT && g->waits);
	code_store_number(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, more), 0);
	code_store_number(g->c, BPF_DW, R9, FRAME_RECORD + offsetof(struct bpf_record, told), 0);
	if (g->match)
		code_store_number(g->c, BPF_DW, R9, g->match, 0);
	if (g->counts) {
		code_number(g->c, R1, g->probe->budget < STATEMENTS_MOST ? g->probe->budget : STATEMENTS_MOST);
		code_store(g->c, BPF_DW, R9, FRAME_BUDGET, R1);
	}
}

/* Lets no other handler begin if the session ends by this handler's error. */
static void stop_on_error(struct gen *g)
{
	unsigned fine = code_label(g->c);

	if (!g->fails || g->ir->limits.errors || g->ir->limits.suppress_errors)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, fine);
	stop_handlers(g);
	code_here(g->c, fine);
}

/* Outputs what there is to tell. */
static void end_handler(struct gen *g)
{
	unsigned silent = code_label(g->c);

	if (!g->tells)
		return;
	stop_on_error(g);
	put_told(g);
	code_load(g->c, BPF_DW, R1, R9, FRAME_OUT);
	code_load(g->c, BPF_DW, R2, R9, FRAME_SITE);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_load(g->c, BPF_DW, R2, R9, FRAME_EXITS);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_load(g->c, BPF_W, R2, R9, FRAME_RECORD + offsetof(struct bpf_record, more));
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_jump_if(g->c, BPF_JEQ, R1, 0, silent);
	put_output(g);
	code_here(g->c, silent);
}

static void put_one_body(struct gen *g, const struct ir_body *b, struct region *top)
{
	lay_out(g, b);
	put_body(g, b, top);
}

/* Makes the code of a program with a frame: its bodies.  Goes to FREE if there is nothing to do. */
static void put_bodies(struct gen *g, const struct bpf_program *p, struct region *top, unsigned free)
{
	bool conditional = g->probe->armed_by != IR_UNCONDITIONAL && p->role == BPF_HANDLES;
	unsigned failed = code_label(g->c);

	if (g->attach == IR_OF_PROCESS)
		put_process(g, p, free);
	/* The kernel calls all handlers at a return, and a child that shares its parent's memory hits its places. */
	if (ir_in_program(g->attach) && g->place)
		put_is_process(g, free);
	if (g->attach == IR_OF_PROCESS && p->role != BPF_HANDLES)
		return;
	if (p->role == BPF_OPENS) {
		note_opened(g, p->opened);
		code_jump(g->c, free);
		return;
	}
	/* What was saved is taken from the map whether the probe is armed or not. */
	if (p->saved && p->role == BPF_HANDLES)
		find_saved(g, p->saved, free);
	if (conditional) {
		put_one_body(g, g->ir->probes.v[g->probe->armed_by].condition, top);
		code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
		code_jump_if(g->c, BPF_JNE, R1, 0, failed);
		code_load(g->c, BPF_DW, R1, R9, FRAME_ARMED);
		code_jump_if(g->c, BPF_JEQ, R1, 0, free);
	}
	if (p->role == BPF_SAVES) {
		put_one_body(g, g->probe->entry, top);
		code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
		code_jump_if(g->c, BPF_JNE, R1, 0, failed);
		keep_saved(g, p);
	} else {
		put_one_body(g, g->probe->handler, top);
	}
	code_here(g->c, failed);
	end_handler(g);
}

void put_handler(struct gen *g, const struct bpf_program *p)
{
	struct function *outer;
	struct region top = { .op = NULL };
	unsigned out, skipped, free;

	begin_function(g, &outer);
	out = code_label(g->c);
	skipped = code_label(g->c);
	free = code_label(g->c);
	top.skipped = code_label(g->c);
	begin_handler(g, p->role, out, skipped);
	put_bodies(g, p, &top, free);
	code_jump(g->c, free);
	code_here(g->c, top.skipped);
	count_skipped(g);
	code_here(g->c, free);
	if (g->waits)
		count_inside(g, -1);
	code_store_number(g->c, BPF_DW, R9, FRAME_BUSY, 0);
	code_jump(g->c, out);
	code_here(g->c, skipped);
	count_skipped(g);
	code_here(g->c, out);
	end_function(g, outer);
}
