// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's stack: bpf_get_stack() walks it as a module's unwinder does, from the registers of the place
 * that is hit.  Its first frame is that place; at a return, the address to which the function returns, as
 * the kernel sets these registers.
 *
 * At a tracepoint there are no registers, and the walk begins in the program itself.  Its frames, and the
 * kernel's that call it, end with the function that runs programs at tracepoints (bpf_trace_run1() to
 * bpf_trace_run12()).
 *
 *	bpf_prog_4ce0b25ad4e2	own
 *	bpf_trace_run4		own, the last: between trace_run[0] and trace_run[1]
 *	__schedule		the first frame
 */
#include "abi/bounds.h"
#include "gen.h"

/* Removes own frames from the front, of r0 frames. */
static void put_skip_own(struct gen *g, unsigned frames)
{
	unsigned found = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R7, R0);
	code_number(g->c, R2, g->on->trace_run[0]);
	code_number(g->c, R3, g->on->trace_run[1]);
	pass_frame(g, R4, frames);
	for (unsigned i = 0; i < OWN_FRAMES; i++) {
		unsigned other = code_label(g->c);

		code_load(g->c, BPF_DW, R1, R9, frames + 8 * i);
		code_op(g->c, BPF_SUB, R7, 1);
		code_op(g->c, BPF_ADD, R4, 8);
		code_jump_if_reg(g->c, BPF_JLT, R1, R2, other);
		code_jump_if_reg(g->c, BPF_JLT, R1, R3, found);
		code_here(g->c, other);
	}
	code_number(g->c, R7, -1);
	code_here(g->c, found);
	pass_frame(g, R1, frames);
	code_number(g->c, R2, 8 * ST_STACK_DEPTH);
	code_op_reg(g->c, BPF_MOV, R3, R4);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_op_reg(g->c, BPF_MOV, R0, R7);
}

/* Makes the function that walks the stack. */
static unsigned put_walk_function(struct gen *g, unsigned count, unsigned frames)
{
	unsigned store, none, fits;
	bool own = g->attach == IR_AT_TRACEPOINT;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	store = code_label(g->c);
	none = code_label(g->c);
	fits = code_label(g->c);
	if (g->attach == IR_AT_EVENT) {
		put_in_user_mode(g);
		code_jump_if(g->c, BPF_JNE, R0, 0, none);
	}
	code_op_reg(g->c, BPF_MOV, R1, R6);
	pass_frame(g, R2, frames);
	code_number(g->c, R3, 8 * (own ? KERNEL_FRAMES : ST_STACK_DEPTH));
	code_number(g->c, R4, 0);
	code_helper(g->c, BPF_FUNC_get_stack);
	code_jump_if(g->c, BPF_JSLT, R0, 0, store);
	code_op(g->c, BPF_ARSH, R0, 3);
	if (own)
		put_skip_own(g, frames);
	code_jump_if(g->c, BPF_JSLE, R0, ST_STACK_DEPTH, fits);
	code_number(g->c, R0, ST_STACK_DEPTH);
	code_here(g->c, fits);
	if (g->attach == IR_AT_ADDRESS) {
		code_op_reg(g->c, BPF_MOV, R7, R0);
		put_place_address(g);
		code_store(g->c, BPF_DW, R9, frames, R0);
		code_op_reg(g->c, BPF_MOV, R0, R7);
	}
	code_jump(g->c, store);
	code_here(g->c, none);
	code_number(g->c, R0, 0);
	code_here(g->c, store);
	code_store(g->c, BPF_DW, R9, count, R0);
	end_function(g, outer);
	return number;
}

void put_walk_kernel(struct gen *g, unsigned count, unsigned frames)
{
	unsigned walked = code_label(g->c);

	if (g->waits || g->attach == IR_OF_PROCESS) {	/* the process is in its own code */
		code_store_number(g->c, BPF_DW, R9, count, 0);
		code_here(g->c, walked);
		return;
	}
	if (!g->walks)
		g->walks = put_walk_function(g, count, frames);
	else
		note_call(g, 1);
	pass_registers(g, R2);
	code_number(g->c, R1, 0);
	code_call(g->c, g->walks);
	code_load(g->c, BPF_DW, R0, R9, count);
	code_jump_if(g->c, BPF_JSGE, R0, 0, walked);
	leave(g, WAY_SKIPPED, NULL);
	code_here(g->c, walked);
}
