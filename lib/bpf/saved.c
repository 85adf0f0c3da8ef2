// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of a function's entry at its return: a program at the entry makes them in its frame and keeps
 * them in a map, by stack pointer, thread and place; the handler at the return finds and removes them.  A
 * call that began before the probes were attached has none, and its return is passed over.
 *
 * Behind a prologue the stack pointer is another one than at the entry, so there a program notes it, by
 * thread and place: the prologue calls nothing, so a thread has no other entry of the place before it is
 * used.
 */
#include "base/arena.h"
#include "gen.h"

/* At a return the stack pointer is above the return address, to which it points at the entry. */
enum { RETURN_ADDRESS = 8 };

/* Words of FRAME_TEMPORARY: the key of what is saved, which ends with that of what is noted. */
enum { STACK = FRAME_TEMPORARY + 8, THREAD = FRAME_TEMPORARY + 16, PLACE = FRAME_TEMPORARY + 24 };

unsigned saved_bytes(const struct ir_program *ir, const struct ir_probe *p)
{
	unsigned bytes = 0;

	for (size_t i = 0; i < p->saved.n; i++)
		bytes += p->saved.v[i] == IR_STRING ? STRING_BYTES + rounded(ir->limits.string) : 8;
	return bytes;
}

void place_saved(struct gen *g)
{
	unsigned at = take(g, saved_bytes(g->ir, g->probe));

	g->saved = arena_alloc(g->probe->saved.n * sizeof(*g->saved));
	for (size_t i = 0; i < g->probe->saved.n; i++) {
		g->saved[i] = at;
		at += g->probe->saved.v[i] == IR_STRING ? STRING_BYTES + string_room(g, 0) : 8;
	}
}

/* SAVE and SAVED */
void put_save(struct gen *g, const struct ir_op *op)
{
	unsigned at, room = string_room(g, 0);
	enum ir_type type;

	/* Which probe a function's SAVED belongs to is known only here. */
	if (!g->saved || op->symbol >= g->probe->saved.n) {
		refuse(g, "no such value of an entry");
		return;
	}
	at = g->saved[op->symbol];
	type = g->probe->saved.v[op->symbol];
	if (type != (op->code == IR_SAVE ? op->args.v[0].type :
		     op->result == IR_NO_VALUE ? type : g->body->values.v[op->result])) {
		refuse(g, "no value of an entry of this type");
		return;
	}
	if (op->code == IR_SAVE)
		put_copy(g, type, at, room, &op->args.v[0]);
	else if (op->result != IR_NO_VALUE && type == IR_STRING)
		copy_string(g, g->layout->values[op->result], g->layout->value_rooms[op->result], at, room);
	else if (op->result != IR_NO_VALUE)
		copy_bytes(g, g->layout->values[op->result], at, 8);
}

/* r1, r2 = the map and the call's key, which begins at KEY */
static void pass_call(struct gen *g, unsigned map, unsigned key)
{
	code_map(g->c, R1, map);
	pass_frame(g, R2, key);
}

/* Makes the call's key; the stack pointer is ABOVE the entry's. */
static void make_key(struct gen *g, int above)
{
	code_helper(g->c, BPF_FUNC_get_current_pid_tgid);
	code_store(g->c, BPF_DW, R9, THREAD, R0);
	code_load(g->c, BPF_DW, R0, R6, 8 * STACK_POINTER);
	code_op(g->c, BPF_SUB, R0, above);
	code_store(g->c, BPF_DW, R9, STACK, R0);
	put_point(g);
	code_store(g->c, BPF_DW, R9, PLACE, R0);
}

/* Updates the map with the value at VALUE in the frame. */
static void keep(struct gen *g, unsigned map, unsigned key, unsigned value)
{
	unsigned kept = code_label(g->c);

	pass_call(g, map, key);
	pass_frame(g, R3, value);
	code_number(g->c, R4, BPF_ANY);
	code_helper(g->c, BPF_FUNC_map_update_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, kept);
	count_skipped(g);
	code_here(g->c, kept);
}

/* Notes the stack pointer of the call that begins. */
void note_opened(struct gen *g, unsigned map)
{
	make_key(g, 0);
	keep(g, map, THREAD, STACK);
}

/* Puts the stack pointer that was noted into the key; goes to NONE if none was. */
static void find_opened(struct gen *g, unsigned map, unsigned none)
{
	pass_call(g, map, THREAD);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	code_load(g->c, BPF_DW, R0, R0, 0);
	code_store(g->c, BPF_DW, R9, STACK, R0);
	pass_call(g, map, THREAD);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
}

/* Keeps what the frame has for the call that begins. */
void keep_saved(struct gen *g, const struct bpf_program *p)
{
	unsigned none = code_label(g->c);

	make_key(g, 0);
	if (p->opened)
		find_opened(g, p->opened, none);
	keep(g, p->saved, STACK, g->saved[0]);
	code_here(g->c, none);
}

/* Copies what was saved to the frame; goes to NONE if nothing was. */
void find_saved(struct gen *g, unsigned map, unsigned none)
{
	make_key(g, g->attach == IR_AT_RETURNING ? 0 : RETURN_ADDRESS);
	pass_call(g, map, STACK);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	pass_frame(g, R1, g->saved[0]);
	code_number(g->c, R2, saved_bytes(g->ir, g->probe));
	code_op_reg(g->c, BPF_MOV, R3, R0);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	pass_call(g, map, STACK);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
}
