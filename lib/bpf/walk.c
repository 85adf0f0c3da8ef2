// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks over the elements of an array, in no order: the kernel's bpf_for_each_map_elem() calls a function for each.
 * With it arrays are cleared, elements found whose key is known in part only, and the oldest element replaced in an
 * array that wraps.
 */
#include "gen.h"

/* Where a walk's function keeps its element's key; r7 is the value. */
enum { KEY_AT = -32 };

/* Begins the function of a walk. */
unsigned begin_walk(struct gen *g, struct function **outer)
{
	unsigned number = begin_callback(g, outer, R4);

	code_store(g->c, BPF_DW, R10, KEY_AT, R2);
	code_op_reg(g->c, BPF_MOV, R7, R3);
	return number;
}

/* REG = where the element's key is */
void load_key(struct gen *g, unsigned reg)
{
	code_load(g->c, BPF_DW, reg, R10, KEY_AT);
}

/* Calls the function for each element of a map, until one returns 1. */
void put_walk(struct gen *g, unsigned map, unsigned function)
{
	code_map(g->c, R1, map);
	code_function(g->c, R2, function);
	pass_registers(g, R3);
	code_number(g->c, R4, 0);
	code_helper(g->c, BPF_FUNC_for_each_map_elem);
	put_calls_cost(g, function, 0);
}

/* ---- clearing ----------------------------------------------------------------- */

static void delete_this(struct gen *g, unsigned map)
{
	code_map(g->c, R1, map);
	load_key(g, R2);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
}

void put_clear(struct gen *g, const struct ir_op *op)
{
	unsigned map = g->plan->globals[op->symbol].map, function;
	struct function *outer;

	function = begin_walk(g, &outer);
	delete_this(g, map);
	end_function(g, outer);
	put_walk(g, map, function);
}

/* ---- keys known in part -------------------------------------------------------------- */

/*
 * In the function of a walk: goes to OTHER unless the element's key is that of the tuple at AT in the frame, but
 * for the parts whose bit is set in ANY.
 */
void put_matches(struct gen *g, unsigned global, unsigned at, unsigned any, unsigned other)
{
	const struct ir_global *array = &g->ir->globals.v[global];
	unsigned from = 0, bytes;

	load_key(g, R3);
	for (size_t i = 0; i < array->keys.n; i++, from += bytes) {
		bytes = key_bytes(g, array, i);
		for (unsigned j = 0; !(any & 1u << i) && j < bytes; j += 8) {
			code_load(g->c, BPF_DW, R1, R3, from + j);
			code_load(g->c, BPF_DW, R2, R9, at + from + j);
			code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
		}
	}
}

/* Deletes the elements whose keys match, or finds out whether there are any. */
void put_match(struct gen *g, const struct ir_op *op)
{
	unsigned map = g->plan->globals[op->symbol].map, function, other;
	struct function *outer;

	if (op->code == IR_HAS)
		code_store_number(g->c, BPF_DW, R9, FRAME_TEMPORARY, 0);
	function = begin_walk(g, &outer);
	other = code_label(g->c);
	put_matches(g, op->symbol, operand_at(g, &op->args.v[0]), op->n, other);
	if (op->code == IR_DELETE) {
		delete_this(g, map);
	} else {
		code_store_number(g->c, BPF_DW, R9, FRAME_TEMPORARY, 1);
		code_number(g->c, R0, 1);
		code_exit(g->c);
	}
	code_here(g->c, other);
	end_function(g, outer);
	put_walk(g, map, function);
	if (op->code == IR_HAS) {
		code_load(g->c, BPF_DW, R0, R9, FRAME_TEMPORARY);
		store_word(g, op, R0);
	}
}

/* ---- wrapping ------------------------------------------------------------------------- */

/* Deletes the element of an array that was added first. */
void put_evict(struct gen *g, unsigned global)
{
	const struct bpf_global *v = &g->plan->globals[global];
	unsigned key = take(g, v->key), function, younger;
	struct function *outer;

	code_number(g->c, R1, -1);
	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R1);
	function = begin_walk(g, &outer);
	younger = code_label(g->c);
	code_load(g->c, BPF_DW, R1, R7, 0);
	code_load(g->c, BPF_DW, R2, R9, FRAME_TEMPORARY);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, younger);
	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R1);
	pass_frame(g, R1, key);
	code_number(g->c, R2, v->key);
	load_key(g, R3);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_here(g->c, younger);
	end_function(g, outer);
	put_walk(g, v->map, function);
	code_map(g->c, R1, v->map);
	pass_frame(g, R2, key);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
}
